"""Packing: overlaps between the copies."""

from typing import Any

from cctbx.array_family import flex
import numpy as np
from scipy.spatial import cKDTree

TOO_CLOSE = 3.0  # A between CA (or P) atoms of different copies


def clash_fraction(symmetry: Any, traces: list[Any]) -> float:
    """Fraction of the CA atoms of the newest copy that come closer than TOO_CLOSE to another copy or to any symmetry mate.

    `traces`: CA coordinates (A) of each copy, of whatever component, the newest last. The share is of the newest alone: that of
    all would hide a small component inside a large one.
    """
    newest = traces[-1]
    near = _images(symmetry, traces, newest)
    if not len(near):
        return 0.0
    distances, _ = cKDTree(near).query(newest, distance_upper_bound=TOO_CLOSE)
    return float(np.isfinite(distances).mean())


def _images(symmetry: Any, traces: list[Any], newest: Any) -> Any:
    """All symmetry mates that can reach the newest copy; without that copy itself."""
    cell = symmetry.unit_cell()
    centre = newest.mean(0)
    reach = np.linalg.norm(newest - centre, axis=1).max() + TOO_CLOSE
    middle = np.array(cell.fractionalize(tuple(centre)))
    images = []
    for number, trace in enumerate(traces):
        size = np.linalg.norm(trace - trace.mean(0), axis=1).max()
        fractional = np.array(cell.fractionalize(flex.vec3_double(np.ascontiguousarray(trace))))
        for operator in symmetry.space_group().all_ops():
            rotation = np.array(operator.r().as_double()).reshape(3, 3)
            moved = fractional @ rotation.T + np.array(operator.t().as_double())
            moved -= np.floor(moved.mean(0) - middle + 0.5)
            for shift in np.ndindex(3, 3, 3):
                image = moved + np.array(shift) - 1
                gap = np.linalg.norm(np.array(cell.orthogonalize(tuple(image.mean(0)))) - centre)
                itself = number == len(traces) - 1 and operator.is_unit_mx() and np.allclose(image, fractional)
                if gap <= reach + size and not itself:
                    images.append(np.array(cell.orthogonalize(flex.vec3_double(np.ascontiguousarray(image)))))
    return np.concatenate(images) if images else np.empty((0, 3))
