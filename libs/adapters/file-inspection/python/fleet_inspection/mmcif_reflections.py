"""Facts of structure factors in mmCIF."""

import math

import gemmi
import numpy as np

from .columns import Column, column_notes, is_test_set
from .crystal import cell_facts, group_facts
from .faults import corrupt
from .reflections import is_unmerged, reflection_facts, with_notes

# Items of the mmCIF category _refln, in the order of arrays in MTZ files, with the types that they have there (mmCIF dictionary).
REFLN_ITEMS = [
    ("F_meas_au", "F"), ("F_meas_sigma_au", "Q"), ("F_meas", "F"), ("F_meas_sigma", "Q"),
    ("pdbx_F_plus", "G"), ("pdbx_F_plus_sigma", "L"), ("pdbx_F_minus", "G"), ("pdbx_F_minus_sigma", "L"),
    ("intensity_meas", "J"), ("intensity_sigma", "Q"), ("F_squared_meas", "J"), ("F_squared_sigma", "Q"),
    ("pdbx_I_plus", "K"), ("pdbx_I_plus_sigma", "M"), ("pdbx_I_minus", "K"), ("pdbx_I_minus_sigma", "M"),
    ("pdbx_r_free_flag", "I"), ("status", "I"),
    ("pdbx_FWT", "F"), ("pdbx_PHWT", "P"), ("pdbx_DELFWT", "F"), ("pdbx_DELPHWT", "P"),
    ("phase_meas", "P"), ("pdbx_HL_A_iso", "A"), ("pdbx_HL_B_iso", "A"), ("pdbx_HL_C_iso", "A"), ("pdbx_HL_D_iso", "A"),
    ("F_calc_au", "F"), ("F_calc", "F"), ("phase_calc", "P"),
]  # fmt: skip


def _refln_column(block: gemmi.ReflnBlock, tag: str, kind: str) -> Column:
    if tag == "status":
        words = [gemmi.cif.as_string(value) for value in block.block.find_values("_refln.status")]
        flags = np.array([{"o": 0.0, "f": 1.0}.get(word, math.nan) for word in words])
        return Column("_refln.status", kind, flags)
    return Column(f"_refln.{tag}", kind, np.array(block.make_float_array(tag), dtype=np.float64))


# Items that separate the arrays of one loop, in the order in which cctbx puts them into their labels.
SEPARATORS = ("crystal_id", "scale_group_code", "wavelength_id")


def _first_array(block: gemmi.ReflnBlock) -> tuple[np.ndarray, str, list[str]]:
    """The rows of the first crystal and wavelength in a loop of several, the end of its labels in cctbx, and those of the others."""
    named = [tag for tag in SEPARATORS if tag in block.column_labels()]
    given = {tag: [gemmi.cif.as_string(value) for value in block.block.find_values(f"_refln.{tag}")] for tag in named}
    several = [tag for tag in named if len(set(given[tag])) > 1]
    if not several:
        return np.ones(len(block.make_miller_array()), dtype=bool), "", []
    words = ["".join(f",{tag}={value}" for tag, value in zip(several, row)) for row in zip(*(given[tag] for tag in several))]
    first, *others = dict.fromkeys(words)
    return np.array([word == first for word in words]), first, others


def _refln_facts(block: gemmi.ReflnBlock) -> dict:
    try:
        hkl = np.array(block.make_miller_array(), dtype=np.int64).clip(-2047, 2047)
    except RuntimeError as error:
        raise corrupt(f"its reflections cannot be read: {str(error)[:200]}") from error
    rows, end, others = _first_array(block)
    labels, hkl = set(block.column_labels()), hkl[rows]
    columns = [_refln_column(block, tag, kind) for tag, kind in REFLN_ITEMS if tag in labels]
    columns = [Column(column.label, column.kind, column.values[rows]) for column in columns]
    # The status repeats the flags.
    if any(is_test_set(column) for column in columns if column.label != "_refln.status"):
        columns = [column for column in columns if column.label != "_refln.status"]
    unmerged = block.is_unmerged() or is_unmerged(hkl)
    facts = reflection_facts(columns, hkl, block.cell, block.spacegroup, unmerged)
    found = facts["observations"]
    notes = column_notes(columns, found)
    if end:
        words = [word[1:].replace(",", " ") for word in (end, *others)]
        notes.append(f"Its data are of several crystals or wavelengths. Used: {words[0]}, the first. Not used: {', '.join(words[1:21])}.")
        facts["observations"] = [{**one, "labels": one["labels"] + end} for one in found]
        facts["otherArrays"] = [one["labels"] + other for one in found for other in others[:20]]
    symmetry = group_facts(block.block.find_value("_symmetry.space_group_name_H-M"), block.spacegroup)
    return with_notes({**cell_facts(block.cell), **symmetry, "mtz": facts}, notes)


def refln_facts(document: gemmi.cif.Document) -> dict | None:
    """
    Facts of the first block with observations, otherwise of the first with reflections; the others are listed in a note.
    None if no block has reflections.
    """
    blocks = [block for block in gemmi.as_refln_blocks(document) if block.default_loop is not None]
    if not blocks:
        return None
    read = [(block.block.name, _refln_facts(block)) for block in blocks]
    chosen = next((at for at, (_, facts) in enumerate(read) if facts["mtz"]["observations"]), 0)
    name, facts = read[chosen]
    used = _block_words(name, facts)
    arrays = [one["labels"] for at, (_, block) in enumerate(read) if at != chosen for one in block["mtz"]["observations"]]
    arrays += facts["mtz"].get("otherArrays", [])
    if arrays:
        # cctbx prefixes the labels of each array with the name of the block.
        named = [{**one, "labels": f"{name},{one['labels']}"} for one in facts["mtz"]["observations"]]
        facts["mtz"] = {**facts["mtz"], "observations": named, "otherArrays": arrays}
    others = [_block_words(*one) for at, one in enumerate(read) if at != chosen]
    blocks = [f"The file holds several blocks. Used: {used}, the first with observations. Not used: {', '.join(others[:20])}."] if others else []
    return with_notes({"format": "mmcif-reflections", **facts}, [*blocks, *facts.get("notes", [])])


def _block_words(name: str, facts: dict) -> str:
    mtz = facts["mtz"]
    what = ", ".join(one["labels"] for one in mtz["observations"]) or "no observations"
    cell = " ".join(f"{value:g}" for value in facts.get("cell", [])) or "none"
    return f"{name[:40]} ({what}; cell {cell})"
