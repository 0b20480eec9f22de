"""Molecular replacement from open parts: a direct rotation function, cctbx's fast translation function, difference maps of what is
placed, a likelihood that ranks, packing, rigid body.

Made for good search models. The searches do not use likelihood, so they may miss a distant homologue that Phaser finds.
"""
