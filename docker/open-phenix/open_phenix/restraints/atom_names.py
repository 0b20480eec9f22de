"""Atom names of a residue against those of its component: older files call some atoms otherwise (O for O5 in a sugar)."""

from collections.abc import Iterable, Sequence

import gemmi

BONDED = 2.0  # Angstrom; longer than any covalent bond between C, N, O, P and S, shorter than any contact


class Names:
    """The bonds of a component as (name, element) pairs; hydrogens play no part."""

    def __init__(self, bonds: "Iterable[tuple[tuple[str, str], tuple[str, str]]]"):
        self.elements: dict[str, str] = {}
        self.neighbours: dict[str, set[str]] = {}
        for first, second in bonds:
            for (name, element), (other, its_element) in ((first, second), (second, first)):
                if "H" not in (element, its_element):
                    self.elements[name] = element
                    self.neighbours.setdefault(name, set()).add(other)

    def foreign(self, residues: Sequence[gemmi.Residue]) -> set[str]:
        """Names of atoms in the residues that the component does not have."""
        return {atom.name for residue in residues for atom in residue if not atom.is_hydrogen()} - set(self.elements)

    def older(self, residues: Sequence[gemmi.Residue]) -> dict[str, str]:
        """Foreign name to the one atom of the component with the same element and the same bonded neighbours, where all residues agree."""
        found: dict[str, set[str]] = {}
        for residue in residues:
            for atom in residue:
                if not atom.is_hydrogen() and atom.name not in self.elements:
                    found.setdefault(atom.name, set()).add(self._same_place(residue, atom))
        return {old: new for old, (new, *others) in found.items() if new and not others}

    def _same_place(self, residue: gemmi.Residue, atom: gemmi.Atom) -> str:
        present = {other.name for other in residue}
        bonded = {other.name for other in residue if other.name != atom.name and not other.is_hydrogen()
                  and other.pos.dist(atom.pos) < BONDED}
        fitting = [name for name, element in self.elements.items() if name not in present
                   and element == atom.element.name.upper() and bonded and self.neighbours[name] & present == bonded]
        return fitting[0] if len(fitting) == 1 else ""
