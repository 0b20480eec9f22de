"""How much the data weigh against the geometry: a few short trials, judged as PHENIX's optimize_xyz_weight judges its own.

Of what keeps the limits of geometry (geometry_limits.py), all within a range of the best fit are equal; of these, what keeps the
gap comes first, then an acceptable clashscore (measured in cryo-EM only: a start with many contacts allows as many, which is no
reason to keep them), then the better Ramachandran plot, the smaller RMS(angles), the better fit. The fit is R-free, or in cryo-EM
1 - FSC with the half map that was not refined against (Brown et al. 2015, Acta Cryst. D71, 136); with one map alone it is
1 - CC_mask, which no map cross-validates, so that the geometry decides. Gap and range of R-free are PHENIX's, by resolution
(cctbx, mmtbx/refinement/weights_params.py). PHENIX (P. V. Afonine et al. 2011, Comput. Crystallogr. Newsl. 2, 99-103; `score` in
mmtbx/refinement/adp_refinement.py) asks for the gap before R-free, which among a few trials can only choose one that fits
badly but evenly, and for the clashscore instead of the plot, which takes minutes here.

Trials go down from Servalcat's own estimate: it is too much, never too little, where the data are few. At low resolution one of
the X-ray trials has jelly-body restraints (to the distances as they are: Murshudov et al. 2011, Acta Cryst. D67, 355): they save
a good model, and hold back one that has far to go, so all trials are made there and R-free decides. Seen with data cut at 3.0 A:
a good model went to R-free 0.250 with, to 0.274 without; a shaken one to 0.336 with, to 0.227 without (15 cycles or less).
They also hold back bonds and angles of a distorted start, which come down over more cycles than a trial has: half of the way counts
as kept. Seen with TEM1 and BLIP at 3.0 A, whose search models have RMS(angles) 3.15: 2.36 after 5 cycles, 1.80 after 25.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any
from collections.abc import Sequence

from open_phenix.weighting import geometry_limits
from open_phenix.weighting.geometry_limits import LOW_RESOLUTION, Geometry, GeometryLimits

_HIGH = ((1.0, False), (0.3, False), (0.1, False))  # share of the estimate, jelly body
_LOW = ((0.3, True), (0.3, False), (0.1, False))
# A difference of CC or FSC that knowledge/metrics.yaml calls significant too.
EQUAL_CORRELATIONS = 0.01
# The same of R-free; PHENIX takes none as equal better than 2 A, but a test set of 1,000 knows R-free no better than this.
EQUAL_R_FREE = 0.005


@dataclass(frozen=True)
class Fit:
    """How badly a model fits, from 0 on: R-work and R-free, or 1 - correlation. Without cross-validation both are the same."""

    work: float
    free: float

    @property
    def gap(self) -> float:
        """Loss through cross-validation."""
        return self.free - self.work


UNKNOWN = Fit(math.nan, math.nan)  # of a model that was never compared with the data


@dataclass(frozen=True)
class State:
    """A model at one point: its fit and its geometry."""

    fit: Fit
    geometry: Geometry


@dataclass(frozen=True)
class Limits:
    """Of the geometry and of the fit: the gap and the value that may not be exceeded (None: no limit), and the range of equal
    values."""

    geometry: GeometryLimits
    equal: float
    gap: float | None = None
    free: float | None = None


@dataclass(frozen=True)
class Setting:
    """What a trial tries: the share of Servalcat's estimate, the weight where it is known, jelly-body restraints or not."""

    factor: float
    weight: float | None = None
    jelly_body: bool = False

    @property
    def automatic(self) -> bool:
        """Servalcat's own way, its adjustments during the run included."""
        return self.factor == 1.0


@dataclass(frozen=True)
class Trial:
    """One setting, the resulting model and its outcome; `result` belongs to the caller."""

    setting: Setting
    start: State
    end: State
    result: Any = field(default=None, compare=False)

    def distortion(self, within: Limits) -> list[str]:
        """Geometry outside the limits, in words."""
        limits = within.geometry
        if self.setting.jelly_body:
            start = self.start.geometry
            limits = replace(limits, bonds=_half_way(start.bonds, limits.bonds), angles=_half_way(start.angles, limits.angles))
        return geometry_limits.faults(self.end.geometry, limits)

    def settling(self, within: Limits) -> list[str]:
        """Geometry still outside the limits but improving, in words."""
        return [] if self.distortion(within) else geometry_limits.faults(self.end.geometry, within.geometry)

    def raised_free(self, within: Limits) -> bool:
        """R-free has risen above that of the model as given by more than its uncertainty."""
        return within.free is not None and self.end.fit.free > within.free


def xray_limits(d_min: float, start: State | None = None, test_set: int = 0) -> Limits:
    """PHENIX's limits at that resolution (Angstrom), and what the model as given adds to them.

    Its R-free may rise by one standard uncertainty, R-free / sqrt(2 n) for n reflections of the test set (Tickle, Laskowski and
    Moss 2000, Acta Cryst. D56, 442).
    """
    from mmtbx.refinement.weights_params import tw_customizations_params

    rows = tw_customizations_params.extract().weight_selection_criteria
    row = next(row for row in rows if row.d_min <= d_min < row.d_max)
    free = start.fit.free * (1 + 1 / math.sqrt(2 * test_set)) if start is not None and test_set else None
    geometry = geometry_limits.limits(d_min, Geometry() if start is None else start.geometry)
    return Limits(geometry, max(EQUAL_R_FREE, row.r_free_range_width / 100), row.r_free_minus_r_work / 100, free)


def map_limits(resolution: float, start: Geometry) -> Limits:
    """In cryo-EM."""
    return Limits(geometry_limits.limits(resolution, start), EQUAL_CORRELATIONS)


def xray_settings(d_min: float) -> list[Setting]:
    """What is tried, in this order; Servalcat's estimate is exp(0.9104 d + 0.2162) (servalcat/refine/refine_xtal.py)."""
    estimate = math.exp(0.9104 * d_min + 0.2162)
    return [Setting(share, estimate * share, jelly) for share, jelly in (_LOW if d_min >= LOW_RESOLUTION else _HIGH)]


def map_settings(estimate: float | None = None) -> list[Setting]:
    """The same in cryo-EM, where Servalcat first reports its estimate (from the resolution and how much the model fills)."""
    return [Setting(share, None if estimate is None else estimate * share) for share, _jelly in _HIGH]


def asks_for_another(trials: Sequence[Trial], within: Limits) -> bool:
    """Whether a lower weight is worth a trial: always one, as it may fit as well with a better geometry, and a third where the
    geometry is outside of the limits, or the start was no better but not good."""
    return len(trials) == 1 or bool(trials[-1].distortion(within)) or _is_crowded(trials[-1])


def faults(trial: Trial, within: Limits) -> list[str]:
    """Values of a trial outside the limits, in words."""
    found = trial.distortion(within)
    if within.gap is not None and trial.end.fit.gap > within.gap:
        found.append(f"gap above {100 * within.gap:.1f} %")
    if trial.raised_free(within):
        found.append(f"R-free above {within.free:.4f}")
    return found


def choose(trials: Sequence[Trial], within: Limits) -> Trial:
    """The best trial, by the order of criteria above. Where none keeps a limit, the one nearest to it stays."""
    left = list(trials)
    good = [trial for trial in left if not trial.distortion(within)]
    left = good or [min(left, key=_distortion)]
    lowest = min(trial.end.fit.free for trial in left)
    left = [trial for trial in left if trial.end.fit.free <= lowest + within.equal]
    gap = within.gap
    left = [trial for trial in left if gap is None or trial.end.fit.gap <= gap] or left
    left = [trial for trial in left if not _is_crowded(trial)] or left
    return min(left, key=lambda trial: (-_favored(trial), trial.end.geometry.angles or 0.0, trial.end.fit.free))


def _is_crowded(trial: Trial) -> bool:
    """The clashscore is not acceptable, whatever the start allows."""
    clashscore = trial.end.geometry.clashscore
    return clashscore is not None and clashscore > geometry_limits.CLASHSCORE


def _half_way(start: float | None, limit: float) -> float:
    return limit if start is None else max(limit, (start + limit) / 2)


def _favored(trial: Trial) -> float:
    plot = trial.end.geometry.ramachandran
    return plot.favored if plot is not None else 0.0


def _distortion(trial: Trial) -> "tuple[float, float]":
    return (-_favored(trial), trial.end.geometry.angles or 0.0)
