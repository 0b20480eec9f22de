"""Molecular replacement from open parts: a direct rotation function, cctbx's fast translation function, difference maps of what is
placed, a likelihood that ranks, packing, rigid body.

Made for good search models. The searches are no likelihood functions: a distant homologue that Phaser finds may be missed.
"""
