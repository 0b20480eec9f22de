"""Definition of a component: from the Chemical Component Dictionary (biotite carries it), from SMILES, or from a CIF file."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gemmi

from open_phenix.core.errors import Sorry

_CODE = re.compile(r"[A-Z0-9]{1,5}")
_COMPONENT = ("id", "name", "type", "pdbx_type", "formula", "three_letter_code")
_ATOM = ("comp_id", "atom_id", "alt_atom_id", "type_symbol", "charge", "pdbx_aromatic_flag", "pdbx_leaving_atom_flag",
         "pdbx_stereo_config", "model_Cartn_x", "model_Cartn_y", "model_Cartn_z", "pdbx_model_Cartn_x_ideal",
         "pdbx_model_Cartn_y_ideal", "pdbx_model_Cartn_z_ideal")
_BOND = ("comp_id", "atom_id_1", "atom_id_2", "value_order", "pdbx_aromatic_flag", "pdbx_stereo_config")


@dataclass(frozen=True)
class Component:
    """Input of AceDRG: `text` is a CIF file, or SMILES. `key` identifies equal components; `origin` is a phrase for the log."""

    code: str
    text: str
    is_smiles: bool
    key: str
    origin: str

    @property
    def block(self) -> Any:
        """The data block of a CIF text that describes the atoms (gemmi)."""
        document = gemmi.cif.read_string(self.text)
        return next(block for block in document if block.find_values("_chem_comp_atom.atom_id"))

    @property
    def atoms(self) -> "dict[str, str]":
        """Atom name to element, of a CIF text."""
        table = self.block.find("_chem_comp_atom.", ["atom_id", "type_symbol"])
        return {gemmi.cif.as_string(row[0]): gemmi.cif.as_string(row[1]) for row in table}

    @property
    def bonds(self) -> "list[tuple[tuple[str, str], tuple[str, str]]]":
        """The bonds of a CIF text as pairs of (name, element)."""
        atoms = self.atoms
        table = self.block.find("_chem_comp_bond.", ["atom_id_1", "atom_id_2"])
        pairs = [[gemmi.cif.as_string(value) for value in row] for row in table]
        return [((one, atoms[one]), (other, atoms[other])) for one, other in pairs]

    @property
    def has_coordinates(self) -> bool:
        """Whether a CIF text has ideal coordinates of every atom, so that no conformer has to be searched for."""
        if self.is_smiles:
            return False
        values = self.block.find_values("_chem_comp_atom.pdbx_model_Cartn_x_ideal")
        return len(values) > 0 and not any(gemmi.cif.is_null(value) for value in values)


def checked_code(text: str) -> str:
    """A component code, 1 to 5 capital letters or digits; anything else is Sorry."""
    if not _CODE.fullmatch(text):
        raise Sorry(f"{text!r} is not a component code (1 to 5 capital letters or digits)")
    return text


def of_dictionary(code: str) -> Component:
    """The component of the Chemical Component Dictionary; Sorry if there is none with atoms under that code."""
    from biotite.structure.info.ccd import get_ccd

    dictionary = get_ccd()
    document = gemmi.cif.Document()
    block = document.add_new_block(code)
    about = _rows(dictionary["chem_comp"], "id", code, _COMPONENT)
    atoms = _rows(dictionary["chem_comp_atom"], "comp_id", code, _ATOM)
    if not about or not atoms:
        raise Sorry(f"{code} is not in the Chemical Component Dictionary: give its SMILES or a restraint dictionary")
    for tag, value in zip(_COMPONENT, about[0]):
        block.set_pair(f"_chem_comp.{tag}", value)
    _add_loop(block, "_chem_comp_atom.", _ATOM, atoms)
    bonds = _rows(dictionary["chem_comp_bond"], "comp_id", code, _BOND)
    if bonds:
        _add_loop(block, "_chem_comp_bond.", _BOND, bonds)
    return Component(code, document.as_string(), False, code, "the Chemical Component Dictionary")


def of_smiles(smiles: str, code: str) -> Component:
    """The component of SMILES, known by their canonical form; Sorry if RDKit cannot read them."""
    from rdkit import Chem, RDLogger

    RDLogger.DisableLog("rdApp.*")
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None or molecule.GetNumAtoms() == 0:
        raise Sorry(f"RDKit cannot read the SMILES of {code}: {smiles}")
    if len(Chem.GetMolFrags(molecule)) > 1:
        raise Sorry(f"The SMILES of {code} describe several molecules ({smiles}): give one, without counter-ions")
    canonical = Chem.MolToSmiles(molecule)
    return Component(code, canonical, True, f"{code}-smiles-{_digest(canonical)}", f"the SMILES {canonical}")


def of_file(path: Path, own: str, code: str) -> Component:
    """The component `own` that a submitted CIF file describes without ideal values, under the code `code`; Sorry without bonds."""
    for block in gemmi.cif.read(str(path)):
        if own in [gemmi.cif.as_string(value) for value in block.find_values("_chem_comp_atom.comp_id")]:
            if not block.find_values("_chem_comp_bond.atom_id_1") and len(block.find_values("_chem_comp_atom.atom_id")) > 1:
                raise Sorry(f"{path.name} has no bonds of {own}")
            return _named(block, code, path.name)
    raise Sorry(f"{own} is not in {path.name}")


def renamed(component: Component, code: str) -> Component:
    """The component of a CIF text under another code."""
    return _named(component.block, code, f"{component.code} of {component.origin}")


def _named(block: Any, code: str, origin: str) -> Component:
    document = gemmi.cif.Document()
    copy = document.add_copied_block(block)
    copy.name = code
    for tag in ("_chem_comp_atom.comp_id", "_chem_comp_bond.comp_id"):
        column = copy.find_values(tag)
        for index in range(len(column)):
            column[index] = code
    for tag, value in (("type", "NON-POLYMER"), ("name", code)):
        if copy.find_value(f"_chem_comp.{tag}") is None:
            copy.set_pair(f"_chem_comp.{tag}", value)
    for tag in ("id", "three_letter_code"):
        copy.set_pair(f"_chem_comp.{tag}", code)
    text = document.as_string()
    return Component(code, text, False, f"{code}-file-{_digest(text)}", origin)


def _rows(category: Any, key: str, code: str, columns: "tuple[str, ...]") -> "list[list[str]]":
    """The rows of one component. Only their values become text: the category has two million rows."""
    found = (category[key].data.array == code).nonzero()[0]
    return [list(row) for row in zip(*(_values(category[column], found) for column in columns))]


def _values(column: Any, rows: Any) -> "list[str]":
    values = [_quoted(str(value)) for value in column.data.array[rows]]
    if column.mask is None:
        return values
    return ["?" if missing else value for value, missing in zip(values, column.mask.array[rows])]


def _quoted(value: str) -> str:
    return value if value in ("?", ".") else gemmi.cif.quote(value) if value else "?"


def _add_loop(block: Any, prefix: str, columns: "tuple[str, ...]", rows: "list[list[str]]") -> None:
    loop = block.init_loop(prefix, list(columns))
    for row in rows:
        loop.add_row(row)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]
