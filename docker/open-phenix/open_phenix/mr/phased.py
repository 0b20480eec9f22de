"""Searches remaining components: a phased translation function for every rotation, in the placed part's difference map.

The map's coefficients are m|Eo| - D|Ec| with the phases of what is placed (Read 1986, Acta Cryst. A42, 140). A rotation costs one small
FFT, so that all of them are tried and no rotation function has to choose first: that one hardly sees a small component beside a large.
"""

from typing import Any

from open_phenix.mr.molecular_transform import MolecularTransform
from open_phenix.mr.normalisation import damping
from open_phenix.mr.rotation import ROTATIONS, Orientation, asymmetric, even_rotations, rotations_of
from open_phenix.mr.search_model import SearchModel
from open_phenix.mr.transform import Transform

from cctbx.array_family import flex
import numpy as np
from scipy import fft, special
from scipy.spatial.transform import Rotation

ERROR = 1.0  # A: that of the model, and what half a step of the rotations moves an atom
STEPS_EACH = 2.5  # grid points to the resolution limit
APART = np.radians(12)  # orientations closer than this are one, as each stands at the top of its neighbours
LOCAL_TRIES, LOCAL_SPREAD = 40, np.radians(2.0)


class PhasedSearch:
    """One model in the difference map of what is known."""

    def __init__(self, data: Transform, known: Any, model: SearchModel):
        """`known`: normalised structure factors of what is placed, on the reflections of `data`."""
        in_p1 = data.observed.customized_copy(data=flex.complex_double(_difference(data, known)), sigmas=None).expand_to_p1()
        cell = in_p1.unit_cell()
        indices, coefficients = np.array(in_p1.indices()), in_p1.data().as_numpy_array()
        spacings = in_p1.d_spacings().data().as_numpy_array()
        flipped = indices[:, 2] < 0
        indices = np.where(flipped[:, None], -indices, indices)
        weighted = coefficients.conj() * damping(spacings, ERROR)
        self._coefficients = np.where(flipped, weighted.conj(), weighted).astype(np.complex64)
        self._transform = MolecularTransform(model, in_p1.d_min())
        fractional = np.array(cell.fractionalization_matrix()).reshape(3, 3)
        self._vectors = self._transform.vectors(indices @ fractional)
        step = in_p1.d_min() / STEPS_EACH
        self.shape = tuple(fft.next_fast_len(max(4, int(np.ceil(edge / step))), real=True) for edge in cell.parameters()[:3])
        self._at = self._positions(indices)
        self._plane = indices[:, 2] == 0
        self._mates = self._positions(-indices[self._plane])
        self._symmetry = rotations_of(data.symmetry)

    def _positions(self, indices: Any) -> Any:
        h, k, l = indices.T
        nx, ny, nz = self.shape
        return ((h % nx) * ny + k % ny) * (nz // 2 + 1) + l

    def peak(self, matrix: Any) -> float:
        """The highest peak for one rotation, over the map's sigma."""
        values = self._transform.values[self._transform.at(self._vectors, matrix.astype(np.float32))] * self._coefficients
        nx, ny, nz = self.shape
        half = np.zeros(nx * ny * (nz // 2 + 1), np.complex64)
        half[self._at] = values
        half[self._mates] = values[self._plane].conj()
        heights = fft.irfftn(half.reshape(nx, ny, nz // 2 + 1), s=self.shape)
        return float(heights.max()) / max(float(heights.std()), 1e-12)

    def best(self, count: int, rotations: int = ROTATIONS) -> list[Orientation]:
        """The best distinct orientations, each improved locally, best first. Deterministic."""
        tried = asymmetric(even_rotations(rotations * min(2, len(self._symmetry))), self._symmetry)
        heights = np.array([self.peak(matrix) for matrix in tried.as_matrix()])
        generator = np.random.default_rng(1)
        oriented = []
        for index in self._distinct(tried, heights, count):
            near = Rotation.from_rotvec(generator.normal(scale=LOCAL_SPREAD, size=(LOCAL_TRIES, 3))) * tried[index]
            improved = [(heights[index], tried[index]), *((self.peak(one.as_matrix()), one) for one in near)]
            height, rotation = max(improved, key=lambda peak: peak[0])
            oriented.append(Orientation(float(height), rotation, in_map=True))
        return sorted(oriented, key=lambda orientation: -orientation.z)

    def _distinct(self, rotations: Rotation, heights: Any, count: int) -> list[int]:
        picked: list[int] = []
        for index in np.argsort(-heights):
            candidate = self._symmetry * rotations[int(index)]
            if all((candidate * rotations[other].inv()).magnitude().min() > APART for other in picked):
                picked.append(int(index))
            if len(picked) == count:
                break
        return picked


def _difference(data: Transform, known: Any) -> Any:
    """m|Eo| - D|Ec| with the phases of what is known; m for acentric reflections."""
    likelihood = data.likelihood
    _gain, sigma_a = likelihood.best(known)
    observed, model = likelihood.observed, likelihood.normalised(known)
    argument = 2 * sigma_a * observed * model / (1 - sigma_a**2)
    merit = special.ive(1, argument) / special.ive(0, argument)
    return np.ascontiguousarray((merit * observed - sigma_a * model) * np.exp(1j * np.angle(known)))
