"""Which way round? A direct rotation function, brute force over evenly spread rotations.

For each rotation: the correlation of the normalised observed intensities with the molecular transform of the rotated
model, summed over the crystal's rotations (the self-vectors alone; DeLano & Bruenger 1995, Acta Cryst. D51, 740).
"""

from dataclasses import dataclass
from typing import Any

from open_phenix.mr.search_model import SearchModel

from cctbx import crystal
import numpy as np
from scipy import ndimage
from scipy.spatial.transform import Rotation

ROTATIONS = 30000  # about 6 degrees apart; twice as many with symmetry, of which only the distinct ones are scored
KEPT = 40
APART = np.radians(9)  # peaks closer than this are one
LOCAL_TRIES, LOCAL_SPREADS = 40, np.radians((2.5, 1.0))
BOX = 2.6  # the transform's box, in molecular diameters
D_MAX = 20.0  # A; below it bulk solvent rules


@dataclass(frozen=True)
class Orientation:
    """A rotation and its score, in standard deviations above the mean of all rotations tried."""

    z: float
    rotation: Rotation


def even_rotations(count: int) -> Rotation:
    """`count` rotations, evenly spread (super-Fibonacci spirals; Alexa 2022, CVPR, 8291)."""
    s = np.arange(count) + 0.5
    t = s / count
    inner, outer = np.sqrt(t), np.sqrt(1 - t)
    alpha = 2 * np.pi * s / np.sqrt(2)
    beta = 2 * np.pi * s / 1.533751168755204288118041
    return Rotation.from_quat(
        np.c_[inner * np.sin(alpha), inner * np.cos(alpha), outer * np.sin(beta), outer * np.cos(beta)]
    )


def normalised(intensities: Any, spacings: Any, bins: int) -> Any:
    """Intensities over their mean in shells of equal count."""
    out = np.empty_like(intensities)
    for part in np.array_split(np.argsort(spacings), bins):
        out[part] = intensities[part] / max(intensities[part].mean(), 1e-9)
    return out


class RotationFunction:
    """The observed data and the model's transform, ready to score rotations."""

    def __init__(self, observed: Any, model: SearchModel):
        symmetry = observed.crystal_symmetry()
        cell = symmetry.unit_cell()
        box = BOX * model.diameter
        self._grid, self._origin = _transform(model, box, observed.d_min())
        indices = np.array(observed.indices())
        squared = observed.data().as_numpy_array() ** 2
        e_squared = normalised(squared, observed.d_spacings().data().as_numpy_array(), 12)
        self._observed = (e_squared - e_squared.mean()) / e_squared.std()
        self._operators = [
            np.array(op.r().as_double()).reshape(3, 3)
            for op in symmetry.space_group().build_derived_point_group().all_ops()
        ]
        self._operators = [op for op in self._operators if np.linalg.det(op) > 0]
        fractional = np.array(cell.fractionalization_matrix()).reshape(3, 3)
        self._vectors = np.concatenate([(indices @ op) @ fractional for op in self._operators]) * box
        orthogonal = np.array(cell.orthogonalization_matrix()).reshape(3, 3)
        self._symmetry = Rotation.from_matrix(
            [orthogonal @ op @ np.linalg.inv(orthogonal) for op in self._operators]
        )

    def score(self, rotations: Rotation) -> Any:
        """The correlation for each rotation."""
        out = np.empty(len(rotations))
        for number, matrix in enumerate(rotations.as_matrix()):
            at = (self._vectors @ matrix).T + self._origin
            values = ndimage.map_coordinates(self._grid, at, order=1, mode="constant")
            summed = values.reshape(len(self._operators), -1).sum(0)
            out[number] = (self._observed * summed).mean() / max(summed.std(), 1e-9)
        return out

    def best(self, count: int = ROTATIONS) -> list[Orientation]:
        """The best distinct orientations, each improved locally, best first. Deterministic."""
        rotations = self._asymmetric(even_rotations(count * min(2, len(self._operators))))
        scores = self.score(rotations)
        mean, spread = scores.mean(), scores.std()
        generator = np.random.default_rng(1)
        found = []
        for index in self._distinct(rotations, scores):
            score, rotation = scores[index], rotations[index]
            for width in LOCAL_SPREADS:
                near = Rotation.from_rotvec(generator.normal(scale=width, size=(LOCAL_TRIES, 3))) * rotation
                near_scores = self.score(near)
                top = int(near_scores.argmax())
                if near_scores[top] > score:
                    score, rotation = near_scores[top], near[top]
            found.append(Orientation(float((score - mean) / spread), rotation))
        return sorted(found, key=lambda orientation: -orientation.z)

    def _asymmetric(self, rotations: Rotation) -> Rotation:
        """Of rotations that are the same by the crystal's symmetry, the one by the smallest angle."""
        smallest = np.min([(operator * rotations).magnitude() for operator in self._symmetry], axis=0)
        return rotations[rotations.magnitude() <= smallest + 1e-9]

    def _distinct(self, rotations: Rotation, scores: Any) -> list[int]:
        picked: list[int] = []
        for index in np.argsort(-scores):
            candidate = self._symmetry * rotations[index]
            if all((candidate * rotations[other].inv()).magnitude().min() > APART for other in picked):
                picked.append(int(index))
            if len(picked) == KEPT:
                break
        return picked


def _transform(model: SearchModel, box: float, d_min: float) -> Any:
    """Squared normalised structure factors of the model in a large P1 box, as a grid over reciprocal space."""
    symmetry = crystal.symmetry((box, box, box, 90, 90, 90), "P1")
    calculated = model.structure_factors(symmetry, model.xyz, d_min * 0.93).expand_to_p1().generate_bijvoet_mates()
    indices = np.array(calculated.indices())
    spacings = calculated.d_spacings().data().as_numpy_array()
    squared = np.abs(calculated.data().as_numpy_array()) ** 2
    values = np.zeros_like(squared)
    keep = spacings < D_MAX
    values[keep] = normalised(squared[keep], spacings[keep], 20)
    limit = int(np.abs(indices).max()) + 1
    grid = np.zeros((2 * limit + 1,) * 3)
    grid[tuple((indices + limit).T)] = values
    return grid, limit
