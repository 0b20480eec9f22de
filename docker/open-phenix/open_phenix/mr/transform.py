"""Structure factors of a search model in a crystal, from its transform in P1: a shift costs a phase factor only."""

from typing import Any

from open_phenix.mr.likelihood import Likelihood
from open_phenix.mr.normalisation import damping, shell_means, shells
from open_phenix.mr.search_model import SearchModel

from cctbx import crystal, miller
from cctbx.array_family import flex
import numpy as np


class Transform:
    """The reflections of one dataset, and the position of each in a model's transform in P1.

    F(h) = sum over the crystal's operators (R, t) of F_P1(h R) exp(2 pi i h t). What is compared is normalised: `amplitudes` are
    |E| times sqrt(epsilon), damped by the expected error of a model, and a model's transform is flattened in the same way, so that
    neither its B values nor the bulk solvent decide how the resolution shells count.
    """

    def __init__(self, observed: Any):
        """`observed`: a miller array of amplitudes; results are numpy arrays in its order."""
        self.symmetry = observed.crystal_symmetry()
        self.observed = observed
        self.measured = observed.data().as_numpy_array()
        self.spacings = observed.d_spacings().data().as_numpy_array()
        self.epsilons = observed.epsilons().data().as_double().as_numpy_array()
        centric = observed.centric_flags().data().as_numpy_array()
        self.likelihood = Likelihood(self.measured, self.spacings, self.epsilons, centric)
        self.amplitudes = self.likelihood.observed * np.sqrt(self.epsilons) * damping(self.spacings)
        self.weighted = observed.customized_copy(data=flex.double(np.ascontiguousarray(self.amplitudes)), sigmas=None)
        indices = np.array(observed.indices())
        group = observed.space_group()
        distinct = {op.r().as_hkl(): op for op in group.all_ops()}
        rotated, phases = [], []
        for op in distinct.values():
            rotated.append(indices @ np.array(op.r().as_double()).reshape(3, 3))
            phases.append(np.exp(2j * np.pi * (indices @ np.array(op.t().as_double()))))
        self._rotated = np.rint(np.array(rotated)).astype(int)
        self._phases = np.array(phases) * (group.order_z() / len(distinct))
        half, self._at, self._flipped = _half_sphere(self._rotated)
        in_p1 = crystal.symmetry(self.symmetry.unit_cell(), "P1")
        self.p1_set = miller.set(in_p1, flex.miller_index(half.tolist()), anomalous_flag=False)
        self._p1_spacings = self.p1_set.d_spacings().data().as_numpy_array()
        self._flattening: dict[int, tuple[SearchModel, Any]] = {}

    def plain_p1(self, model: SearchModel, xyz: Any) -> Any:
        """F(calc) of the model at `xyz` (A) alone in the cell, on `p1_set`, not normalised."""
        return self.p1_set.structure_factors_from_scatterers(
            model.structure(self.p1_set.crystal_symmetry(), xyz), algorithm="fft"
        ).f_calc().data()

    def p1(self, model: SearchModel, xyz: Any) -> Any:
        """The same, flattened and damped; its mean square without the damping is the number of atoms."""
        values = self.plain_p1(model, xyz).as_numpy_array()
        return flex.complex_double(np.ascontiguousarray(values * self._flatten(model, values)))

    def _flatten(self, model: SearchModel, values: Any) -> Any:
        """The factor of each reflection; made once for a model, as its orientation hardly matters to the mean of a shell."""
        if id(model) not in self._flattening:
            means = shell_means(np.abs(values) ** 2, shells(self._p1_spacings))
            factor = np.sqrt(len(model.elements) / means) * damping(self._p1_spacings)
            self._flattening[id(model)] = model, factor
        return self._flattening[id(model)][1]

    def parts(self, p1: Any) -> Any:
        """The contribution of each operator (rows) to each reflection."""
        values = p1.as_numpy_array()[self._at]
        return np.where(self._flipped, values.conj(), values) * self._phases

    def shifted(self, parts: Any, shift: Any) -> Any:
        """What `crystal` gives after moving the model by `shift` (fractional)."""
        return (parts * np.exp(2j * np.pi * (self._rotated @ np.asarray(shift)))).sum(0)

    def crystal(self, model: SearchModel, xyz: Any) -> Any:
        """Normalised structure factors in the crystal of the model at `xyz` (A)."""
        return self.parts(self.p1(model, xyz)).sum(0)

    def plain_crystal(self, model: SearchModel, xyz: Any) -> Any:
        """F(calc) in the crystal of the model at `xyz` (A)."""
        return self.parts(self.plain_p1(model, xyz)).sum(0)

    def correlation(self, calculated: Any) -> float:
        """Linear correlation of observed and calculated normalised amplitudes."""
        return float(np.corrcoef(self.amplitudes, np.abs(calculated))[0, 1])

    def plain_fit(self, calculated: Any) -> tuple[float, float]:
        """Correlation and R (one overall scale factor) of measured amplitudes and F(calc) of `plain_crystal`."""
        amplitudes = np.abs(calculated)
        scale = (self.measured * amplitudes).sum() / (amplitudes**2).sum()
        r_factor = np.abs(self.measured - scale * amplitudes).sum() / self.measured.sum()
        return float(np.corrcoef(self.measured, amplitudes)[0, 1]), float(r_factor)


def _half_sphere(indices: Any) -> Any:
    """The distinct indices with Friedel mates as one, where each of `indices` stands among them, and whether as its mate."""
    leading = np.where(indices[..., 2] != 0, indices[..., 2], np.where(indices[..., 1] != 0, indices[..., 1], indices[..., 0]))
    flipped = leading < 0
    unified = np.where(flipped[..., None], -indices, indices)
    half, at = np.unique(unified.reshape(-1, 3), axis=0, return_inverse=True)
    return half, at.reshape(indices.shape[:-1]), flipped
