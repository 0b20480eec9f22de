"""AceDRG at work on one component: a restraint dictionary out of atoms and bonds.

Long et al. (2017), Acta Cryst. D73, 112. Targets come from its tables of small molecules, whatever the conformer; so ideal
coordinates of the Chemical Component Dictionary are taken as they are, and of SMILES five conformers are tried instead of twenty.
"""

import subprocess
from collections import deque
from pathlib import Path
from typing import Any

import gemmi

from open_phenix.core import processes
from open_phenix.core.errors import Sorry
from open_phenix.restraints.components import Component

CONFORMERS = "5"
_TARGET = "_chem_comp_bond.value_dist"
_TAIL = 3  # lines of the log in an error


def make(component: Component, folder: Path) -> Path:
    """The dictionary, made in `folder`; Sorry if AceDRG ends without one."""
    if not component.is_smiles and len(component.atoms) == 1:
        return _single_atom(component, folder)
    source = folder / ("input.smi" if component.is_smiles else "input.cif")
    source.write_text(component.text + "\n", encoding="utf-8")
    arguments = ["-i" if component.is_smiles else "-c", source.name, "-r", component.code, "-o", "made"]
    arguments += ["-p"] if component.has_coordinates else ["-j", CONFORMERS]
    last: deque[str] = deque(maxlen=_TAIL)
    log = folder / "acedrg.log"
    try:
        processes.run_logged(processes.engine_script("acedrg", *arguments), log, lambda line: _keep(last, line), cwd=folder)
    except subprocess.CalledProcessError as problem:
        raise Sorry(f"AceDRG cannot make restraints for {component.code} (exit code {problem.returncode}): {' / '.join(last)}"
                    ) from problem
    made = folder / "made.cif"
    if not made.is_file() or not has_targets(made, component.code):
        raise Sorry(f"AceDRG made no restraints for {component.code}: {' / '.join(last)}")
    _set_group(made, component.code)
    return made


def has_targets(path: Path, code: str) -> bool:
    """Whether the file restrains that component: ideal bonds, or a single atom."""
    for block in gemmi.cif.read(str(path)):
        names = [gemmi.cif.as_string(value) for value in block.find_values("_chem_comp_atom.comp_id")]
        if code in names:
            return len(names) == 1 or any(not gemmi.cif.is_null(value) for value in block.find_values(_TARGET))
    return False


def bonds_in(dictionary: Path, code: str) -> "list[tuple[tuple[str, str], tuple[str, str]]]":
    """The bonds of a component as pairs of (name, element)."""
    component = _component(dictionary, code)
    elements = {atom.id: atom.el.name.upper() for atom in component.atoms}
    return [((bond.id1.atom, elements[bond.id1.atom]), (bond.id2.atom, elements[bond.id2.atom])) for bond in component.rt.bonds]


def write_conformer(dictionary: Path, code: str, path: Path) -> int:
    """The conformer of the dictionary as a PDB file; the number of its atoms, hydrogens aside."""
    component = _component(dictionary, code)
    residue = gemmi.Residue()
    residue.name, residue.seqid, residue.het_flag = code, gemmi.SeqId(1, " "), "H"
    for given in component.atoms:
        atom = gemmi.Atom()
        atom.name, atom.element, atom.pos, atom.occ, atom.b_iso = given.id, given.el, given.xyz, 1.0, 20.0
        residue.add_atom(atom)
    structure, model, chain = gemmi.Structure(), gemmi.Model(1), gemmi.Chain("A")
    chain.add_residue(residue)
    model.add_chain(chain)
    structure.add_model(model)
    structure.setup_entities()
    structure.write_pdb(str(path))
    return sum(1 for atom in component.atoms if not atom.is_hydrogen())


def _keep(last: "deque[str]", line: str) -> None:
    if line.strip(" =|#-"):
        last.append(line.strip())


def _component(path: Path, code: str) -> Any:
    library = gemmi.MonLib()
    library.read_monomer_cif(str(path))
    return library.monomers[code]


def _single_atom(component: Component, folder: Path) -> Path:
    """An ion: nothing to restrain, so nothing for AceDRG to do."""
    (name, element), = component.atoms.items()
    document = gemmi.cif.Document()
    about = document.add_new_block("comp_list").init_loop(
        "_chem_comp.", ["id", "three_letter_code", "name", "group", "number_atoms_all", "number_atoms_nh", "desc_level"])
    about.add_row([component.code, component.code, component.code, "NON-POLYMER", "1", "1", "."])
    charge = component.block.find_values("_chem_comp_atom.charge")
    atom = document.add_new_block(f"comp_{component.code}").init_loop(
        "_chem_comp_atom.", ["comp_id", "atom_id", "type_symbol", "type_energy", "charge", "x", "y", "z"])
    atom.add_row([component.code, gemmi.cif.quote(name), element, element, charge[0] if len(charge) else "0", "0", "0", "0"])
    document.write_file(str(folder / "made.cif"))
    return folder / "made.cif"


def _set_group(path: Path, code: str) -> None:
    """The group by which gemmi and Servalcat find links, instead of the type that AceDRG copies for sugars and nucleotides."""
    document = gemmi.cif.read(str(path))
    row = next((row for block in document for row in block.find("_chem_comp.", ["id", "group"])
                if gemmi.cif.as_string(row[0]) == code), None)
    kind = "" if row is None else gemmi.cif.as_string(row[1]).lower()
    group = _sugar(_component(path, code)) if "saccharide" in kind else "DNA/RNA" if kind.startswith(("dna", "rna")) else None
    if row is not None and group is not None:
        row[1] = group
        document.write_file(str(path))


def _sugar(component: Any) -> str:
    """By the ring with one oxygen: of six atoms pyranose (ketopyranose if C2 is anomeric), of five furanose."""
    neighbours: dict[str, set[str]] = {atom.id: set() for atom in component.atoms}
    for bond in component.rt.bonds:
        neighbours[bond.id1.atom].add(bond.id2.atom)
        neighbours[bond.id2.atom].add(bond.id1.atom)
    elements = {atom.id: atom.el.name for atom in component.atoms}
    for oxygen in (name for name, element in elements.items() if element == "O"):
        carbons = sorted(name for name in neighbours[oxygen] if elements[name] == "C")
        if len(carbons) != 2:
            continue
        size = 1 + _path(neighbours, carbons[0], carbons[1], oxygen)
        anomeric = next((c for c in carbons if any(elements[o] == "O" for o in neighbours[c] - {oxygen})), "")
        if size == 6:
            return "ketopyranose" if anomeric == "C2" else "pyranose"
        if size == 5:
            return "furanose"
    return "NON-POLYMER"


def _path(neighbours: "dict[str, set[str]]", start: str, end: str, without: str) -> int:
    """Atoms on the shortest way from `start` to `end` that does not pass `without`; 0 if there is none."""
    length, reached, edge = 1, {start, without}, {start}
    while edge:
        if end in edge:
            return length
        edge = {name for one in edge for name in neighbours[one]} - reached
        reached |= edge
        length += 1
    return 0
