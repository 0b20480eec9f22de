"""The weight of the data against the geometry, for X-ray and cryo-EM alike."""
