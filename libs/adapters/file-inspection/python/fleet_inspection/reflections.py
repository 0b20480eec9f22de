"""Facts of reflection data: MTZ, mmCIF, XDS_ASCII and scalepack. Columns are judged by their values, not by the header."""

import math
import re
from dataclasses import dataclass

import gemmi
import numpy as np

from .crystal import agreed_group, cell_facts, group_facts, space_group_named
from .faults import MTZ_COLUMNS, MTZ_RECORDS, REFLECTION_BYTES, FileFault, bounded, corrupt, own_words, too_complex, too_large


@dataclass
class Column:
    """One column of reflection data; `kind` is its type in the MTZ format (CCP4 `mtzformat`)."""

    label: str
    kind: str
    values: np.ndarray

    def holds_data(self) -> bool:
        """Whether it was measured: a column without values, or with one constant value, was filled in by a program."""
        known = self.values[np.isfinite(self.values)]
        return known.size > 0 and (known.size == 1 or bool(known.min() != known.max()))

    def holds_sigmas(self) -> bool:
        """Whether it holds standard uncertainties: some programs set all to one value, but zeros are none."""
        return bool((self.values[np.isfinite(self.values)] > 0).any())


# Column types that form observations, in file order; the longest match counts. Types, kind, anomalous.
ARRAYS = [
    ("GLGL", "amplitude", True),
    ("KMKM", "intensity", True),
    ("FQDQY", "amplitude", True),
    ("FQDQ", "amplitude", True),
    ("FQ", "amplitude", False),
    ("JQ", "intensity", False),
]
# Columns that a map program writes beside its coefficients, after scaling and outlier rejection: not observations.
CALCULATED = re.compile(r"model|calc(?!ium)|^fc(_|$)", re.I)
DERIVED = re.compile(rf"filtered|{CALCULATED.pattern}", re.I)
# REFMAC's combined phases (PHCOMB, HLACOMB) depend on the model too.
MODEL_PHASES = re.compile(r"^phic|phif?.?model|phase_calc|^(ph|hl[a-d])comb", re.I)
FREE_NAMES = re.compile(r"free|^r?test|cross.?val|_refln\.status$", re.I)
MOST_FLAGS = 100  # CCP4 creates 20 sets; a column with more values than this is not a test set


def _anomalous(columns: list[Column]) -> bool:
    """Whether Friedel mates, or their difference, were measured separately."""
    if len(columns) == 4 and columns[0].kind in "GK":
        plus, minus = columns[0].values, columns[2].values
        both = np.isfinite(plus) & np.isfinite(minus)
        return bool(both.any() and (plus[both] != minus[both]).any())
    return columns[2].holds_data()


def observations(columns: list[Column]) -> list[dict]:
    """Arrays of observations with their standard uncertainties; an array with an empty anomalous part without that part."""
    found, at = [], 0
    types = "".join(column.kind for column in columns)
    while at < len(columns):
        array = next((array for array in ARRAYS if types.startswith(array[0], at)), None)
        if array is None:
            at += 1
            continue
        letters, kind, anomalous = array
        parts = columns[at : at + len(letters)]
        at += len(letters)
        mates = letters[0] in "GK"
        measured = parts[0].holds_data() or (mates and parts[2].holds_data())
        known = parts[1].holds_sigmas() or (mates and parts[3].holds_sigmas())
        if DERIVED.search(parts[0].label) or not measured or not known:
            continue
        apart = anomalous and _anomalous(parts)
        if anomalous and not apart and letters[0] == "F":
            parts = parts[:2]
        found.append({"labels": ",".join(part.label for part in parts), "kind": kind, "anomalous": apart})
    return found


def _pairs(columns: list[Column], first: str, second: str):
    return [(one, two) for one, two in zip(columns, columns[1:]) if one.kind == first and two.kind == second]


def map_coefficients(columns: list[Column]) -> list[str]:
    """Pairs of amplitude and phase from which a map can be calculated; not from calculated structure factors only."""
    return [
        f"{one.label},{two.label}"
        for one, two in _pairs(columns, "F", "P")
        if not CALCULATED.search(one.label) and one.holds_data()
    ]


def phases(columns: list[Column]) -> list[str]:
    """Phases without a map and a model: PHIB, Hendrickson-Lattman coefficients."""
    of_maps = {two.label for _, two in _pairs(columns, "F", "P")}
    return [
        column.label
        for column in columns
        if (column.kind == "A" or (column.kind == "P" and column.label not in of_maps))
        and not MODEL_PHASES.search(column.label)
        and column.holds_data()
    ]


def _is_test_set(column: Column) -> bool:
    if column.kind != "I" or not FREE_NAMES.search(column.label):
        return False
    known = column.values[np.isfinite(column.values)]
    return 2 <= np.unique(known[: 1_000_000]).size <= MOST_FLAGS


def _column_notes(columns: list[Column], found: list[dict]) -> list[str]:
    """Sentences about columns that seem to be observations or flags, and that no program can use."""
    of_maps = {one.label for one, _ in _pairs(columns, "F", "P")}
    measured = [one for one in columns if one.kind in "FJGK" and one.label not in of_maps and one.holds_data()]
    bare = [one.label for one in measured if not DERIVED.search(one.label)]
    flags = [one.label for one in columns if one.kind == "I" and FREE_NAMES.search(one.label) and not _is_test_set(one)]
    return [
        *([f"Observations without standard uncertainties, which programs need: {', '.join(bare)}."] if bare and not found else []),
        *([f"No test set, because its flags are missing or all equal: {', '.join(flags)}."] if flags else []),
    ]


def _mixed(values: np.ndarray) -> np.ndarray:
    for _ in range(2):
        values = (values ^ (values >> np.uint32(16))) * np.uint32(0x45D9F3B)
    return values ^ (values >> np.uint32(16))


def asymmetric_index(hkl: np.ndarray, group: gemmi.SpaceGroup | None) -> np.ndarray:
    """One number for a reflection and all its equivalents by symmetry and Friedel's law: the largest of theirs."""
    rotations = {((24, 0, 0), (0, 24, 0), (0, 0, 24))}
    if group is not None:
        rotations |= {tuple(map(tuple, op.rot)) for op in group.operations().sym_ops}
    largest = np.zeros(len(hkl), dtype=np.int64)
    for rotation in rotations:
        h, k, l = (hkl @ (np.array(rotation) // 24)).T
        largest = np.maximum(largest, np.abs((h * 4096 + k) * 4096 + l))
    return largest


KEPT_HASHES = 48  # per set: enough to distinguish two random sets
FREE_SET_STEPS = 40_000_000  # reflections times symmetry operations: about a second


def free_set(flags: np.ndarray, hkl: np.ndarray, group: gemmi.SpaceGroup | None) -> str | None:
    """
    The free set in a few hundred characters, independent of asymmetric unit, order and flags: the smallest hashes of the free indices.
    Of two values the rarer one is free, as in PHENIX; of more than two it is 0, as in CCP4.
    """
    if not hkl.any():
        return None
    known = np.isfinite(flags)
    values, counts = np.unique(flags[known], return_counts=True)
    if group is not None and len(hkl) * len(group.operations().sym_ops) > FREE_SET_STEPS:
        return None
    if len(values) < 2 or (len(values) > 2 and not (values == 0).any()):
        return None
    free = values[np.argmin(counts)] if len(values) == 2 else 0
    index = asymmetric_index(hkl[known & (flags == free)], group)
    low, high = (index % 2**32).astype(np.uint32), (index // 2**32).astype(np.uint32)
    hashes = np.unique(_mixed(_mixed(low) ^ high))[:KEPT_HASHES]
    return " ".join(f"{value:08x}" for value in hashes)


def _resolution(cell: gemmi.UnitCell, hkl: np.ndarray, measured: np.ndarray) -> dict:
    """Resolution limits of the measured reflections in Å, from the indices; 0 if they cannot be calculated."""
    used = hkl[measured] if measured.any() else hkl
    used = used[(used != 0).any(axis=1)]
    if len(used) == 0 or not cell.is_crystal():
        return {"highResolution": 0, "lowResolution": 0}
    reciprocal = cell.calculate_1_d2_array(used.astype(np.int32))
    high, low = (round(1 / math.sqrt(value), 4) for value in (reciprocal.max(), reciprocal.min()))
    return {"highResolution": high, "lowResolution": low}


def _is_unmerged(hkl: np.ndarray) -> bool:
    """Whether the measurements of a reflection are listed separately; a merged file lists each once, or its Friedel mates separately."""
    return hkl.any() and len(np.unique(hkl, axis=0)) < 0.9 * len(hkl)


def _is_unscaled(columns: list[Column]) -> bool:
    """
    Whether unmerged columns are as MOSFLM and DIALS integrate: intensities by profile fitting (IPR) beside those by summation. AIMLESS and
    dials.scale leave one kind, and the scales beside it.
    """
    labels = {column.label for column in columns}
    return "IPR" in labels and "SCALEUSED" not in labels


def reflection_facts(
    columns: list[Column],
    hkl: np.ndarray,
    cell: gemmi.UnitCell,
    group: gemmi.SpaceGroup | None,
    unmerged: bool,
    unscaled: bool = False,
) -> dict:
    """All facts of the columns, in the form of the contract (`MtzFacts`)."""
    found = observations(columns)
    first = found[0]["labels"].split(",") if found else []
    of_first = [column for column in columns if column.label in first and column.kind in "FGJK"]
    measured = np.zeros(len(hkl), dtype=bool)
    for column in of_first:
        measured |= np.isfinite(column.values)
    flags = [column for column in columns if _is_test_set(column)]
    hashes = free_set(flags[0].values, hkl, group) if flags else None
    empty = [column.label for column in columns if column.kind not in "HBY" and not column.holds_data()]
    return {
        "reflections": len(hkl),
        **_resolution(cell, hkl, measured),
        "columns": [{"label": column.label, "type": column.kind} for column in columns],
        "observations": found,
        "mapCoefficients": map_coefficients(columns),
        "phases": phases(columns),
        **({"freeFlag": flags[0].label} if flags else {}),
        **({"otherFreeFlags": [column.label for column in flags[1:]]} if len(flags) > 1 else {}),
        **({"freeSet": hashes} if hashes else {}),
        **({"unmerged": True} if unmerged else {}),
        **({"unscaled": True} if unscaled else {}),
        **({"withoutValues": empty} if empty else {}),
    }


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
        raise corrupt("its header names no columns, or no reflections")
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
        notes.append("Several of its columns have the same label.")
    unmerged = len(mtz.batches) > 0 or _is_unmerged(hkl)
    facts = reflection_facts(columns, hkl, cell, group, unmerged, unmerged and _is_unscaled(columns))
    notes += _column_notes(columns, facts["observations"])
    return {"format": "mtz", **cell_facts(cell), **symmetry, "mtz": facts, **_notes(notes)}


def _notes(notes: list[str]) -> dict:
    return {"notes": notes} if notes else {}


# Items of the mmCIF category _refln, in the order of arrays in MTZ files, with the types that they have there (mmCIF dictionary).
REFLN_ITEMS = [
    ("F_meas_au", "F"), ("F_meas_sigma_au", "Q"), ("F_meas", "F"), ("F_meas_sigma", "Q"),
    ("pdbx_F_plus", "G"), ("pdbx_F_plus_sigma", "L"), ("pdbx_F_minus", "G"), ("pdbx_F_minus_sigma", "L"),
    ("intensity_meas", "J"), ("intensity_sigma", "Q"), ("F_squared_meas", "J"), ("F_squared_sigma", "Q"),
    ("pdbx_I_plus", "K"), ("pdbx_I_plus_sigma", "M"), ("pdbx_I_minus", "K"), ("pdbx_I_minus_sigma", "M"),
    ("pdbx_r_free_flag", "I"), ("status", "I"),
    ("pdbx_FWT", "F"), ("pdbx_PHWT", "P"), ("pdbx_DELFWT", "F"), ("pdbx_DELPHWT", "P"),
    ("phase_meas", "P"), ("pdbx_HL_A_iso", "A"), ("pdbx_HL_B_iso", "A"), ("pdbx_HL_C_iso", "A"), ("pdbx_HL_D_iso", "A"),
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
    if any(_is_test_set(column) for column in columns if column.label != "_refln.status"):
        columns = [column for column in columns if column.label != "_refln.status"]
    unmerged = block.is_unmerged() or _is_unmerged(hkl)
    facts = reflection_facts(columns, hkl, block.cell, block.spacegroup, unmerged)
    found = facts["observations"]
    notes = _column_notes(columns, found)
    if end:
        words = [word[1:].replace(",", " ") for word in (end, *others)]
        notes.append(f"Its data are of several crystals or wavelengths. Used: {words[0]}, the first. Not used: {', '.join(words[1:21])}.")
        facts["observations"] = [{**one, "labels": one["labels"] + end} for one in found]
        facts["otherArrays"] = [one["labels"] + other for one in found for other in others[:20]]
    return {
        **cell_facts(block.cell),
        **group_facts(block.block.find_value("_symmetry.space_group_name_H-M"), block.spacegroup),
        "mtz": facts,
        **_notes(notes),
    }


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
    return {"format": "mmcif-reflections", **facts, **_notes([*blocks, *facts.get("notes", [])])}


def _block_words(name: str, facts: dict) -> str:
    mtz = facts["mtz"]
    what = ", ".join(one["labels"] for one in mtz["observations"]) or "no observations"
    cell = " ".join(f"{value:g}" for value in facts.get("cell", [])) or "none"
    return f"{name[:40]} ({what}; cell {cell})"



def xds_facts(path: str, size: int) -> dict:
    """Facts of XDS files (XDS_ASCII.HKL, INTEGRATE.HKL): unmerged unless the header states merged."""
    if size > REFLECTION_BYTES:
        raise too_large("a list of reflections", REFLECTION_BYTES)
    try:
        xds = gemmi.read_xds_ascii(path)
    except (RuntimeError, ValueError) as error:
        raise corrupt(f"it begins as a file of XDS, and cannot be read: {own_words(error, path)}") from error
    with open(path, encoding="latin-1") as file:
        head = file.read(4_096)
    hkl = np.array(xds.miller_array, dtype=np.int64).clip(-2047, 2047)
    if len(hkl) == 0:
        raise corrupt("it has no reflections: it is cut off")
    cell = gemmi.UnitCell(*xds.cell_constants)
    group = gemmi.find_spacegroup_by_number(xds.spacegroup_number)
    unmerged = re.search(r"MERGE\s*=\s*TRUE", head) is None
    anomalous = re.search(r"FRIEDEL'S_LAW\s*=\s*FALSE", head) is not None
    columns = [Column("IOBS", "J", np.array(xds.iobs_array)), Column("SIGMA(IOBS)", "Q", np.array(xds.sigma_array))]
    facts = reflection_facts(columns, hkl, cell, group, unmerged, unscaled=xds.generated_by == "INTEGRATE")
    found = [{**one, "anomalous": anomalous} for one in facts["observations"]]
    return {"format": "xds-ascii", **cell_facts(cell), **group_facts(None, group), "mtz": {**facts, "observations": found}}


# Of a list whose values nobody has read.
UNREAD = {"reflections": 0, "highResolution": 0, "lowResolution": 0, "columns": [], "mapCoefficients": [], "phases": []}


def scalepack_facts(lines: list[str]) -> dict | None:
    """
    Facts of a scalepack file: merged (`    1`, ` -987`, then cell and space group), or unmerged (number of operators and space group, then
    two lines of integers per operator). None for anything else; raises FileFault `corrupt` for one that only begins as such a file.
    """
    head = [line[:256] for line in lines[:3]]
    if [line.strip() for line in head[:2]] == ["1", "-987"]:
        fields = head[2].split() if len(head) > 2 else []
        try:
            cell = cell_facts(gemmi.UnitCell(*map(float, fields[:6])))
        except (TypeError, ValueError):
            cell = {}
        if not cell or len(fields) < 7:
            reason = "it begins as a scalepack file, and its third line does not hold six numbers of a cell and a space group"
            raise FileFault("corrupt", reason, "a third line as scalepack writes it: six numbers and a space group")
        name = " ".join(fields[6:]).upper()
        # Three indices of 4 columns, then pairs of intensity and sigma of 8; the sigma of a mate that was not measured is -1.
        anomalous = any(_is_positive(line[20:28]) and _is_positive(line[36:44]) for line in lines[3:1_000])
        labels = "I(+),SIGI(+),I(-),SIGI(-)" if anomalous else "I,SIGI"
        facts = {**UNREAD, "observations": [{"labels": labels, "kind": "intensity", "anomalous": anomalous}]}
        return {"format": "scalepack", **cell, **group_facts(name, space_group_named(name)), "mtz": facts}
    first = re.fullmatch(r"\s*(\d{1,3})\s+([a-z][a-z0-9]*)\s*", head[0], re.I) if head else None
    if first is None or len(head) < 3 or not all(_is_operator(line) for line in head[1:]):
        return None
    name = first[2].upper()
    notes = ["It is unmerged, and holds no cell: merge it, or give the merged file."]
    measured = [{"labels": "I,SIGI", "kind": "intensity", "anomalous": False}]
    facts = {**UNREAD, "observations": measured, "unmerged": True}
    return {"format": "scalepack", **group_facts(name, space_group_named(name)), "mtz": facts, "notes": notes}


def _is_positive(text: str) -> bool:
    return re.fullmatch(r"\s*\d*\.?\d+\s*", text) is not None and float(text) > 0


def _is_operator(line: str) -> bool:
    return re.fullmatch(r"[\s\d-]+", line) is not None and 3 <= len(re.findall(r"-?\d+", line)) <= 9
