"""Shared cryo-EM code: maps in their boxes, models in those boxes, correlations, resolution, docking, refinement.

Coordinates are in Angstrom, B values in square Angstrom, angles in degrees.
"""
