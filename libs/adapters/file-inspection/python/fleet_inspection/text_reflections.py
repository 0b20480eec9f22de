"""Facts of reflection data in text: XDS_ASCII and scalepack."""

import re

import gemmi
import numpy as np

from .columns import Column
from .crystal import cell_facts, group_facts, space_group_named
from .faults import REFLECTION_BYTES, FileFault, corrupt, own_words, too_large
from .reflections import reflection_facts


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


# Facts of a list whose values were not read.
UNREAD = {"reflections": 0, "highResolution": 0, "lowResolution": 0, "columns": [], "mapCoefficients": [], "phases": []}


def scalepack_facts(lines: list[str]) -> dict | None:
    """
    Facts of a scalepack file: merged (`    1`, ` -987` or the like, then cell and space group), or unmerged (number of operators and space group, then
    two lines of integers per operator). None for anything else; raises FileFault `corrupt` for one that only begins as such a file.
    """
    head = [line[:256] for line in lines[:3]]
    # The second line is -987 or another such number (HKL-2000 writes -985 too); iotbx ignores it.
    if len(head) > 1 and head[0].strip() == "1" and re.fullmatch(r"\s*-9\d\d\s*", head[1]):
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
    note = "Unmerged data of scalepack, without a cell. Give the merged file, or an MTZ file made of it with the cell."
    facts = {**UNREAD, "observations": [], "unmerged": True}
    return {"format": "scalepack", **group_facts(name, space_group_named(name)), "mtz": facts, "notes": [note]}


def _is_positive(text: str) -> bool:
    return re.fullmatch(r"\s*\d*\.?\d+\s*", text) is not None and float(text) > 0


def _is_operator(line: str) -> bool:
    return re.fullmatch(r"[\s\d-]+", line) is not None and 3 <= len(re.findall(r"-?\d+", line)) <= 9
