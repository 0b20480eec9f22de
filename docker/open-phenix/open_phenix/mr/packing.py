"""Do the copies run into each other?"""

from typing import Any

from cctbx.array_family import flex
import numpy as np
from scipy.spatial import cKDTree

TOO_CLOSE = 3.0  # A between CA (or P) atoms of different copies


def clash_fraction(symmetry: Any, traces: list[Any]) -> float:
    """Fraction of CA atoms of all copies that come closer than TOO_CLOSE to a symmetry copy or to another copy.

    `traces`: CA coordinates (A) of each copy, the newest last (only it is compared with the others).
    """
    cell = symmetry.unit_cell()
    points = np.concatenate(traces)
    fractional = np.array(cell.fractionalize(flex.vec3_double(points)))
    images = []
    for operator in symmetry.space_group().all_ops():
        rotation = np.array(operator.r().as_double()).reshape(3, 3)
        moved = fractional @ rotation.T + np.array(operator.t().as_double())
        moved -= np.floor(moved.mean(0) - fractional.mean(0) + 0.5)
        for shift in np.ndindex(3, 3, 3):
            image = moved + np.array(shift) - 1
            if operator.is_unit_mx() and np.allclose(image, fractional):
                continue
            images.append(np.array(cell.orthogonalize(flex.vec3_double(image))))
    distances, _ = cKDTree(np.concatenate(images)).query(points, distance_upper_bound=TOO_CLOSE)
    bad = int(np.isfinite(distances).sum())
    if len(traces) > 1:
        others = cKDTree(np.concatenate(traces[:-1]))
        distances, _ = others.query(traces[-1], distance_upper_bound=TOO_CLOSE)
        bad += int(np.isfinite(distances).sum())
    return bad / len(points)
