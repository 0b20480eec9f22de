"""Models: read and written with gemmi, their residues checked against the restraint dictionaries."""

import os
from pathlib import Path
from typing import Any
from collections.abc import Iterable, Sequence

import gemmi

from open_phenix.core.errors import Sorry


def read(path: Path) -> gemmi.Structure:
    """The structure in a PDB or mmCIF file; Sorry if there are no atoms in it."""
    try:
        structure = gemmi.read_structure(str(path))
    except (RuntimeError, ValueError, OSError) as problem:
        raise Sorry(f"Cannot read the model {path}: {problem}") from problem
    if len(structure) == 0 or structure[0].count_atom_sites() == 0:
        raise Sorry(f"No atoms in the model {path}")
    structure.setup_entities()
    return structure


def write_like(structure: gemmi.Structure, original: Path, stem: Path) -> Path:
    """Write in the format of `original` next to `stem` (no extension); mmCIF where PDB cannot hold it."""
    is_pdb = original.name.lower().endswith((".pdb", ".ent", ".pdb.gz", ".ent.gz"))
    path = stem.with_name(stem.name + (".pdb" if is_pdb else ".mmcif"))
    if is_pdb:
        structure.write_pdb(str(path))
    else:
        structure.make_mmcif_document().write_file(str(path))
    return path


def set_crystal(structure: gemmi.Structure, symmetry: Any) -> None:
    """Give the model the cell and space group of the data (a cctbx crystal.symmetry)."""
    structure.cell = gemmi.UnitCell(*symmetry.unit_cell().parameters())
    structure.spacegroup_hm = gemmi.SpaceGroup(str(symmetry.space_group_info())).xhm()
    structure.setup_cell_images()


def residue_codes(structure: gemmi.Structure) -> dict[str, str]:
    """Each residue name in the model, with the first place where it stands (`A 301`)."""
    places: dict[str, str] = {}
    for chain in structure[0]:
        for residue in chain:
            places.setdefault(residue.name, f"{chain.name} {residue.seqid}")
    return places


def codes_in_dictionary(path: Path) -> list[str]:
    """Residue codes that a restraint dictionary describes, read from its contents (not from the file's name)."""
    try:
        document = gemmi.cif.read(str(path))
    except (RuntimeError, ValueError, OSError) as problem:
        raise Sorry(f"Cannot read the dictionary {path}: {problem}") from problem
    codes: list[str] = []
    for block in document:
        found = block.find_values("_chem_comp_atom.comp_id")
        codes += [gemmi.cif.as_string(value) for value in found]
    codes = list(dict.fromkeys(codes))
    if not codes:
        raise Sorry(f"No _chem_comp_atom.comp_id in the dictionary {path}")
    return codes


def without_dictionary(structure: gemmi.Structure, dictionaries: Sequence[Path]) -> dict[str, str]:
    """Residue types (and their first place) that neither the library nor the files given describe."""
    known: set[str] = {code for path in dictionaries for code in codes_in_dictionary(path)}
    return {code: place for code, place in residue_codes(structure).items() if not _known(code, known)}


def has_sugars(structure: gemmi.Structure) -> bool:
    """Whether there are sugars: their links are looked for by distance, as older files have no LINK records of glycans."""
    kinds = (gemmi.ResidueKind.PYR, gemmi.ResidueKind.KET)
    return any(gemmi.find_tabulated_residue(code).kind in kinds for code in residue_codes(structure))


def remove_residues(structure: gemmi.Structure, codes: Iterable[str]) -> None:
    """Take all residues of these types out of the first model."""
    unwanted = set(codes)
    for chain in structure[0]:
        for index in reversed(range(len(chain))):
            if chain[index].name in unwanted:
                del chain[index]
    structure.remove_empty_chains()


def _known(code: str, given: Iterable[str]) -> bool:
    if code in given:
        return True
    library = Path(os.environ.get("CLIBD_MON", "."))
    return (library / code[:1].lower() / f"{code}.cif").is_file()


def count_waters(structure: gemmi.Structure) -> int:
    """Number of water molecules."""
    return sum(1 for chain in structure[0] for residue in chain if residue.is_water())
