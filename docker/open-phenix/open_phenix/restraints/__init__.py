"""Restraint dictionaries of components: made by AceDRG, kept by code, SMILES or content, found for a model.

cctbx has to be imported before gemmi and RDKit, which bring numpy.
"""

from open_phenix.core import cctbx_session

cctbx_session.start()
