"""The monomer library as cctbx wants it: amino acids with hydrogen names of the older CCP4 library.

cctbx renames the hydrogens of a model (HB2, HB3 become HB1, HB2) before it looks them up; Coot's library has the new
names, so that no hydrogen would find its bond. Here the 20 dictionaries are rewritten with the names that cctbx looks for.

cctbx's Probe takes radii from `ener_lib.cif`; Coot's are Bondi's, so Probe's own are put in (A, electron-cloud hydrogens;
Word et al. 1999, J. Mol. Biol. 285, 1711, and the values that mmtbx.probe.Helpers checks in its own tests).
"""

import contextlib
import os
from pathlib import Path
from collections.abc import Iterator, Sequence

import gemmi

from open_phenix.core.environment import monomer_library
from open_phenix.xray import models

_RADIUS_BY_ELEMENT = {"O": 1.40, "N": 1.55, "S": 1.80, "P": 1.80, "SE": 1.90, "F": 1.30, "CL": 1.77, "BR": 1.95, "I": 2.10}
_RADIUS_C, _RADIUS_C_AROMATIC = 1.70, 1.75
_RADIUS_H, _RADIUS_H_AROMATIC = 1.22, 1.05
_AROMATIC_C = ("CR5", "CR15", "CR55", "CR56", "CR6", "CR16", "CR66")
_AROMATIC_H = ("HCR5", "HCR6")
_TREE_TAGS = ("atom_back", "atom_forward")


def build(folder: Path, dictionaries: Sequence[Path] = ()) -> Path:
    """Write the library below `folder` (links to the original but for the amino acids); returns its path.

    `dictionaries` of ligands become part of it, so that every step of cctbx finds them by residue name.
    """
    from iotbx.pdb import amino_acid_codes

    original = monomer_library()
    assert original is not None
    target = folder / "monomers"
    for path in sorted(original.rglob("*")):
        copy = target / path.relative_to(original)
        if path.is_dir():
            copy.mkdir(parents=True, exist_ok=True)
        elif path.stem in amino_acid_codes.one_letter_given_three_letter and path.parent != original / "list":
            copy.parent.mkdir(parents=True, exist_ok=True)
            _rewrite(path, copy)
        elif path.name == "ener_lib.cif":
            _rewrite_radii(path, copy)
        else:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(path)
    for path in dictionaries:
        for code in models.codes_in_dictionary(path):
            copy = target / code[0].lower() / f"{code}.cif"
            copy.parent.mkdir(exist_ok=True)
            copy.unlink(missing_ok=True)
            copy.write_bytes(path.read_bytes())
    return target


@contextlib.contextmanager
def used(folder: Path, dictionaries: Sequence[Path] = ()) -> Iterator[None]:
    """Build the library and point cctbx at it while the context lasts: Servalcat and gemmi want the original."""
    library = build(folder, dictionaries)
    values = {"MMTBX_CCP4_MONOMER_LIB": str(library), "CLIBD_MON": str(library) + os.sep}
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _rewrite(path: Path, copy: Path) -> None:
    document = gemmi.cif.read(str(path))
    for block in document:
        names = [gemmi.cif.as_string(value) for value in block.find_values("_chem_comp_atom.atom_id")]
        _mark_aromatic_hydrogens(block)
        translated = _translation(path.stem, names)
        for item in block:
            if item.loop is not None:
                _translate_loop(item.loop, translated)
    document.write_file(str(copy))


def _translation(code: str, names: "list[str]") -> dict[str, str]:
    from iotbx.pdb.atom_name_interpretation import interpreters

    interpreter = interpreters.get(code)
    if interpreter is None or not names:
        return {}
    matched = interpreter.match_atom_names(names).mon_lib_names()
    return {name: new for name, new in zip(names, matched) if new is not None and new != name}


def _translate_loop(loop: gemmi.cif.Loop, translated: dict[str, str]) -> None:
    for column, tag in enumerate(loop.tags):
        if "atom_id" not in tag and not tag.endswith(_TREE_TAGS):
            continue
        for row in range(loop.length()):
            value = gemmi.cif.as_string(loop[row, column])
            if value in translated:
                loop[row, column] = gemmi.cif.quote(translated[value])


def _mark_aromatic_hydrogens(block: gemmi.cif.Block) -> None:
    """Give hydrogens on aromatic carbons an energy type of their own, as they have a smaller radius."""
    types = {
        gemmi.cif.as_string(row[0]): gemmi.cif.as_string(row[1])
        for row in block.find("_chem_comp_atom.", ["atom_id", "type_energy"])
    }
    aromatic = set()
    for row in block.find("_chem_comp_bond.", ["atom_id_1", "atom_id_2"]):
        first, second = (gemmi.cif.as_string(value) for value in row)
        for carbon, other in ((first, second), (second, first)):
            if types.get(carbon) in _AROMATIC_C and types.get(other) == "H":
                aromatic.add(other)
    for row in block.find("_chem_comp_atom.", ["atom_id", "type_energy"]):
        if gemmi.cif.as_string(row[0]) in aromatic:
            row[1] = _AROMATIC_H[1]


def _rewrite_radii(path: Path, copy: Path) -> None:
    document = gemmi.cif.read(str(path))
    for block in document:
        for row in block.find("_lib_atom.", ["type", "element", "vdw_radius"]):
            radius = _radius(gemmi.cif.as_string(row[0]), gemmi.cif.as_string(row[1]).upper())
            if radius is not None:
                row[2] = f"{radius:.3f}"
    document.write_file(str(copy))


def _radius(kind: str, element: str) -> float | None:
    if element == "C":
        return _RADIUS_C_AROMATIC if kind in _AROMATIC_C else _RADIUS_C
    if element in ("H", "D"):
        return _RADIUS_H_AROMATIC if kind in _AROMATIC_H else _RADIUS_H
    return _RADIUS_BY_ELEMENT.get(element)
