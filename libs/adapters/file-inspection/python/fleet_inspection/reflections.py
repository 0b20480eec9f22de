"""Facts of reflection data of any format: from the values of the columns, not from the header."""

import math

import gemmi
import numpy as np

from .columns import Column, is_test_set, map_coefficients, observations, phases
from .free_sets import free_set


def _resolution(cell: gemmi.UnitCell, hkl: np.ndarray, measured: np.ndarray) -> dict:
    """Resolution limits of the measured reflections in Å, from the indices; 0 if they cannot be calculated."""
    used = hkl[measured] if measured.any() else hkl
    used = used[(used != 0).any(axis=1)]
    if len(used) == 0 or not cell.is_crystal():
        return {"highResolution": 0, "lowResolution": 0}
    reciprocal = cell.calculate_1_d2_array(used.astype(np.int32))
    high, low = (round(1 / math.sqrt(value), 4) for value in (reciprocal.max(), reciprocal.min()))
    return {"highResolution": high, "lowResolution": low}


def is_unmerged(hkl: np.ndarray) -> bool:
    """Whether the measurements of a reflection are listed separately; a merged file lists each once, or its Friedel mates separately."""
    return hkl.any() and len(np.unique(hkl, axis=0)) < 0.9 * len(hkl)


def is_unscaled(columns: list[Column]) -> bool:
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
    flags = [column for column in columns if is_test_set(column)]
    hashes = free_set(flags[0].values, hkl, group) if flags else None
    empty = [column.label for column in columns if column.kind not in "HBY" and not column.holds_data()]
    return {
        "reflections": len(hkl),
        **_resolution(cell, hkl, measured),
        "columns": [{"label": column.label, "type": column.kind} for column in columns],
        "observations": found,
        "mapCoefficients": map_coefficients(columns),
        "phases": phases(columns)[0],
        **({"freeFlag": flags[0].label} if flags else {}),
        **({"otherFreeFlags": [column.label for column in flags[1:]]} if len(flags) > 1 else {}),
        **({"freeSet": hashes} if hashes else {}),
        **({"unmerged": True} if unmerged else {}),
        **({"unscaled": True} if unscaled else {}),
        **({"withoutValues": empty} if empty else {}),
    }


def with_notes(facts: dict, notes: list[str]) -> dict:
    """The facts, with these sentences if there are any."""
    return {**facts, "notes": notes} if notes else facts
