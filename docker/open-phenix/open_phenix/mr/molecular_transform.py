"""The Fourier transform of a search model alone, on a grid so fine that the nearest point will do for any rotation."""

from typing import Any

from open_phenix.mr.normalisation import shell_means
from open_phenix.mr.search_model import SearchModel

from cctbx import crystal
import numpy as np

# The transform's box in molecular diameters: in the wider one the nearest point is wrong by less than 0.4 rad at the model's surface, in
# the narrower one by 0.6. A large model gets the narrower one, which keeps the grid below WIDEST points along an edge.
BOX_WIDE, BOX_NARROW, WIDEST = 4.0, 2.6, 220
_SHELLS = 20


class MolecularTransform:
    """Normalised structure factors of the model about its centre, to `d_min` A."""

    def __init__(self, model: SearchModel, d_min: float):
        self.box = float(np.clip(WIDEST * d_min / 2, BOX_NARROW * model.diameter, BOX_WIDE * model.diameter))
        symmetry = crystal.symmetry((self.box, self.box, self.box, 90, 90, 90), "P1")
        calculated = model.structure_factors(symmetry, model.xyz, d_min * 0.93).expand_to_p1().generate_bijvoet_mates()
        indices = np.array(calculated.indices())
        values = calculated.data().as_numpy_array()
        parts = np.array_split(np.argsort(calculated.d_spacings().data().as_numpy_array()), _SHELLS)
        self._limit = int(np.abs(indices).max()) + 1
        self._size = 2 * self._limit + 1
        grid = np.zeros((self._size,) * 3, np.complex64)
        grid[tuple((indices + self._limit).T)] = values / np.sqrt(shell_means(np.abs(values) ** 2, parts))
        self.values = grid.ravel()
        self.squares = np.ascontiguousarray(np.abs(self.values) ** 2)
        self._strides = np.array([self._size**2, self._size, 1], np.float32)
        self._origin = self._limit * (self._size**2 + self._size + 1)

    def vectors(self, reciprocal: Any) -> Any:
        """Scattering vectors (1/A, rows) in units of the grid, for `at`."""
        return (np.asarray(reciprocal) * self.box).astype(np.float32)

    def at(self, vectors: Any, matrix: Any) -> Any:
        """Positions in `values` and `squares` of these vectors for the model turned by `matrix`."""
        return (np.rint(vectors @ matrix) @ self._strides).astype(np.int32) + self._origin
