"""Bonds and angles against the restraint dictionaries, with gemmi; hydrogens added the same way."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from collections.abc import Sequence

import gemmi

from open_phenix.core.environment import monomer_library
from open_phenix.core.errors import Sorry


class Restrained(NamedTuple):
    """A bond (Angstrom) or an angle (degrees): as it stands in the model, and the ideal value."""

    model: float
    ideal: float


@dataclass(frozen=True)
class Deviations:
    """Root-mean-square deviations from ideal values, hydrogens left out: bonds in Angstrom, angles in degrees."""

    bonds: float | None
    angles: float | None


class RestrainedModel:
    """A structure (its first model) and the restraints on it.

    gemmi's topology is a web of pointers into the monomer library and into the structure, and gemmi keeps neither alive for
    it: once one of them is gone, ideal values are read from freed memory. So the topology has the same owner as both and
    never leaves this class; what comes out are plain numbers.
    """

    def __init__(self, structure: gemmi.Structure, dictionaries: Sequence[Path], hydrogens: gemmi.HydrogenChange):
        """Restraints for every residue; hydrogens of `structure` are changed as asked. Sorry where there are none."""
        folder = monomer_library()
        assert folder is not None
        self._structure = structure
        self._library = gemmi.MonLib()
        for path in dictionaries:
            self._library.read_monomer_cif(str(path))
        self._library.read_monomer_lib(str(folder) + "/", structure[0].get_all_residue_names())
        try:
            self._topology = gemmi.prepare_topology(
                structure,
                self._library,
                model_index=0,
                h_change=hydrogens,
                reorder=False,
                warnings=None,
                ignore_unknown_links=True,
            )
        except RuntimeError as problem:
            raise Sorry(f"No restraints for this model: {problem}") from problem

    def bonds(self) -> list[Restrained]:
        """Every restrained bond, Angstrom."""
        return [Restrained(bond.calculate(), bond.restr.value) for bond in self._topology.bonds]

    def angles(self) -> list[Restrained]:
        """Every restrained angle, degrees."""
        return [Restrained(math.degrees(angle.calculate()), angle.restr.value) for angle in self._topology.angles]


def change_hydrogens(structure: gemmi.Structure, dictionaries: Sequence[Path], change: gemmi.HydrogenChange) -> None:
    """Add, move or remove the hydrogens of `structure` (its first model) by the dictionaries."""
    RestrainedModel(structure, dictionaries, change)


def deviations(structure: gemmi.Structure, dictionaries: Sequence[Path]) -> Deviations:
    """Deviations of the model as it stands (a copy is used)."""
    copy = structure.clone()
    copy.remove_hydrogens()
    made = RestrainedModel(copy, dictionaries, gemmi.HydrogenChange.NoChange)
    return Deviations(_rms(made.bonds()), _rms(made.angles()))


def _rms(values: Sequence[Restrained]) -> float | None:
    return (sum((value.model - value.ideal) ** 2 for value in values) / len(values)) ** 0.5 if values else None
