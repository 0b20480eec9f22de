"""Restraint dictionaries of components: made by AceDRG, cached by code, SMILES or content, selected for a model.

cctbx must be imported before gemmi and RDKit, which bring numpy.
"""

from open_phenix.core import cctbx_session

cctbx_session.start()
