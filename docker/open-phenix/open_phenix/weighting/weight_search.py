"""The search for the weight (see weights.py): runs the trials, prints each, and what was chosen and why."""

from dataclasses import replace
from pathlib import Path

from open_phenix.core.errors import Sorry
from open_phenix.xray import servalcat, validation, weights
from open_phenix.xray.servalcat import Cycle, RunOptions, RunResult
from open_phenix.xray.validation import Ramachandran
from open_phenix.xray.weights import Limits, Setting, Trial


class WeightSearch:
    """Short refinements of one model, each with another weight; files go into `scratch`."""

    def __init__(self, options: RunOptions, d_min: float, test_set: int, scratch: Path, every: bool):
        """Unless `every` trial is wanted, the first that asks for no other ends the search at high resolution.

        `raised_r_free` tells afterwards whether the chosen trial raised R-free by more than its uncertainty.
        """
        self.options = options
        self.d_min = d_min
        self.test_set = test_set
        self.scratch = scratch
        self.raised_r_free = False
        self.every = every or d_min >= weights.LOW_RESOLUTION

    def run(self, model: Path, cycles: int, submitted: Ramachandran | None) -> Trial:
        """The best of the trials, `cycles` cycles each."""
        trials: list[Trial] = []
        within: Limits | None = None
        for number, setting in enumerate(weights.settings(self.d_min), start=1):
            trial = self._try(number, setting, model, cycles)
            if within is None:
                within = weights.limits(self.d_min, trial.result.cycles[0], submitted, self.test_set)
                _show_limits(self.d_min, within)
                _show_row("start", trial.result.cycles[0], submitted, "")
            trials.append(trial)
            outside = weights.faults(trial, within)
            _show_row(f"{setting.weight:.2f}", trial.cycle, trial.ramachandran, _words(setting, outside))
            if not self.every and not weights.asks_for_another(trials, within):
                break
        assert within is not None
        best = weights.choose(trials, within)
        self.raised_r_free = weights.raised_r_free(best, within)
        _show_choice(best, len(trials), weights.faults(best, within))
        return best

    def options_for(self, setting: Setting) -> RunOptions:
        """How Servalcat is run with that setting."""
        return replace(
            self.options, weight=None if setting.automatic else setting.weight, jelly_body=setting.jelly_body
        )

    def _try(self, number: int, setting: Setting, model: Path, cycles: int) -> Trial:
        def report(cycle: int, r_work: float, r_free: float) -> None:
            print(f"  trial {number}, cycle {cycle}: R-work = {r_work:.4f}, R-free = {r_free:.4f}", flush=True)

        result = servalcat.refine(model, self.options_for(setting), cycles, self.scratch / f"trial_{number}", report)
        check_cycles(result)
        return Trial(setting, result, validation.ramachandran_or_none(result.model_like(model)))


def check_cycles(result: RunResult) -> None:
    """Sorry if a run gave no R values."""
    if not result.cycles or not all(c.r_work == c.r_work and c.r_free == c.r_free for c in result.cycles):
        raise Sorry("Servalcat gave no R values; see its log")


def _words(setting: Setting, outside: list[str]) -> str:
    judged = "; ".join(outside) if outside else "within all limits"
    return f"{'jelly body; ' if setting.jelly_body else ''}{judged}"


def _show_limits(d_min: float, within: Limits) -> None:
    favored = "" if within.favored is None else f", Ramachandran favored {within.favored:.1f} %"
    r_free = "" if within.r_free is None else f", R-free {within.r_free:.4f}"
    print(f"  Limits at {d_min:.2f} A: bonds {within.bonds:.3f} A, angles {within.angles:.2f} deg, R-free - R-work "
          f"{100 * within.gap:.1f} %{favored}{r_free}; R-free within {100 * within.r_free_range:.1f} % count as equal")
    print("  weight  r-work r-free   gap  bonds angles favored")


def _show_row(name: str, cycle: Cycle, ramachandran: Ramachandran | None, judged: str) -> None:
    bonds = "    -" if cycle.bonds is None else f"{cycle.bonds:5.3f}"
    angles = "    -" if cycle.angles is None else f"{cycle.angles:5.2f}"
    favored = "     -" if ramachandran is None else f"{ramachandran.favored:6.2f}"
    print(f"  {name:>6s}  {cycle.r_work:.4f} {cycle.r_free:.4f} {100 * (cycle.r_free - cycle.r_work):5.1f}  {bonds}  {angles}  "
          f"{favored}  {judged}".rstrip(), flush=True)


def _show_choice(best: Trial, trials: int, outside: list[str]) -> None:
    setting = best.setting
    share = "as Servalcat estimates it" if setting.automatic else f"{setting.factor:g} of Servalcat's estimate"
    jelly = ", jelly-body restraints" if setting.jelly_body else ""
    of_trials = f"the best of {trials} trials" if trials > 1 else "no reason for another weight"
    kept = f"outside of the limits: {'; '.join(outside)}; {of_trials}" if outside else "it keeps all limits"
    if not outside and trials > 1:
        kept += f", the best of {trials} trials that does"
    print(f"Weight of the data: {setting.weight:.2f} ({share}{jelly}); {kept}")
