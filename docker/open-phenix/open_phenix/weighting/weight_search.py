"""The search for the weight (see trials.py): runs the trials, prints each, the choice and its reason."""

import math
from dataclasses import dataclass
from collections.abc import Callable, Sequence

from open_phenix.weighting import trials as rules
from open_phenix.weighting.trials import Fit, Limits, Setting, State, Trial


@dataclass(frozen=True)
class Wording:
    """How the log shows a fit: two column titles, `complement` for 1 - correlation, and how the limits of the fit are named."""

    work: str
    free: str
    complement: bool
    range_of: str

    def value(self, badness: float) -> float:
        """As the field gives it."""
        return 1 - badness if self.complement else badness


XRAY = Wording("r-work", "r-free", False, "R-free")
HALF_MAPS = Wording("fsc-w", "fsc-fr", True, "FSC with the other half map")
ONE_MAP = Wording("cc", "cc", True, "CC_mask")


@dataclass
class WeightSearch:
    """Short refinements of one model, each with another weight.

    `attempt` runs one (its number and setting given). Unless `every` trial is wanted, the first that asks for no other ends the
    search, two at least. `limits` is asked once, with the model as given.
    """

    settings: Sequence[Setting]
    attempt: Callable[[int, Setting], Trial]
    limits: Callable[[State], Limits]
    wording: Wording
    d_min: float
    every: bool = False
    raised_free: bool = False

    def run(self) -> Trial:
        """The best of the trials; `raised_free` says afterwards whether even that raised R-free by more than its uncertainty."""
        done: list[Trial] = []
        within: Limits | None = None
        for number, setting in enumerate(self.settings, start=1):
            trial = self.attempt(number, setting)
            if within is None:
                within = self.limits(trial.start)
                self._show_limits(within)
                self._show_row("start", trial.start, "")
            done.append(trial)
            self._show_row(_weight(trial.setting), trial.end, _words(trial, within))
            if not self.every and not rules.asks_for_another(done, within):
                break
        assert within is not None
        best = rules.choose(done, within)
        self.raised_free = best.raised_free(within)
        _show_choice(best, len(done), within)
        return best

    def _show_limits(self, within: Limits) -> None:
        gap = "" if within.gap is None else f", R-free - R-work {100 * within.gap:.1f} %"
        free = "" if within.free is None else f", R-free {within.free:.4f}"
        print(f"  Limits at {self.d_min:.2f} A for this model: {within.geometry.shown()}{gap}{free}; {self.wording.range_of} within "
              f"{100 * within.equal:.1f} % count as equal")
        print(f"  weight  {self.wording.work:>6s} {self.wording.free:>6s}   gap  bonds angles favored outliers clashscore")

    def _show_row(self, name: str, state: State, judged: str) -> None:
        fit, geometry = state.fit, state.geometry
        plot = geometry.ramachandran
        columns = (
            _shown(self.wording.value(fit.work), "6.4f"), _shown(self.wording.value(fit.free), "6.4f"),
            _shown(100 * fit.gap, "5.1f") + " ",
            _shown(geometry.bonds, "5.3f"), _shown(geometry.angles, "6.2f"), _shown(plot and plot.favored, "7.2f"),
            _shown(plot and plot.outliers, "8.2f"), _shown(geometry.clashscore, "10.2f"),
        )
        print(f"  {name:>6s}  {' '.join(columns)}  {judged}".rstrip(), flush=True)


def fit_of_correlations(work: float, free: float) -> Fit:
    """Of two correlations (of one map: twice the same)."""
    return Fit(1 - work, 1 - free)


def _shown(value: float | None, form: str) -> str:
    width = int(form.split(".")[0])
    return "-".rjust(width) if value is None or math.isnan(value) else format(value, form)


def _weight(setting: Setting) -> str:
    return "auto" if setting.weight is None else f"{setting.weight:.2f}"


def _words(trial: Trial, within: Limits) -> str:
    outside = rules.faults(trial, within)
    judged = "; ".join(outside) if outside else _kept(trial, within, "within all limits")
    return f"{'jelly body; ' if trial.setting.jelly_body else ''}{judged}"


def _kept(trial: Trial, within: Limits, words: str) -> str:
    """`words`, and geometry that is still improving towards the limits."""
    settling = trial.settling(within)
    return f"{words}, except {'; '.join(settling)} (it comes down from a distorted start)" if settling else words


def _show_choice(best: Trial, trials: int, within: Limits) -> None:
    setting, outside = best.setting, rules.faults(best, within)
    share = "as Servalcat estimates it" if setting.automatic else f"{setting.factor:g} of Servalcat's estimate"
    jelly = ", jelly-body restraints" if setting.jelly_body else ""
    of_trials = f"the best of {trials} trials" if trials > 1 else "no reason for another weight"
    kept = f"outside of the limits: {'; '.join(outside)}; {of_trials}" if outside else _kept(best, within, "it keeps all limits")
    if not outside and trials > 1:
        kept += f", the best of {trials} trials that does"
    print(f"Weight of the data: {_weight(setting)} ({share}{jelly}); {kept}")
