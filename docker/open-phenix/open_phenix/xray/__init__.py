"""Crystallography shared by the X-ray programs. Modules here import cctbx: import them inside run(), never at a program's top."""
