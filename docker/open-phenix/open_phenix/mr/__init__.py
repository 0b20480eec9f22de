"""Molecular replacement from open parts: a direct rotation function, cctbx's fast translation function, packing, rigid body.

Made for good search models in easy cases. It has no likelihood, so it gives no LLG.
"""
