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
COMPLEX = (3, 4)
STACKS_FROM = 401  # space "group" of a stack of volumes; a stack of images has 0, and one section for each cell along z
SAMPLED_POINTS = 2_000_000
# At least this share of the points inside a mask have the largest value; in density almost none have it. A soft edge may
# hold more points than the region inside it. Our own limit.
FLAT_SHARE = 0.05
# A fingerprint of a map: the mean densities of this many blocks along each axis, and differences of neighbouring points
# at its rim, which are its noise.
BLOCKS, NOISE_POINTS = 6, 128
# Below this share of the map's standard deviation its rim has no noise: it was set to one value or smoothed. Our own limit.
MIN_NOISE = 0.05


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


def _as_text(values: np.ndarray) -> str:
    """Numbers as bytes around 128, on the scale of the largest; two hexadecimal digits each."""
    return np.rint(values / np.abs(values).max() * 127 + 128).astype(np.uint8).tobytes().hex()


def _rim(values: np.ndarray) -> np.ndarray:
    """Differences of neighbouring points in the outer eighth of the box along y and z, where there is noise alone."""
    steps = np.diff(values, axis=2)
    outer = np.zeros(steps.shape, dtype=bool)
    for axis in (0, 1):
        edge = max(1, steps.shape[axis] // 8)
        along = np.moveaxis(outer, axis, 0)
        along[:edge] = along[-edge:] = True
    return steps[outer]


def _fingerprint(values: np.ndarray) -> dict | None:
    """
    By what two maps of one grid are compared without their files: independent half maps show the same, and their noise is not the same.
    None where there is no noise (a mask, density that was masked, a map without contents).
    """
    rim = _rim(values)
    noise = float(rim.std()) if rim.size >= NOISE_POINTS else 0.0
    if noise < MIN_NOISE * float(values.std()) or values.min() >= 0:
        return None
    parts = (np.array_split(np.arange(size), min(BLOCKS, size)) for size in values.shape)
    z, y, x = parts
    means = np.array([values[np.ix_(a, b, c)].mean(dtype=np.float64) for a in z for b in y for c in x])
    if np.ptp(means) == 0:
        return None
    points = rim[np.linspace(0, rim.size - 1, NOISE_POINTS).astype(np.int64)]
    if np.ptp(points) == 0:
        return None
    return {"means": _as_text(means - means.mean()), "noise": _as_text(points - points.mean()), "noiseRms": float(f"{noise:.4g}")}


def _value_facts(values: np.ndarray) -> tuple[dict, list[str]]:
    if not np.isfinite(values).all():
        return {}, ["Some of its values are not numbers."]
    low, high = float(values.min()), float(values.max())
    if low == high:
        return {"mask": True}, [f"All its values are {low:g}: it holds no density."]
    inside = values[values > 0.01 * high]
    flat = low >= -1e-3 * abs(high) and high > 0 and np.mean(inside >= 0.99 * high) >= FLAT_SHARE
    if flat:
        return {"mask": True}, [f"Its values lie between {low:g} and {high:g}, most of them at either end, as in a mask."]
    fingerprint = _fingerprint(values)
    return ({} if fingerprint is None else {"fingerprint": fingerprint}), []


def map_facts(path: str, size: int) -> dict:
    """Facts of a map; raises FileFault `corrupt` when the header is impossible or the file is shorter than its grid."""
    if size < HEADER_BYTES:
        raise corrupt("it is shorter than the header of a map")
    with open(path, "rb") as file:
        header = _Header(file.read(HEADER_BYTES))
    stored, mode = list(header.ints[1:4]), header.ints[4]
    if mode not in POINT_TYPES or min(stored) <= 0:
        raise corrupt(f"its header tells grid {' x '.join(map(str, stored))} and mode {mode}")
    if mode in COMPLEX:
        raise corrupt("it holds a Fourier transform, not density")
    if stored[2] == 1 or header.ints[23] >= STACKS_FROM or (header.ints[23] == 0 and header.ints[10] == 1):
        raise corrupt("it holds an image, or a stack, and not one volume of density")
    kind = POINT_TYPES[mode]
    count = stored[0] * stored[1] * stored[2]
    needed = header.start + (count // 2 if kind is None else count * np.dtype(kind).itemsize)
    if needed > size:
        raise corrupt(f"its grid needs {needed} bytes, the file has {size}: it is truncated")
    found, notes = ({}, []) if kind in (None, "u2") else _value_facts(_sample(path, header, stored, kind))
    axes = list(header.ints[17:20])
    grid = [stored[axes.index(axis)] if axis in axes else stored[axis - 1] for axis in (1, 2, 3)]
    cell = cell_facts(gemmi.UnitCell(*header.reals[11:17]))
    intervals = header.ints[8] if header.ints[8] > 0 else grid[0]
    voxel = round(cell["cell"][0] / intervals, 4) if cell else 0
    if not cell:
        notes.append("Its header holds no cell, so that the size of its voxels is not known: programs need it.")
    facts = {"format": "map", **cell, "map": {"grid": grid, "mode": mode, "voxel": voxel, **found}}
    return {**facts, "notes": notes} if notes else facts
