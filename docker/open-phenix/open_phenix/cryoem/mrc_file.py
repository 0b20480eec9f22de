"""The simplest MRC file, for programs that read no other: mode 2, P1, axes X, Y, Z, cubic voxels, origin zero.

Format: MRC2014, Cheng et al. (2015) J. Struct. Biol. 192, 146-150. PowerFit 6.0 needs cubic voxels and, of all orders
of axes, can read this one only (cctbx writes Z, Y, X).
"""

import struct
from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.cryoem.map_box import MapBox

_HEADER_BYTES = 1024
_CUBIC = 1.0e-4  # Angstrom: how far the spacings may differ
_RIGHT_ANGLE = 1.0e-3  # degrees


def write(box: MapBox, path: Path) -> None:
    """Write the box; a map with other than cubic voxels is interpolated onto its smallest spacing."""
    import numpy

    angles = box.symmetry.unit_cell().parameters()[3:]
    if any(abs(angle - 90.0) > _RIGHT_ANGLE for angle in angles):
        raise Sorry(f"{box.path}: only maps with a rectangular box can be searched (angles {angles})")
    grid = box.data.as_numpy_array().astype(numpy.float32)
    spacing = min(box.spacing)
    if max(box.spacing) - spacing > _CUBIC:
        grid = _cubic(grid, box.spacing, spacing)
    path.write_bytes(_header(grid, spacing) + grid.tobytes(order="F"))


def _cubic(grid: Any, spacing: tuple[float, float, float], target: float) -> Any:
    """Spline interpolation (third order) onto a cubic grid that lies inside the old one."""
    import numpy
    from scipy import ndimage

    sizes = [int((n - 1) * s / target) + 1 for n, s in zip(grid.shape, spacing)]
    axes = [numpy.arange(size) * target / s for size, s in zip(sizes, spacing)]
    where = numpy.meshgrid(*axes, indexing="ij")
    return ndimage.map_coordinates(grid, where, order=3, mode="nearest").astype(numpy.float32)


def _header(grid: Any, spacing: float) -> bytes:
    nx, ny, nz = grid.shape
    edges = [n * spacing for n in (nx, ny, nz)]
    words = struct.pack("<10i", nx, ny, nz, 2, 0, 0, 0, nx, ny, nz)
    words += struct.pack("<6f", *edges, 90.0, 90.0, 90.0)
    words += struct.pack("<3i", 1, 2, 3)
    words += struct.pack("<3f", float(grid.min()), float(grid.max()), float(grid.mean()))
    words += struct.pack("<2i", 1, 0)
    words = words.ljust(208, b"\0") + b"MAP " + b"\x44\x44\0\0" + struct.pack("<f", float(grid.std()))
    return words.ljust(_HEADER_BYTES, b"\0")
