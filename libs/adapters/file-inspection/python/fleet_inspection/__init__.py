"""Readers of crystallographic files, by gemmi."""
