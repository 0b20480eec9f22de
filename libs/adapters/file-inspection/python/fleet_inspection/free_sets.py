"""The free set of reflection data in a form that can be compared between files."""

import gemmi
import numpy as np


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
