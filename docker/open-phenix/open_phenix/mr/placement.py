"""Where does it stand? cctbx's fast translation function for each orientation, then correlation, packing, rigid body."""

from dataclasses import dataclass
from typing import Any
from collections.abc import Callable

from open_phenix.mr.packing import clash_fraction
from open_phenix.mr.rotation import Orientation
from open_phenix.mr.search_model import SearchModel

from cctbx import crystal, maptbx, translation_search
from cctbx.array_family import flex
import numpy as np
from scipy import optimize
from scipy.spatial.transform import Rotation

MAXIMUM_CLASH = 0.08  # of the CA atoms
PEAKS_PER_ROTATION = 4
RIGID_BODY_STEPS = 160


@dataclass
class Placed:
    """One copy: coordinates (A), Z of rotation and translation function, correlation with the data, clashing part."""

    xyz: Any
    rfz: float
    tfz: float
    cc: float
    clash: float


def correlation(observed: Any, calculated: Any) -> float:
    """Linear correlation of observed and calculated amplitudes."""
    return flex.linear_correlation(observed.data(), flex.abs(calculated.data())).coefficient()


class Placement:
    """Finds one copy after the other; what is placed already counts as known."""

    def __init__(self, observed: Any, fine: Any, model: SearchModel):
        """`observed`: amplitudes for the search, `fine`: amplitudes for the rigid body."""
        self.observed, self.fine, self.model = observed, fine, model
        self.symmetry = observed.crystal_symmetry()
        self.placed: list[Placed] = []

    def calculated(self, data: Any, copies: list[Any] | None = None) -> Any:
        """F(calc) of all placed copies (or of the given coordinates) on the reflections of `data`; None without any."""
        coordinates = [copy.xyz for copy in self.placed] if copies is None else copies
        total = None
        for xyz in coordinates:
            one = self.model.structure_factors(self.symmetry, xyz, data.d_min() * 0.999).common_set(data)
            total = one if total is None else total.customized_copy(data=total.data() + one.data())
        return total

    def candidates(self, orientations: list[Orientation], report: Callable[[int], None]) -> list[Placed]:
        """Peaks of the translation function for each orientation, the best first: no clash, then by correlation."""
        known = self.calculated(self.observed)
        flags = translation_search.symmetry_flags(is_isotropic_search_model=False, have_f_part=known is not None)
        gridding = self.observed.crystal_gridding(symmetry_flags=flags, resolution_factor=0.25, max_prime=5)
        tags = maptbx.grid_tags(gridding.n_real())
        tags.build(self.observed.space_group_info().type(), flags)
        found: list[Placed] = []
        for number, orientation in enumerate(orientations):
            found += self._peaks(orientation, known, gridding, tags)
            report(number + 1)
        found.sort(key=lambda placed: (placed.clash > MAXIMUM_CLASH, -placed.cc))
        return found

    def _peaks(self, orientation: Orientation, known: Any, gridding: Any, tags: Any) -> list[Placed]:
        cell = self.symmetry.unit_cell()
        xyz = orientation.rotation.apply(self.model.xyz)
        in_p1 = self.model.structure_factors(crystal.symmetry(cell, "P1"), xyz, self.observed.d_min()).expand_to_p1()
        function = translation_search.fast_nv1995(
            gridding=gridding.n_real(),
            space_group=self.symmetry.space_group(),
            anomalous_flag=False,
            miller_indices_f_obs=self.observed.indices(),
            f_obs=self.observed.data(),
            f_part=known.data() if known is not None else flex.complex_double(),
            miller_indices_p1_f_calc=in_p1.indices(),
            p1_f_calc=in_p1.data(),
        )
        target = function.target_map()
        statistics = maptbx.statistics(target)
        peaks = maptbx.peak_list(
            data=target, tags=tags.tag_array(), peak_search_level=1, max_peaks=PEAKS_PER_ROTATION, interpolate=True
        )
        found = []
        for site, height in zip(peaks.sites(), peaks.heights()):
            moved = xyz + np.array(cell.orthogonalize(site))
            tfz = (height - statistics.mean()) / max(statistics.sigma(), 1e-9)
            found.append(self._judged(moved, orientation.z, float(tfz), known))
        return found

    def _judged(self, xyz: Any, rfz: float, tfz: float, known: Any) -> Placed:
        calculated = self.calculated(self.observed, [xyz])
        if known is not None:
            calculated = calculated.customized_copy(data=calculated.data() + known.data())
        traces = [copy.xyz[self.model.trace] for copy in self.placed] + [xyz[self.model.trace]]
        return Placed(xyz, rfz, tfz, correlation(self.observed, calculated), clash_fraction(self.symmetry, traces))

    def rigid_body(self, start: Placed) -> Placed:
        """The copy after a rigid-body fit (Nelder-Mead on the correlation with the `fine` amplitudes)."""
        centre = start.xyz.mean(0)
        known = self.calculated(self.fine)

        def moved(v: Any) -> Any:
            return Rotation.from_rotvec(v[:3] / 30).apply(start.xyz - centre) + centre + v[3:]

        def cost(v: Any) -> float:
            calculated = self.calculated(self.fine, [moved(v)])
            if known is not None:
                calculated = calculated.customized_copy(data=calculated.data() + known.data())
            return -correlation(self.fine, calculated)

        simplex = np.vstack([np.zeros(6), np.eye(6) * 0.7])
        best = optimize.minimize(
            cost, np.zeros(6), method="Nelder-Mead", options={"maxfev": RIGID_BODY_STEPS, "initial_simplex": simplex}
        )
        return Placed(moved(best.x), start.rfz, start.tfz, -float(best.fun), start.clash)


def r_factor(observed: Any, calculated: Any) -> float:
    """R with one overall scale factor."""
    amplitudes = flex.abs(calculated.data())
    scale = flex.sum(observed.data() * amplitudes) / flex.sum(flex.pow2(amplitudes))
    return flex.sum(flex.abs(observed.data() - scale * amplitudes)) / flex.sum(observed.data())
