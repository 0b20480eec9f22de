"""Crystallography shared by the X-ray programs.

Importing this package makes cctbx ready (first of all: gemmi and scipy bring numpy in, and cctbx must come before it).
So import it inside run(), never at a program's top.
"""

from open_phenix.core import cctbx_session

cctbx_session.start()
