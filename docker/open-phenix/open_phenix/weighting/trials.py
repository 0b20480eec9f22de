"""How much the data weigh against the geometry: a few short trials, judged as PHENIX's optimize_xyz_weight judges its own.

The limits are PHENIX's, read from cctbx (mmtbx/refinement/weights_params.py): RMS of bonds and angles, gap between R-free and
R-work, and the range within which two R-free count as equal, each by resolution. Of what keeps the limits of geometry, all
within that range of the lowest R-free are equal; of these, what keeps the gap comes first, then the better Ramachandran plot,
then the lower R-free. PHENIX (P. V. Afonine et al. 2011, Comput. Crystallogr. Newsl. 2, 99-103; `score` in
mmtbx/refinement/adp_refinement.py) asks for the gap before R-free, which among a few trials can only choose one that fits
badly but evenly, and for the clashscore instead of the plot, which takes minutes here.

Trials go down from Servalcat's own estimate, exp(0.9104 d + 0.2162) (servalcat/refine/refine_xtal.py): it is too much, never
too little, where the data are few. At low resolution one of them has jelly-body restraints (to the distances as they are:
Murshudov et al. 2011, Acta Cryst. D67, 355): they save a good model, and hold back one that has far to go, so
all trials are made there and R-free decides. Seen with data cut at 3.0 A: a good model went to R-free 0.250 with, to 0.274
without; a shaken one to 0.336 with, to 0.227 without (15 cycles or less).
"""

import math
from dataclasses import dataclass
from collections.abc import Sequence

from open_phenix.xray.servalcat import Cycle, RunResult
from open_phenix.xray.validation import Ramachandran

# Angstrom. From here on PHENIX's table takes R-free within 1.5 % as equal, as R-free alone decides no more.
LOW_RESOLUTION = 2.5
_HIGH = ((1.0, False), (0.3, False), (0.1, False))  # share of the estimate, jelly body
_LOW = ((0.3, True), (0.3, False), (0.1, False))
# The model as submitted sets limits too, as data of low resolution are no reason to leave a good geometry.
# Per cent of the residues (but one at least) that may leave the favoured regions. Better than LOW_RESOLUTION the data say where
# the backbone goes: rnase at 1.85 A loses two of 183 residues while R-free falls by 0.01.
RAMACHANDRAN_LOSS = 2.0
RAMACHANDRAN_LOSS_LOW = 1.0
ANGLES_LOSS = 0.5  # degrees that RMS(angles) may rise at low resolution


@dataclass(frozen=True)
class Limits:
    """Upper limits: bonds (Angstrom), angles (degrees), R-free - R-work, R-free; the lower limit of favored residues (per
    cent); and the R-free range that counts as equal."""

    bonds: float
    angles: float
    gap: float
    r_free_range: float
    favored: float | None = None
    r_free: float | None = None


@dataclass(frozen=True)
class Setting:
    """What a trial tries: the weight, its share of Servalcat's estimate, jelly-body restraints or not."""

    weight: float
    factor: float
    jelly_body: bool = False

    @property
    def automatic(self) -> bool:
        """Servalcat's own way, its adjustments during the run included."""
        return self.factor == 1.0


@dataclass(frozen=True)
class Trial:
    """One setting and what became of the model with it."""

    setting: Setting
    result: RunResult
    ramachandran: Ramachandran | None

    @property
    def cycle(self) -> Cycle:
        """Statistics at its end."""
        return self.result.cycles[-1]

    @property
    def gap(self) -> float:
        """R-free - R-work."""
        return self.cycle.r_free - self.cycle.r_work


def limits(d_min: float, start: Cycle | None = None, ramachandran: Ramachandran | None = None, test_set: int = 0) -> Limits:
    """PHENIX's limits at that resolution (Angstrom), and what the model as given adds to them.

    Its R-free may rise by one standard uncertainty, R-free / sqrt(2 n) for n reflections of the test set (Tickle, Laskowski and
    Moss 2000, Acta Cryst. D56, 442).
    """
    from mmtbx.refinement.weights_params import tw_customizations_params

    rows = tw_customizations_params.extract().weight_selection_criteria
    row = next(row for row in rows if row.d_min <= d_min < row.d_max)
    angles = row.angles_rmsd
    if start is not None and start.angles is not None and d_min >= LOW_RESOLUTION:
        angles = min(angles, start.angles + ANGLES_LOSS)
    favored = None
    if ramachandran is not None:
        loss = RAMACHANDRAN_LOSS_LOW if d_min >= LOW_RESOLUTION else RAMACHANDRAN_LOSS
        favored = ramachandran.favored - max(loss, 100.0 / ramachandran.total)
    r_free = start.r_free * (1 + 1 / math.sqrt(2 * test_set)) if start is not None and test_set else None
    return Limits(row.bonds_rmsd, angles, row.r_free_minus_r_work / 100, row.r_free_range_width / 100, favored, r_free)


def settings(d_min: float) -> list[Setting]:
    """What is tried, in this order."""
    estimate = math.exp(0.9104 * d_min + 0.2162)
    return [Setting(estimate * share, share, jelly) for share, jelly in (_LOW if d_min >= LOW_RESOLUTION else _HIGH)]


def geometry_faults(cycle: Cycle, ramachandran: Ramachandran | None, within: Limits) -> list[str]:
    """What of the geometry is outside of the limits, in words."""
    faults = []
    if cycle.bonds is not None and cycle.bonds > within.bonds:
        faults.append(f"bonds above {within.bonds:.3f} A")
    if cycle.angles is not None and cycle.angles > within.angles:
        faults.append(f"angles above {within.angles:.2f} deg")
    if ramachandran is not None and within.favored is not None and ramachandran.favored < within.favored:
        faults.append(f"Ramachandran favored below {within.favored:.1f} %")
    return faults


def asks_for_another(trials: Sequence[Trial], within: Limits) -> bool:
    """Whether a lower weight is worth a trial: geometry outside of the limits, or R-free above that of the model as given.

    The latter asks once: a weight that is lower still has not been seen to mend it. The gap alone asks for none.
    """
    last = trials[-1]
    if geometry_faults(last.cycle, last.ramachandran, within):
        return True
    return len(trials) == 1 and raised_r_free(last, within)


def raised_r_free(trial: Trial, within: Limits) -> bool:
    """R-free has risen above that of the model as given by more than its uncertainty."""
    return within.r_free is not None and trial.cycle.r_free > within.r_free


def faults(trial: Trial, within: Limits) -> list[str]:
    """What of a trial is outside of the limits, in words."""
    found = geometry_faults(trial.cycle, trial.ramachandran, within)
    if trial.gap > within.gap:
        found.append(f"gap above {100 * within.gap:.1f} %")
    if raised_r_free(trial, within):
        found.append(f"R-free above {within.r_free:.4f}")
    return found


def choose(trials: Sequence[Trial], within: Limits) -> Trial:
    """The best trial, by the order of criteria above. Where none keeps a limit, the one nearest to it stays."""
    left = list(trials)
    good = [trial for trial in left if not geometry_faults(trial.cycle, trial.ramachandran, within)]
    left = good or [min(left, key=_distortion)]
    lowest = min(trial.cycle.r_free for trial in left)
    left = [trial for trial in left if trial.cycle.r_free <= lowest + within.r_free_range]
    left = [trial for trial in left if trial.gap <= within.gap] or left
    return min(left, key=lambda trial: (-_favored(trial), trial.cycle.r_free))


def _favored(trial: Trial) -> float:
    return trial.ramachandran.favored if trial.ramachandran is not None else 0.0


def _distortion(trial: Trial) -> "tuple[float, float]":
    return (-_favored(trial), trial.cycle.angles or 0.0)
