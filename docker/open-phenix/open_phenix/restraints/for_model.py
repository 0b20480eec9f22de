"""The restraint dictionaries that a model needs: given ones, and new ones for the other residues."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import gemmi

from open_phenix.core.errors import Sorry
from open_phenix.restraints import acedrg, atom_names, cache, components
from open_phenix.restraints.components import Component
from open_phenix.xray import models


@dataclass
class Restraints:
    """Dictionaries for the engines, why a residue type has none (code to reason), and atom names to change (by code)."""

    dictionaries: list[Path]
    missing: dict[str, str] = field(default_factory=dict)
    names: dict[str, dict[str, str]] = field(default_factory=dict)

    def refined_part(self, structure: gemmi.Structure) -> gemmi.Structure:
        """A copy of the structure with the names of the dictionaries, without the residues that have no restraints."""
        copy = structure.clone()
        models.remove_residues(copy, self.missing)
        for site in copy[0].all():
            site.atom.name = self.names.get(site.residue.name, {}).get(site.atom.name, site.atom.name)
        return copy

    def residues_of(self, structure: gemmi.Structure) -> "list[tuple[str, gemmi.Residue]]":
        """Chain name and copy of each residue of the structure that has no restraints."""
        return [(chain.name, residue.clone()) for chain in structure[0] for residue in chain if residue.name in self.missing]


def find(structure: gemmi.Structure, given: Sequence[Path]) -> Restraints:
    """Dictionaries for every residue type of the model; prints those that were made and those that could not be made."""
    found = complete(given)
    for code, place in models.without_dictionary(structure, found.dictionaries).items():
        if code in found.missing:
            continue
        try:
            found.dictionaries.append(_of_code(structure, components.checked_code(code), place, found))
        except Sorry as problem:
            found.missing[code] = _one_line(problem)
    for code, reason in found.missing.items():
        print(f"WARNING: no restraints for {code}: {reason}")
    return found


def complete(given: Sequence[Path]) -> Restraints:
    """The files as they are if they have ideal values; for components without (atoms and bonds alone), dictionaries made of them."""
    found = Restraints([])
    for path in given:
        codes = models.codes_in_dictionary(path)
        bare = [code for code in codes if not acedrg.has_targets(path, code)]
        if len(bare) < len(codes):
            found.dictionaries.append(path)
        for code in bare:
            try:
                found.dictionaries.append(_made(components.of_file(path, code, code)))
            except Sorry as problem:
                found.missing[code] = _one_line(problem)
    return found


def _made(component: Component) -> Path:
    kept = cache.get(component)
    how = "kept from an earlier run" if kept.seconds is None else f"made in {kept.seconds:.0f} s"
    print(f"Restraints for {component.code}: by AceDRG from {component.origin}, {how}", flush=True)
    return kept.path


def _of_code(structure: gemmi.Structure, code: str, place: str, found: Restraints) -> Path:
    """The dictionary by code, for residues whose atoms are those of the component (LIG, DRG, INH are used for anything)."""
    residues = [residue for chain in structure[0] for residue in chain if residue.name == code]
    kept = cache.kept(code)
    component = None if kept else components.of_dictionary(code)
    names = atom_names.Names(component.bonds if component else acedrg.bonds_in(kept.path, code))
    older = names.older(residues)
    foreign = names.foreign(residues) - set(older)
    if foreign:
        raise Sorry(f"its atoms {', '.join(sorted(foreign)[:5])} ({place}) are not those of {code} in the Chemical Component "
                    "Dictionary; give a restraint dictionary, or its SMILES under this code")
    for old, new in older.items():
        print(f"{code}: the atom {old} is called {new}, as in the Chemical Component Dictionary")
        found.names.setdefault(code, {})[old] = new
    if component:
        return _made(component)
    print(f"Restraints for {code}: by AceDRG from the Chemical Component Dictionary, kept from an earlier run", flush=True)
    return kept.path


def put_back(path: Path, residues: "Sequence[tuple[str, gemmi.Residue]]") -> None:
    """Add residues (chain name and residue) that were not refined to a model file that an engine wrote."""
    if not residues or not path.is_file():
        return
    structure = models.read(path)
    for name, residue in residues:
        chain = structure[0].find_chain(name) or structure[0].add_chain(gemmi.Chain(name))
        chain.add_residue(residue.clone())
    structure.setup_entities()
    if path.suffix == ".pdb":
        structure.write_pdb(str(path))
    else:
        structure.make_mmcif_document().write_file(str(path))


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split())
