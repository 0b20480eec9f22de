"""Removes the start model's memory of earlier refinement data: coordinates shaken, B values reset (modify_start_model).

A test set that is drawn from data which the model has been refined against is none: R-free begins at R-work (Brunger 1992,
Nature 355, 472). Shaking the coordinates by some tenths of an Angstrom and resetting the B values before the first refinement
takes that memory away (Kleywegt 2007, Acta Cryst. D63, 94; the parameters are those of phenix.refine, mmtbx/pdbtools.py).
"""

import gemmi
import numpy

_SEED = 20070101  # runs are deterministic


def modify(structure: gemmi.Structure, shake: float | None, b_iso: float | None) -> list[str]:
    """Shake by a mean distance (Angstrom), set all B values (A2, isotropic); what was done, in words."""
    done = []
    if shake:
        directions = numpy.random.default_rng(_SEED).normal(size=(structure[0].count_atom_sites(), 3))
        steps = directions * shake / numpy.linalg.norm(directions, axis=1).mean()
        for site, step in zip(structure[0].all(), steps):
            site.atom.pos += gemmi.Position(*step)
        done.append(f"coordinates shaken by {shake:g} A on average")
    if b_iso is not None:
        for site in structure[0].all():
            site.atom.b_iso, site.atom.aniso = b_iso, gemmi.SMat33f(0, 0, 0, 0, 0, 0)
        done.append(f"all B values set to {b_iso:g} A2")
    return done
