"""A direct rotation function, brute force over evenly spread rotations.

For each rotation: the correlation of the normalised observed intensities with the molecular transform of the rotated
model, summed over the crystal's rotations (the self-vectors alone; DeLano & Bruenger 1995, Acta Cryst. D51, 740), each reflection
with the weight that the errors of model and step leave it.
"""

from dataclasses import dataclass
from typing import Any

from open_phenix.mr.molecular_transform import MolecularTransform
from open_phenix.mr.normalisation import damping, shell_means, shells
from open_phenix.mr.search_model import SearchModel

import numpy as np
from scipy.spatial.transform import Rotation

ROTATIONS = 30000  # about 6 degrees apart; twice as many with symmetry, of which only the distinct ones are scored
KEPT = 40
APART = np.radians(9)  # peaks closer than this are one
LOCAL_TRIES, LOCAL_SPREADS = 40, np.radians((2.5, 1.0))
ROTATION_ERROR = 1.2  # A: that of the model, and what half a step of the rotations moves an atom


@dataclass(frozen=True)
class Orientation:
    """A rotation and its score, in standard deviations above the mean of all rotations tried.

    `in_map`: it comes from a difference map, and the score is the height of its peak over the map's sigma.
    """

    z: float
    rotation: Rotation
    in_map: bool = False


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


def rotations_of(symmetry: Any) -> Rotation:
    """The crystal's proper rotations in Cartesian space."""
    orthogonal = np.array(symmetry.unit_cell().orthogonalization_matrix()).reshape(3, 3)
    parts = [np.array(op.r().as_double()).reshape(3, 3) for op in symmetry.space_group().build_derived_point_group().all_ops()]
    return Rotation.from_matrix([orthogonal @ op @ np.linalg.inv(orthogonal) for op in parts if np.linalg.det(op) > 0])


def asymmetric(rotations: Rotation, symmetry: Rotation) -> Rotation:
    """Of rotations that are the same by the crystal's symmetry, the one by the smallest angle."""
    smallest = np.min([(operator * rotations).magnitude() for operator in symmetry], axis=0)
    return rotations[rotations.magnitude() <= smallest + 1e-9]


class RotationFunction:
    """The observed data and the model's transform, ready to score rotations."""

    def __init__(self, observed: Any, model: SearchModel):
        """`observed`: amplitudes in the crystal's own group."""
        symmetry = observed.crystal_symmetry()
        cell = symmetry.unit_cell()
        spacings = observed.d_spacings().data().as_numpy_array()
        squared = observed.data().as_numpy_array() ** 2 / observed.epsilons().data().as_double().as_numpy_array()
        self._transform = MolecularTransform(model, observed.d_min())
        self._damping = damping(spacings, ROTATION_ERROR) ** 2
        weighted = self._damping * (squared / shell_means(squared, shells(spacings)) - 1)
        self._observed = (weighted - weighted.mean()) / weighted.std()
        operators = [
            np.array(op.r().as_double()).reshape(3, 3)
            for op in symmetry.space_group().build_derived_point_group().all_ops()
        ]
        self._operators = [op for op in operators if np.linalg.det(op) > 0]
        indices = np.array(observed.indices())
        fractional = np.array(cell.fractionalization_matrix()).reshape(3, 3)
        self._vectors = self._transform.vectors(np.concatenate([(indices @ op) @ fractional for op in self._operators]))
        self._symmetry = rotations_of(symmetry)

    def score(self, rotations: Rotation) -> Any:
        """The correlation for each rotation."""
        out = np.empty(len(rotations))
        for number, matrix in enumerate(rotations.as_matrix().astype(np.float32)):
            squares = self._transform.squares[self._transform.at(self._vectors, matrix)]
            summed = self._damping * squares.reshape(len(self._operators), -1).sum(0, dtype=float)
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
        return asymmetric(rotations, self._symmetry)

    def _distinct(self, rotations: Rotation, scores: Any) -> list[int]:
        picked: list[int] = []
        for index in np.argsort(-scores):
            candidate = self._symmetry * rotations[index]
            if all((candidate * rotations[other].inv()).magnitude().min() > APART for other in picked):
                picked.append(int(index))
            if len(picked) == KEPT:
                break
        return picked
