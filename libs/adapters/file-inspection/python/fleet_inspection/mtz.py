"""Facts of MTZ files."""

import math
import re

import gemmi
import numpy as np

from .columns import Column, column_notes
from .crystal import agreed_group, cell_facts
from .faults import MTZ_COLUMNS, MTZ_RECORDS, REFLECTION_BYTES, bounded, corrupt, own_words, too_complex, too_large
from .reflections import is_unmerged, is_unscaled, reflection_facts, with_notes


def _mtz_symmetry(path: str) -> list[str]:
    """
    The operators of the header's SYMM records, which gemmi does not expose. Raises FileFault `corrupt` for a header without its last
    record.
    """
    with open(path, "rb") as file:
        start = file.read(20)
        order = "big" if start[8] >> 4 == 1 else "little"
        words = int.from_bytes(start[4:8], order, signed=True)
        # Files beyond 8 GiB store the offset in a 64-bit word.
        file.seek(4 * ((words if words != -1 else int.from_bytes(start[12:20], order)) - 1))
        header = file.read(80 * MTZ_RECORDS).decode("latin-1")
    records = [header[at : at + 80] for at in range(0, len(header), 80)]
    if not any(record.startswith("END") for record in records):
        raise corrupt("its header has no END record: it is damaged or cut off")
    found = (re.match(r"SYMM\s+([-+xyz0-9/,. ]+)", record, re.I) for record in records)
    return [match[1].strip() for match in found if match]


def _checked_mtz(path: str, size: int) -> gemmi.Mtz:
    try:
        mtz = gemmi.read_mtz_file(path, with_data=False)
    except (RuntimeError, ValueError) as error:
        raise corrupt(f"it is damaged or cut off: {own_words(error, path)}") from error
    if len(mtz.columns) > MTZ_COLUMNS:
        raise too_complex(f"its header names more than {MTZ_COLUMNS:,} columns", f"at most {MTZ_COLUMNS:,} columns")
    if len(mtz.columns) == 0 or mtz.nreflections <= 0:
        raise corrupt("its header, at the end of the file, names no columns or no reflections: it is damaged or cut off")
    needed = 80 + len(mtz.columns) * mtz.nreflections * 4
    if needed > size:
        raise corrupt(f"it is too short for the {mtz.nreflections} reflections that its header declares: it is cut off")
    if needed > REFLECTION_BYTES:
        raise too_large("a list of reflections", REFLECTION_BYTES)
    try:
        return gemmi.read_mtz_file(path)
    except (RuntimeError, ValueError) as error:
        raise corrupt(f"it is damaged or cut off: {own_words(error, path)}") from error


def mtz_facts(path: str, size: int) -> dict:
    """Facts of an MTZ file; raises FileFault `corrupt` or `too_complex`."""
    mtz = _checked_mtz(path, size)
    labels = bounded([column.label for column in mtz.columns], MTZ_COLUMNS, "columns")
    values = np.array(mtz.array, dtype=np.float32)
    if math.isfinite(mtz.valm):
        values[values == np.float32(mtz.valm)] = np.nan
    columns = [Column(column.label, column.type, values[:, at]) for at, column in enumerate(mtz.columns)]
    places = [at for at, column in enumerate(columns) if column.kind == "H"][:3]
    hkl = np.zeros((len(values), 3), dtype=np.int64)
    if len(places) == 3:
        hkl = np.nan_to_num(values[:, places]).round().clip(-2047, 2047).astype(np.int64)
    cell = mtz.get_cell()
    symmetry, group, notes = agreed_group(mtz.spacegroup_name, mtz.spacegroup_number, _mtz_symmetry(path), cell)
    if len(labels) < len(columns):
        notes.append("Several of its columns have the same label, and programs cannot choose between them: rename them.")
    unmerged = len(mtz.batches) > 0 or is_unmerged(hkl)
    facts = reflection_facts(columns, hkl, cell, group, unmerged, unmerged and is_unscaled(columns))
    notes += column_notes(columns, facts["observations"])
    return with_notes({"format": "mtz", **cell_facts(cell), **symmetry, "mtz": facts}, notes)
