"""Facts of models (PDB, mmCIF) and of dictionaries of restraints."""

import math
import re

import gemmi
import numpy as np

from .crystal import cell_facts, group_facts, space_group_named
from .faults import CHAINS, KINDS, MODEL_BYTES, bounded, corrupt, own_words, too_large
from .sequences import KEPT_LETTERS, different_chains

# Common names that gemmi's table does not list as standard residues or as water.
STANDARD = set("ASX GLX UNK HIP HIE HID CYX MSE SEC PYL N DN I DI T DT".split())
LETTERS = {"HIP": "H", "HIE": "H", "HID": "H", "CYX": "C"}
WATERS = {"WAT", "DOD", "H2O", "TIP", "TIP3", "OH2"}
# Polyatomic ions from buffers; ions of one atom need no list.
IONS = {"SO4", "PO4", "NO3", "NH4", "CO3", "BCT", "SCN", "AZI", "CYN", "PER", "OH"}
PREDICTORS = re.compile(
    r"alphafold|colabfold|esmfold|esm_?fold|rosettafold|openfold|omegafold|helixfold|\bboltz|\bchai(-?1|discovery|[ _-]lab)"
    r"|protenix|trrosetta|i-tasser|\bplddt|modelcif|predicted structure",
    re.I,
)
LARGEST_B = 1e6  # maximum B value in Å²; a larger number is invalid
END_RESIDUES = 5  # at each end of a chain: the least confident of a prediction, with the highest B values in a structure
MIN_CONFIDENCE = 0.5  # of the scale of pLDDT: a prediction below it is unreliable, while B values in Å² are mostly lower
ATOM_MARGIN = 0.02  # of the scale of pLDDT: with a value per atom, the ends are below the mean by this much. Our own limit
SURER_ENDS = 0.05  # of the scale of pLDDT: the ends may be more confident than the rest by this much, as after trimming. Our own limit


def _is_polymer(residue: gemmi.Residue, info: gemmi.ResidueInfo, atoms: set[str]) -> bool:
    if {"N", "CA", "C"} <= atoms:
        return True
    if info.is_amino_acid() or residue.name in LETTERS:
        return "CA" in atoms
    if info.is_nucleic_acid():
        return not atoms.isdisjoint({"C1'", "P", "C1*"})
    return residue.het_flag != "H" and {"C1'", "C3'"} <= atoms


def _letter(name: str, info: gemmi.ResidueInfo, atoms: set[str]) -> str | None:
    if info.is_amino_acid() or name in LETTERS:
        return LETTERS.get(name) or info.one_letter_code.strip().upper() or "X"
    return "X" if "CA" in atoms else None


class _Tally:
    """Counts the content of the first model of a file, residue by residue."""

    def __init__(self):
        self.polymer = self.nucleic = self.waters = self.letters = 0
        self.ligands: dict[str, None] = {}
        self.modified: dict[str, None] = {}
        self.chains: dict[str, list[str]] = {}
        self.values: list[np.ndarray] = []
        self.residues: list[tuple[str, np.ndarray]] = []

    def add(self, chain: str, residue: gemmi.Residue) -> None:
        info = gemmi.find_tabulated_residue(residue.name)
        names = {atom.name for atom in residue}
        values = np.array([atom.b_iso for atom in residue], dtype=np.float64)
        self.values.append(values)
        if info.is_water() or residue.name in WATERS:
            self.waters += 1
        elif _is_polymer(residue, info, names):
            self.polymer += 1
            self.nucleic += not names.isdisjoint({"C1'", "C1*"})
            self._add_letter(chain, _letter(residue.name, info, names))
            if not info.is_standard() and residue.name not in STANDARD:
                self.modified[residue.name] = None
            if len(residue) > 1:
                self.residues.append((chain, values))
        elif len(names) > 1 and residue.name not in IONS:
            # A single atom is an ion or a heavy-atom site.
            self.ligands[residue.name] = None

    def _add_letter(self, chain: str, letter: str | None) -> None:
        # A symmetric assembly has many times more letters than different chains; a longer file is not a search model.
        if letter is None or self.letters > 20 * KEPT_LETTERS:
            return
        self.letters += 1
        self.chains.setdefault(chain, []).append(letter)

    def sequences(self) -> list[str] | None:
        return None if self.letters > 20 * KEPT_LETTERS else different_chains("".join(part) for part in self.chains.values())


def _ends(residues: list[tuple[str, np.ndarray]]) -> np.ndarray:
    """Means of the residues at the ends of the chains."""
    means: dict[str, list[float]] = {}
    for chain, values in residues:
        means.setdefault(chain, []).append(float(values.mean()))
    return np.array([value for of_chain in means.values() for value in {*of_chain[:END_RESIDUES], *of_chain[-END_RESIDUES:]}])


def looks_predicted(tally: _Tally) -> bool:
    """
    The B column of a prediction contains pLDDT: from 0 to 100 (or 0 to 1), different between residues, and only polymer has it. Some
    predictors write one value per residue, others one per atom. B values can look similar, but are generally lower, highest at the ends
    of chains, and have a tail of high values; pLDDT is lowest at the ends and has a tail of low values.
    """
    if len(tally.residues) < 5 or tally.waters > 0:
        return False
    values = np.concatenate([values for _, values in tally.residues])
    if not np.isfinite(values).all() or values.min() < 0 or values.max() > 100:
        return False
    scale = 1 if values.max() <= 1 else 100
    means = np.array([float(one.mean()) for _, one in tally.residues])
    mean, ends = means.mean(), _ends(tally.residues).mean()
    if len(np.unique(means.round(3))) < 5 or mean < MIN_CONFIDENCE * scale or ends > mean + SURER_ENDS * scale:
        return False
    by_residue = np.mean([np.ptp(one) == 0 for _, one in tally.residues]) >= 0.98
    return bool(by_residue or (np.median(values) >= values.mean() and ends <= mean - ATOM_MARGIN * scale))


def _said(structure: gemmi.Structure, words: list[str]) -> bool | None:
    """Whether the model was predicted according to its header or cell; None if neither tells."""
    method = structure.info["_exptl.method"] if "_exptl.method" in structure.info else ""
    refined = any(re.match(r"REMARK +3 .*(REFINEMENT|R VALUE)", line) for line in structure.raw_remarks)
    if refined or re.search(r"diffraction|microscopy|nmr", method, re.I) or structure.meta.refinement:
        return False
    has_cell = bool(cell_facts(structure.cell))
    if any(PREDICTORS.search(text[:2_000]) for text in words):
        # Words outlive a search (Phaser names its ensembles) and a rebuild, the confidence in the B column does not.
        return None if has_cell else True
    return False if has_cell else None


def model_facts(structure: gemmi.Structure, kind: str, said: list[str]) -> dict | None:
    """
    Facts of the first model in a file; None without atoms. `said`: the statements of its header about its origin.
    Raises FileFault `too_complex`.
    """
    if len(structure) == 0 or structure[0].count_atom_sites() == 0:
        return None
    tally = _Tally()
    for chain in structure[0]:
        for residue in chain:
            tally.add(chain.name, residue)
    known = np.concatenate(tally.values)
    known = known[np.isfinite(known) & (np.abs(known) <= LARGEST_B)]
    predicted = _said(structure, [*said, *structure.raw_remarks[:200], *structure.info.values()])
    sequences = tally.sequences()
    group = space_group_named(structure.spacegroup_hm, structure.cell) if structure.spacegroup_hm else None
    cell = cell_facts(structure.cell)
    model = {
        "atoms": structure[0].count_atom_sites(),
        "chains": bounded((chain.name for chain in structure[0]), CHAINS, "chains"),
        "polymerResidues": tally.polymer,
        **({"nucleicResidues": tally.nucleic} if tally.nucleic else {}),
        "waters": tally.waters,
        "ligandCodes": bounded(tally.ligands, KINDS, "kinds of ligands"),
        **({"modifiedResidues": bounded(tally.modified, KINDS, "kinds of modified residues")} if tally.modified else {}),
        "predicted": looks_predicted(tally) if predicted is None else predicted,
        "meanB": round(float(known.mean()), 2) if known.size else 0,
        **({"sequences": sequences} if sequences else {}),
    }
    group_words = group_facts(structure.spacegroup_hm, group) if cell else {}
    notes = [f"It holds {len(structure)} models. Only the first is described here."] if len(structure) > 1 else []
    return {"format": kind, **cell, **group_words, "model": model, **({"notes": notes} if notes else {})}


def _unrestored(structure: gemmi.Structure) -> list[str]:
    """Codes that stay shortened: `~LU` where no HETNAM record gives it in full."""
    if len(structure) == 0:
        return []
    return list(dict.fromkeys(residue.name for chain in structure[0] for residue in chain if residue.name.startswith("~")))


def pdb_facts(path: str, size: int) -> dict | None:
    """Facts of a PDB file, with the full component codes of HETNAM (`~LU` is A1LU6)."""
    if size > MODEL_BYTES:
        raise too_large("a model", MODEL_BYTES)
    try:
        structure = gemmi.read_structure(path, format=gemmi.CoorFormat.Pdb)
    except (RuntimeError, ValueError) as error:
        raise corrupt(f"it cannot be read as PDB: {own_words(error, path)}") from error
    structure.restore_full_ccd_codes()
    with open(path, encoding="latin-1") as file:
        head = file.read(262_144).split("\nATOM", 1)[0].splitlines()
    said = [line for line in head if re.match(r"HEADER|TITLE|COMPND|REMARK|SOURCE|KEYWDS|AUTHOR", line)]
    facts = model_facts(structure, "pdb", said)
    codes = _unrestored(structure)
    if facts is None or not codes:
        return facts
    note = (
        f"Component codes that are shortened, and not given in full by HETNAM records (columns 72 to 79): {', '.join(codes[:10])}. "
        "Which components they are is not known, so that no ligand with a longer code is fitted to the model: it may be there already. "
        "A model in mmCIF, or with these records, says which they are."
    )
    return {**facts, "notes": [*facts.get("notes", []), note]}


def _said_in(document: gemmi.cif.Document) -> list[str]:
    tags = ["_struct.title", "_struct.pdbx_descriptor", "_entry.id", "_software.name", "_ma_model_list.model_name"]
    return [gemmi.cif.as_string(value) for tag in tags for value in list(document[0].find_values(tag))[:50]]


def cif_model_facts(document: gemmi.cif.Document) -> dict | None:
    """Facts of the first block with atoms; None if there is none."""
    block = next((block for block in document if len(block.find_mmcif_category("_atom_site."))), None)
    if block is None:
        return None
    try:
        structure = gemmi.make_structure_from_block(block)
    except (RuntimeError, ValueError) as error:
        raise corrupt(f"its atoms cannot be read: {str(error)[:200]}") from error
    if len(structure) == 0:
        raise corrupt("its _atom_site loop has no coordinates")
    said = _said_in(document)
    # Items of the dictionary of predicted models (ModelCIF) identify a prediction.
    if any(name.startswith("_ma_qa_metric") for name in block.get_mmcif_category_names()):
        said.append("ModelCIF")
    return model_facts(structure, "mmcif-model", said)


def restraints_facts(document: gemmi.cif.Document) -> dict | None:
    """Component codes that a dictionary defines with their atoms; None if it defines none."""
    if not any(len(block.find_values("_chem_comp_atom.atom_id")) for block in document):
        return None
    if any(block.find_values("_chem_comp_bond.value_order") for block in document) and not any(
        block.find_values("_chem_comp_bond.value_dist") for block in document
    ):
        note = (
            "It describes a component as the PDB's dictionary does, without ideal distances and angles: it is not a dictionary of "
            "restraints. The component's code in the advice is enough, or restraints that phenix.elbow makes of it."
        )
        return {"format": "text", "notes": [note]}
    named = [block.name[5:] for block in document if block.name.lower().startswith("comp_") and block.name.lower() != "comp_list"]
    listed = [gemmi.cif.as_string(value) for block in document for value in block.find_values("_chem_comp.id")]
    codes = bounded(named or listed, KINDS, "components")
    return {"format": "restraints", "restraints": {"codes": codes}} if codes else None
