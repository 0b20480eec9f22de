"""Positions a model: cctbx's fast translation function for each orientation, then likelihood, packing, rigid body."""

import copy
from dataclasses import dataclass, replace
from typing import Any
from collections.abc import Callable, Sequence

from open_phenix.mr.packing import clash_fraction
from open_phenix.mr.phased import PhasedSearch
from open_phenix.mr.rotation import Orientation
from open_phenix.mr.search_model import SearchModel
from open_phenix.mr.transform import Transform

from cctbx import maptbx, translation_search
from cctbx.array_family import flex
import numpy as np
from scipy import optimize
from scipy.spatial.transform import Rotation

MINIMUM_TFZ = 6.5
PHASED = 12  # orientations of the search in the difference map that get a translation function
MAXIMUM_CLASH = 0.08  # of the CA atoms
PEAKS_PER_ROTATION = 4
SAME_PLACE = 2.0  # A between the centres
SAME_COPY = 4.0  # A, r.m.s. between the atoms of candidates that the rigid body brings together
JUDGED = 30  # best candidates by likelihood whose packing is looked at
RIGID_BODY_STEPS = 160


@dataclass(frozen=True)
class Placed:
    """One copy of one model: coordinates (A), Z of rotation and translation function, correlation, clashing part.

    `tfz_final` is the Z of the translation function with the orientation after the rigid body (Phaser's TFZ==), `llg` the
    log-likelihood gain of all that is placed with it. `in_map`: its orientation comes from the difference map of what was placed
    before, and `rfz` is the height of its peak there over the map's sigma.
    """

    model: SearchModel
    xyz: Any
    rfz: float = 0.0
    tfz: float = 0.0
    cc: float = 0.0
    clash: float = 0.0
    tfz_final: float = 0.0
    fixed: bool = False
    llg: float = 0.0
    in_map: bool = False


class Placement:
    """Finds one copy after the other in one space group; copies placed already count as known."""

    def __init__(self, observed: Any, fine: Any, placed: Sequence[Placed] = ()):
        """`observed`: amplitudes for the search, `fine`: amplitudes for the rigid body."""
        self.search, self.fine = Transform(observed), Transform(fine)
        self.symmetry = observed.crystal_symmetry()
        self.placed: list[Placed] = list(placed)

    def sibling(self, placed: Sequence[Placed]) -> "Placement":
        """One with the same data and other copies."""
        other = copy.copy(self)
        other.placed = list(placed)
        return other

    def calculated(self, data: Transform) -> Any:
        """F(calc) of all placed copies on the reflections of `data`; zero without any."""
        return sum((data.crystal(one.model, one.xyz) for one in self.placed), np.zeros(len(data.amplitudes), complex))

    def correlation(self) -> float:
        """Correlation of all placed copies with the data of the search; 0 without any."""
        return self.search.correlation(self.calculated(self.search)) if self.placed else 0.0

    def gain(self) -> float:
        """Log-likelihood gain of all placed copies; 0 without any."""
        return self.search.likelihood.gain(self.calculated(self.search)) if self.placed else 0.0

    def plain_fit(self) -> tuple[float, float]:
        """Correlation and R of the measured amplitudes with all that is placed (no bulk solvent)."""
        return self.search.plain_fit(sum(self.search.plain_crystal(one.model, one.xyz) for one in self.placed))

    def beside(self, model: SearchModel) -> list[Orientation]:
        """Orientations of the model in the difference map of what is placed."""
        return PhasedSearch(self.search, self.calculated(self.search), model).best(PHASED)

    def candidates(self, model: SearchModel, orientations: Sequence[Orientation], report: Callable[[int], None]) -> list[Placed]:
        """Peaks of the translation function for each orientation, the best first: no clash, then by likelihood."""
        function = _TranslationFunction(self.search, self.calculated(self.search) if self.placed else None)
        found: list[Placed] = []
        for number, orientation in enumerate(orientations):
            xyz = orientation.rotation.apply(model.xyz)
            found += [replace(peak, rfz=orientation.z, in_map=orientation.in_map) for peak in function.peaks(model, xyz)]
            report(number + 1)
        found.sort(key=lambda placed: -placed.llg)
        judged = [replace(placed, clash=self._clash(placed)) for placed in self._apart(found)[:JUDGED]]
        return sorted(judged, key=lambda placed: (placed.clash > MAXIMUM_CLASH, -placed.llg))

    def _apart(self, candidates: Sequence[Placed]) -> list[Placed]:
        """The first of each group of candidates at the same position in nearly the same orientation."""
        kept: list[Placed] = []
        for candidate in candidates:
            if not any(self._are_one(candidate, other) for other in kept):
                kept.append(candidate)
            if len(kept) == JUDGED:
                break
        return kept

    def _are_one(self, one: Placed, other: Placed) -> bool:
        """Whether the atoms of one are near those of the other or of one of its symmetry mates."""
        cell = self.symmetry.unit_cell()
        some = slice(None, None, max(1, len(one.xyz) // 20))
        here = np.array(cell.fractionalize(flex.vec3_double(np.ascontiguousarray(one.xyz[some]))))
        there = np.array(cell.fractionalize(flex.vec3_double(np.ascontiguousarray(other.xyz[some]))))
        orthogonal = np.array(cell.orthogonalization_matrix()).reshape(3, 3)
        for operator in self.symmetry.space_group().all_ops():
            image = there @ np.array(operator.r().as_double()).reshape(3, 3).T + np.array(operator.t().as_double())
            apart = here - image
            apart -= np.rint(apart.mean(0))
            if np.sqrt(((apart @ orthogonal.T) ** 2).sum(1).mean()) < SAME_COPY:
                return True
        return False

    def _clash(self, newest: Placed) -> float:
        traces = [one.xyz[one.model.trace] for one in self.placed] + [newest.xyz[newest.model.trace]]
        return clash_fraction(self.symmetry, traces)

    def refined(self, start: Placed) -> Placed:
        """The copy after a rigid-body fit (Nelder-Mead on the correlation with the `fine` amplitudes), judged again."""
        centre = start.xyz.mean(0)
        known = self.calculated(self.fine)

        def moved(v: Any) -> Any:
            return Rotation.from_rotvec(v[:3] / 30).apply(start.xyz - centre) + centre + v[3:]

        def cost(v: Any) -> float:
            return -self.fine.correlation(known + self.fine.crystal(start.model, moved(v)))

        simplex = np.vstack([np.zeros(6), np.eye(6) * 0.7])
        best = optimize.minimize(
            cost, np.zeros(6), method="Nelder-Mead", options={"maxfev": RIGID_BODY_STEPS, "initial_simplex": simplex}
        )
        fitted = replace(start, xyz=moved(best.x), cc=-float(best.fun))
        known_here = self.calculated(self.search) + self.search.crystal(fitted.model, fitted.xyz)
        gain = self.search.likelihood.gain(known_here)
        return replace(fitted, clash=self._clash(fitted), tfz_final=self._final(fitted), llg=gain)

    def beside_the_others(self, index: int) -> float:
        """Z of the translation function for one placed copy with all others known; 0 if its peak is not where it stands."""
        others = self.sibling(self.placed[:index] + self.placed[index + 1 :])
        judged = self.placed[index]
        centre = judged.xyz.mean(0)
        function = _TranslationFunction(others.search, others.calculated(others.search))
        best = max(function.peaks(judged.model, judged.xyz - centre), key=lambda peak: peak.llg, default=judged)
        return best.tfz if self._same_place(best.xyz.mean(0), centre) else 0.0

    def _same_place(self, one: Any, other: Any) -> bool:
        cell = self.symmetry.unit_cell()
        apart = np.array(cell.fractionalize(tuple(one - other)))
        for operator in self.symmetry.space_group().all_ops():
            if operator.r().is_unit_mx():
                left = apart + np.array(operator.t().as_double())
                if cell.length(tuple(left - np.rint(left))) < SAME_PLACE:
                    return True
        return False

    def _final(self, fitted: Placed) -> float:
        function = _TranslationFunction(self.search, self.calculated(self.search) if self.placed else None)
        peaks = function.peaks(fitted.model, fitted.xyz - fitted.xyz.mean(0))
        return max(peaks, key=lambda peak: peak.llg).tfz if peaks else 0.0


class _TranslationFunction:
    """cctbx's fast translation function (Navaza & Vernoslova 1995), with the known part and its grid prepared once."""

    def __init__(self, data: Transform, known: Any | None):
        self.data, self.known = data, known
        observed = data.weighted
        flags = translation_search.symmetry_flags(is_isotropic_search_model=False, have_f_part=known is not None)
        self.gridding = observed.crystal_gridding(symmetry_flags=flags, resolution_factor=0.25, max_prime=5)
        self.tags = maptbx.grid_tags(self.gridding.n_real())
        self.tags.build(observed.space_group_info().type(), flags)
        self.part = flex.complex_double() if known is None else flex.complex_double(np.ascontiguousarray(known))

    def peaks(self, model: SearchModel, xyz: Any) -> list[Placed]:
        """The highest peaks for the model oriented as `xyz` (about the origin), each with its correlation."""
        data, cell = self.data, self.data.symmetry.unit_cell()
        p1 = data.p1(model, xyz)
        target = translation_search.fast_nv1995(
            gridding=self.gridding.n_real(),
            space_group=data.symmetry.space_group(),
            anomalous_flag=False,
            miller_indices_f_obs=data.weighted.indices(),
            f_obs=data.weighted.data(),
            f_part=self.part,
            miller_indices_p1_f_calc=data.p1_set.indices(),
            p1_f_calc=p1,
        ).target_map()
        statistics = maptbx.statistics(target)
        found = maptbx.peak_list(
            data=target, tags=self.tags.tag_array(), peak_search_level=1, max_peaks=PEAKS_PER_ROTATION, interpolate=True
        )
        parts = data.parts(p1)
        out = []
        for site, height in zip(found.sites(), found.heights()):
            calculated = data.shifted(parts, site) + (0 if self.known is None else self.known)
            tfz = (height - statistics.mean()) / max(statistics.sigma(), 1e-9)
            moved = xyz + np.array(cell.orthogonalize(site))
            out.append(Placed(model, moved, tfz=float(tfz), cc=data.correlation(calculated), llg=data.likelihood.gain(calculated)))
        return out
