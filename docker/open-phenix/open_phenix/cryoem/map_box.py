"""Maps in their own box, with the origin moved to (0, 0, 0).

Only `.data`, `.symmetry` and `.shift` of a MapBox are needed by the science: `shift` (Angstrom) is added to coordinates
of the input frame to get to the box frame, and subtracted on the way out.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from collections.abc import Sequence

from open_phenix.core.errors import Sorry

GRID_TOLERANCE = 1.0e-3  # Angstrom: how far two boxes may differ and still be the same box


@dataclass(frozen=True)
class MapBox:
    """A map (cctbx map_manager at origin zero) and its source file."""

    path: Path
    manager: Any

    @property
    def data(self) -> Any:
        """The grid as flex.double, origin (0, 0, 0)."""
        return self.manager.map_data()

    @property
    def symmetry(self) -> Any:
        """Crystal symmetry of the box that is present: P1, its edges in Angstrom."""
        return self.manager.crystal_symmetry()

    @property
    def shift(self) -> tuple[float, float, float]:
        """Angstrom to add to input coordinates to reach the box frame."""
        shift = self.manager.shift_cart()
        return tuple(shift) if shift is not None else (0.0, 0.0, 0.0)  # type: ignore[return-value]

    @property
    def edges(self) -> tuple[float, float, float]:
        """The edges of the box, Angstrom."""
        a, b, c = self.symmetry.unit_cell().parameters()[:3]
        return (a, b, c)

    @property
    def spacing(self) -> tuple[float, float, float]:
        """The grid spacing along each edge, Angstrom."""
        return tuple(e / n for e, n in zip(self.edges, self.data.all()))  # type: ignore[return-value]

    def same_grid(self, other: "MapBox") -> bool:
        """True if both maps have the same grid at the same position."""
        if self.data.all() != other.data.all():
            return False
        pairs = list(zip(self.edges, other.edges)) + list(zip(self.shift, other.shift))
        return all(abs(mine - theirs) < GRID_TOLERANCE for mine, theirs in pairs)


def read_map(path: Path) -> MapBox:
    """Read a CCP4 or MRC map; any other file raises Sorry."""
    from iotbx.map_manager import map_manager
    from libtbx.utils import Sorry as CctbxSorry
    from libtbx.utils import null_out

    try:
        manager = map_manager(str(path), log=null_out())
        manager.shift_origin()
    except (CctbxSorry, RuntimeError, AssertionError, ValueError, OverflowError) as problem:
        raise Sorry(f"{path} cannot be read as a CCP4 or MRC map: {str(problem).strip()}") from problem
    if _is_flat(manager.map_data()):
        raise Sorry(f"{path} is empty: all of its values are the same")
    return MapBox(path, manager)


def read_maps_on_one_grid(paths: Sequence[Path]) -> "list[MapBox]":
    """Read several maps and insist that they share one grid."""
    boxes = [read_map(path) for path in paths]
    for other in boxes[1:]:
        if not boxes[0].same_grid(other):
            raise Sorry(f"The maps {boxes[0].path} and {other.path} are not on the same grid")
    return boxes


def mean_map(first: MapBox, second: MapBox) -> MapBox:
    """The average of two half maps."""
    data = (first.data + second.data) * 0.5
    return MapBox(first.path, first.manager.customized_copy(map_data=data))


def describe(label: str, box: MapBox) -> None:
    """Print what was read."""
    print(f"{label}: {box.path}")
    print("  grid: %d x %d x %d   box: %.2f x %.2f x %.2f A   spacing: %.3f A" % (*box.data.all(), *box.edges, box.spacing[0]))
    if any(abs(s) > GRID_TOLERANCE for s in box.shift):
        print("  origin of the map: (%.3f, %.3f, %.3f) A" % tuple(-s for s in box.shift))


def write_box(box: MapBox, path: Path) -> None:
    """Write the box as a whole-cell P1 map with its origin at zero."""
    from iotbx.map_manager import map_manager
    from libtbx.utils import null_out

    plain = map_manager(
        map_data=box.data,
        unit_cell_grid=box.data.all(),
        unit_cell_crystal_symmetry=box.symmetry,
        wrapping=False,
        log=null_out(),
    )
    _write(plain, path)


def write_in_place(box: MapBox, data: Any, path: Path, label: str) -> None:
    """Write new values on the grid of `box`, with the origin where the input map had it."""
    changed = box.manager.customized_copy(map_data=data)
    changed.add_label(label)
    _write(changed, path)


def _write(manager: Any, path: Path) -> None:
    from libtbx.utils import null_out

    manager.set_log(null_out())
    manager.write_map(str(path))


def _is_flat(data: Any) -> bool:
    from scitbx.array_family import flex

    return bool(flex.max(data) - flex.min(data) == 0)
