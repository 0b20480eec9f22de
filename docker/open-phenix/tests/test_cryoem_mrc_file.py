"""The map that PowerFit is given: cubic voxels, axes X, Y, Z."""

import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("iotbx", reason="cctbx is not installed")

SCRIPT = """
import sys
from open_phenix.core import cctbx_session
cctbx_session.start()
from pathlib import Path
from cctbx import crystal
from iotbx.map_manager import map_manager
from scitbx.array_family import flex
from open_phenix.cryoem import map_box, mrc_file
edges, grid = (30.0, 28.0, 32.0), (30, 35, 32)
data = flex.double(flex.grid(grid), 0)
for i in range(grid[0]):
    for j in range(grid[1]):
        for k in range(grid[2]):
            data[i, j, k] = i * edges[0] / grid[0] + 100 * j * edges[1] / grid[1]
symmetry = crystal.symmetry(edges + (90, 90, float(sys.argv[2])), "P1")
manager = map_manager(map_data=data, unit_cell_grid=grid, unit_cell_crystal_symmetry=symmetry, wrapping=False)
mrc_file.write(map_box.MapBox(Path("made.ccp4"), manager), Path(sys.argv[1]))
"""


def _write(tmp_path: Path, gamma: float) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "out.mrc"), str(gamma)]
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)


def test_other_than_cubic_voxels_are_interpolated(tmp_path: Path) -> None:
    done = _write(tmp_path, 90.0)
    assert done.returncode == 0, done.stderr
    content = (tmp_path / "out.mrc").read_bytes()
    nx, ny, nz, mode = struct.unpack("<4i", content[:16])
    edges = struct.unpack("<3f", content[40:52])
    assert mode == 2 and struct.unpack("<3i", content[64:76]) == (1, 2, 3) and content[208:212] == b"MAP "
    assert [round(edge / n, 4) for edge, n in zip(edges, (nx, ny, nz))] == [0.8, 0.8, 0.8]
    values = struct.unpack(f"<{nx * ny * nz}f", content[1024:])
    x, y = 10, 20  # a plane x + 100 y in Angstrom: the spline keeps it, X runs fastest
    assert values[x + nx * y] == pytest.approx(0.8 * x + 100 * 0.8 * y, abs=0.05)


def test_a_skew_box_is_an_error(tmp_path: Path) -> None:
    done = _write(tmp_path, 100.0)
    assert done.returncode != 0 and "rectangular box" in done.stderr
