"""Bonds and angles against the restraint dictionaries, with gemmi; hydrogens added the same way."""

import math
from dataclasses import dataclass
from pathlib import Path
from collections.abc import Sequence

import gemmi

from open_phenix.core.environment import monomer_library
from open_phenix.core.errors import Sorry


@dataclass(frozen=True)
class Deviations:
    """Root-mean-square deviations from ideal values, hydrogens left out: bonds in Angstrom, angles in degrees."""

    bonds: float | None
    angles: float | None


def topology(structure: gemmi.Structure, dictionaries: Sequence[Path], hydrogens: gemmi.HydrogenChange) -> gemmi.Topo:
    """Restraints for every residue of the first model; hydrogens of `structure` are changed as asked."""
    library = gemmi.MonLib()
    folder = monomer_library()
    assert folder is not None
    for path in dictionaries:
        library.read_monomer_cif(str(path))
    library.read_monomer_lib(str(folder) + "/", structure[0].get_all_residue_names())
    try:
        return gemmi.prepare_topology(
            structure, library, model_index=0, h_change=hydrogens, reorder=False, warnings=None, ignore_unknown_links=True
        )
    except RuntimeError as problem:
        raise Sorry(f"No restraints for this model: {problem}") from problem


def deviations(structure: gemmi.Structure, dictionaries: Sequence[Path]) -> Deviations:
    """Deviations of the model as it stands (a copy is used)."""
    copy = structure.clone()
    copy.remove_hydrogens()
    made = topology(copy, dictionaries, gemmi.HydrogenChange.NoChange)
    bonds = [bond.calculate() - bond.restr.value for bond in made.bonds]
    angles = [math.degrees(angle.calculate()) - angle.restr.value for angle in made.angles]
    return Deviations(_rms(bonds), _rms(angles))


def _rms(values: Sequence[float]) -> float | None:
    return (sum(value * value for value in values) / len(values)) ** 0.5 if values else None
