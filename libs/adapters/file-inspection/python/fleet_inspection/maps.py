"""
Facts of CCP4 and MRC maps: the grid from the header, a mask from its values. gemmi reads a whole map, which takes gigabytes for a large one,
and rejects headers that other programs write (a NUL after "MAP").
"""

import struct

import gemmi
import numpy as np

from .crystal import cell_facts
from .faults import corrupt

HEADER_BYTES = 1_024
# Types of a grid point by mode (MRC2014); 101 packs two points into one byte, 3 and 4 are complex.
POINT_TYPES = {0: "i1", 1: "i2", 2: "f4", 3: "i4", 4: "c8", 6: "u2", 12: "f2", 101: None}
SAMPLED_POINTS = 2_000_000
# At least this share of the points inside a mask have the same value; in density almost none have the largest value. Our own limit.
FLAT_SHARE = 0.3


def is_map(start: bytes) -> bool:
    """Whether the magic word is at its position."""
    return start[208:211] == b"MAP"


class _Header:
    """The words of the header by their numbers in the MRC2014 format, from 1; in the byte order in which the mode is valid."""

    def __init__(self, content: bytes):
        self.order = ">" if content[212] == 0x11 else "<"
        if content[212] not in (0x11, 0x44) and struct.unpack_from("<i", content, 12)[0] not in POINT_TYPES:
            self.order = ">"
        self.ints = (0, *struct.unpack_from(f"{self.order}256i", content))
        self.reals = (0, *struct.unpack_from(f"{self.order}256f", content))
        self.start = HEADER_BYTES + max(0, self.ints[24])


def _sample(path: str, header: _Header, grid: list[int], kind: str) -> np.ndarray:
    """Evenly spaced sections with about two million points in total."""
    shape = (grid[2], grid[1], grid[0])
    points = np.memmap(path, dtype=np.dtype(kind).newbyteorder(header.order), mode="r", offset=header.start, shape=shape)
    step = max(1, -(-points.size // SAMPLED_POINTS))
    return np.array(points[:: min(step, grid[2])], dtype=np.float32)


def _value_facts(values: np.ndarray) -> tuple[dict, list[str]]:
    if not np.isfinite(values).all():
        return {}, ["Some of its values are not numbers."]
    low, high = float(values.min()), float(values.max())
    if low == high:
        return {"mask": True}, [f"All its values are {low:g}: it holds no density."]
    inside = values[values > 0.01 * high]
    flat = low >= -1e-3 * abs(high) and high > 0 and np.mean(inside >= 0.99 * high) >= FLAT_SHARE
    return ({"mask": True}, [f"It is a mask: its values lie between {low:g} and {high:g}, most of them at either end."]) if flat else ({}, [])


def map_facts(path: str, size: int) -> dict:
    """Facts of a map; raises FileFault `corrupt` when the header is impossible or the file is shorter than its grid."""
    if size < HEADER_BYTES:
        raise corrupt("it is shorter than the header of a map")
    with open(path, "rb") as file:
        header = _Header(file.read(HEADER_BYTES))
    stored, mode = list(header.ints[1:4]), header.ints[4]
    if mode not in POINT_TYPES or min(stored) <= 0:
        raise corrupt(f"its header tells grid {' x '.join(map(str, stored))} and mode {mode}")
    kind = POINT_TYPES[mode]
    count = stored[0] * stored[1] * stored[2]
    needed = header.start + (count // 2 if kind is None else count * np.dtype(kind).itemsize)
    if needed > size:
        raise corrupt(f"its grid needs {needed} bytes, the file has {size}: it is truncated")
    found, notes = ({}, []) if kind in (None, "i4", "c8", "u2") else _value_facts(_sample(path, header, stored, kind))
    axes = list(header.ints[17:20])
    grid = [stored[axes.index(axis)] if axis in axes else stored[axis - 1] for axis in (1, 2, 3)]
    cell = cell_facts(gemmi.UnitCell(*header.reals[11:17]))
    intervals = header.ints[8] if header.ints[8] > 0 else grid[0]
    voxel = round(cell["cell"][0] / intervals, 4) if cell else 0
    facts = {"format": "map", **cell, "map": {"grid": grid, "mode": mode, "voxel": voxel, **found}}
    return {**facts, "notes": notes} if notes else facts
