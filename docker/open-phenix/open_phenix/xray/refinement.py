"""One refinement: macro cycles of Servalcat with water updates between them.

A PHENIX macro cycle refines coordinates, B values and scales in turn; CYCLES_PER_MACRO of Servalcat's full-matrix-like
cycles (all of it at once) stand for one. The first macro cycle is that of the trial whose weight was chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import gemmi

from open_phenix.core.errors import Sorry
from open_phenix.weighting import geometry_limits, weight_search
from open_phenix.weighting.geometry_limits import Geometry
from open_phenix.weighting.trials import Fit, Setting, State, Trial, xray_limits, xray_settings
from open_phenix.xray import geometry, models, servalcat, validation, waters
from open_phenix.xray.servalcat import Cycle, RunOptions, RunResult
from open_phenix.xray.validation import Ramachandran

CYCLES_PER_MACRO = 5
NOTICEABLE = 0.001  # a rise of R-free


@dataclass(frozen=True)
class Plan:
    """Options of one refinement.

    `test_set`: how many reflections R-free is of. `weight_search`: True, all trials; False, none; None, as many as the limits
    ask for. `clashscore` False saves the time that it takes (seconds at the start and at the end).
    """

    macro_cycles: int
    ordered_solvent: bool
    d_min: float
    test_set: int
    weight_search: bool | None = None
    clashscore: bool = True


@dataclass
class Outcome:
    """The last run, the statistics of all steps (stage, cycle, waters), the submitted model and the options."""

    final: RunResult
    steps: list[tuple[str, Cycle, int]] = field(default_factory=list)
    start: Geometry = Geometry()
    end: Geometry = Geometry()
    c_beta: tuple[int | None, int | None] = (None, None)
    faults: list[str] = field(default_factory=list)


class Refinement:
    """Runs the plan in a scratch folder, and reports each cycle as it ends."""

    def __init__(
        self,
        model: Path,
        structure: gemmi.Structure,
        options: RunOptions,
        plan: Plan,
        scratch: Path,
        submitted: gemmi.Structure | None = None,
        beside: Sequence[tuple[str, gemmi.Residue]] = (),
    ):
        """`structure` is where it begins; `submitted` is what sets the limits of geometry, where that is another one.

        `beside`: residues of the model that are not refined; no water takes their place.
        """
        self.original = model
        self.beside = beside
        self.structure = structure
        self.submitted = submitted
        self.options = options
        self.plan = plan
        self.scratch = scratch
        self.outcome: Outcome | None = None
        self.done = 0
        self.segments: list[tuple[RunResult, gemmi.Structure]] = []

    def run(self) -> Outcome:
        """All macro cycles; with ordered solvent, waters are added before each (the weight is judged with them), and sifted
        before the last."""
        began = submitted = self._write("start")
        if self.submitted is not None:
            submitted = models.write_like(self.submitted, self.original, self.scratch / "submitted")
        start = validation.ramachandran_or_none(submitted)
        if self.plan.ordered_solvent:
            self._first_waters(began)
        for number, (stage, cycles, update) in enumerate(self._segments()):
            if update:
                self._update_waters(add=update == "add")
            if number == 0 and self.plan.weight_search is not False:
                hopeless = self._weighed(stage, cycles, start) and not self.plan.ordered_solvent and self._got_worse()
                if hopeless and len(self._segments()) > 1:
                    print("  R-free has risen with each weight and no waters are to come: no further macro cycles")
                    break
            else:
                self._segment(number, stage, cycles)
        assert self.outcome is not None
        self._without_overfitting(self.outcome)
        if self._got_worse():
            self._keep_submitted(self.outcome, began)
        self._judge(self.outcome, submitted, start)
        return self.outcome

    def _segments(self) -> list[tuple[int, int, str]]:
        """(macro cycle at the end, servalcat cycles, water update before: '', 'add' or 'sift')."""
        total = self.plan.macro_cycles
        if not self.plan.ordered_solvent:
            if self.plan.weight_search is False:
                return [(total, total * CYCLES_PER_MACRO, "")]
            first = [(1, CYCLES_PER_MACRO, "")]
            return first + ([(total, (total - 1) * CYCLES_PER_MACRO, "")] if total > 1 else [])
        middle = [(n, CYCLES_PER_MACRO, "add") for n in range(2, total + 1)]
        if total > 2:
            middle[-1] = (total, CYCLES_PER_MACRO, "sift")
        return [(1, CYCLES_PER_MACRO, "")] + middle

    def _write(self, name: str) -> Path:
        return models.write_like(self.structure, self.original, self.scratch / name)

    def _weighed(self, last_macro: int, cycles: int, start: Ramachandran | None) -> bool:
        """The first segment with several weights; it continues from the best. True if even that raised R-free."""
        model = self._write("in_0")
        d_min, test_set = self.plan.d_min, self.plan.test_set

        def attempt(number: int, setting: Setting) -> Trial:
            def report(cycle: int, r_work: float, r_free: float) -> None:
                print(f"  trial {number}, cycle {cycle}: R-work = {r_work:.4f}, R-free = {r_free:.4f}", flush=True)

            result = servalcat.refine(model, self._options_for(setting), cycles, self.scratch / f"trial_{number}", report)
            check_cycles(result)
            plot = validation.ramachandran_or_none(result.model_like(model))
            return Trial(setting, state_of(result.cycles[0], start), state_of(result.cycles[-1], plot), result)

        every = self.plan.weight_search is True or d_min >= geometry_limits.LOW_RESOLUTION
        search = weight_search.WeightSearch(
            xray_settings(d_min), attempt, lambda state: xray_limits(d_min, state, test_set), weight_search.XRAY, d_min, every
        )
        best = search.run()
        self.options = self._options_for(best.setting)
        self._accept(best.result, model, last_macro, cycles)
        return search.raised_free

    def _options_for(self, setting: Setting) -> RunOptions:
        weight = None if setting.automatic else setting.weight
        return replace(self.options, weight=weight, jelly_body=setting.jelly_body)

    def _first_waters(self, submitted: Path) -> None:
        """Those that the maps of the model as submitted show."""
        result = servalcat.refine(submitted, self.options, 0, self.scratch / "first_maps", lambda *_: None)
        check_cycles(result)
        self.outcome = Outcome(result, [("0", result.cycles[0], models.count_waters(self.structure))])
        self._update_waters(add=True)

    def _got_worse(self) -> bool:
        """R-free has risen since the start, noticeably and by more than R-work has fallen."""
        assert self.outcome is not None
        first, last = self.outcome.steps[0][1], self.outcome.steps[-1][1]
        rise = last.r_free - first.r_free
        return rise >= NOTICEABLE and rise > first.r_work - last.r_work

    def _segment(self, number: int, last_macro: int, cycles: int) -> None:
        model = self._write(f"in_{number}")

        def report(cycle: int, r_work: float, r_free: float) -> None:
            print(f"  cycle {self.done + cycle:3d}: R-work = {r_work:.4f}, R-free = {r_free:.4f}", flush=True)

        result = servalcat.refine(model, self.options, cycles, self.scratch / f"out_{number}", report)
        check_cycles(result)
        self._accept(result, model, last_macro, cycles)

    def _accept(self, result: RunResult, model: Path, last_macro: int, cycles: int) -> None:
        self._record(result, last_macro, cycles, models.count_waters(self.structure))
        self.done += cycles
        self.structure = models.read(result.model_like(model))
        self.segments.append((result, self.structure.clone()))

    def _without_overfitting(self, outcome: Outcome) -> None:
        """Go back to an earlier macro cycle if R-free has risen since by more than R-work has fallen."""
        best, structure = min(self.segments, key=lambda segment: segment[0].cycles[-1].r_free)
        was, now = best.cycles[-1], outcome.final.cycles[-1]
        rise = now.r_free - was.r_free
        if rise < NOTICEABLE or rise <= was.r_work - now.r_work:
            return
        stage = next(stage for stage, cycle, _ in outcome.steps if cycle is was)
        print(f"  R-free has risen by {rise:.4f} since macro cycle {stage} and R-work has not fallen as much: its model is taken")
        self.structure, outcome.final = structure, best
        outcome.steps.append((stage, was, models.count_waters(structure)))

    def _keep_submitted(self, outcome: Outcome, submitted: Path) -> None:
        """Write the model as submitted instead of a refined one that is worse.

        Unless bonds or angles of that model are outside of the limits: then a worse fit may be the price of a sound geometry.
        """
        first, last = outcome.steps[0][1], outcome.steps[-1][1]
        if geometry_limits.faults(geometry_of(first, None), geometry_limits.limits(self.plan.d_min)):
            return
        print(f"  refinement ends at R-work = {last.r_work:.4f}, R-free = {last.r_free:.4f}, worse than the model as submitted "
              f"({first.r_work:.4f}, {first.r_free:.4f}): that one is written, with its maps")
        kept = servalcat.refine(submitted, self.options, 0, self.scratch / "as_submitted", lambda *_: None)
        kept.twin_fractions = kept.twin_fractions or outcome.final.twin_fractions
        self.structure = models.read(kept.model_like(submitted))
        outcome.final = kept
        outcome.steps.append(("0", kept.cycles[-1], models.count_waters(self.structure)))

    def _record(self, result: RunResult, last_macro: int, cycles: int, waters_now: int) -> None:
        if self.outcome is None:
            self.outcome = Outcome(result, [("0", result.cycles[0], waters_now)])
        steps = max(1, cycles // CYCLES_PER_MACRO)
        first_macro = last_macro - steps + 1
        for step in range(steps):
            at = min((step + 1) * cycles // steps, len(result.cycles) - 1)
            self.outcome.steps.append((str(first_macro + step), result.cycles[at], waters_now))
        self.outcome.final = result

    def _update_waters(self, add: bool) -> None:
        assert self.outcome is not None
        mtz = self.outcome.final.mtz
        removed = waters.remove_bad(self.structure, mtz)
        added = waters.add(self.structure, mtz, self.scratch) if add else 0
        added -= len(waters.remove_at(self.structure, self.beside))
        total = models.count_waters(self.structure)
        print(f"  ordered solvent: {added} waters added, {removed} removed, {total} in the model", flush=True)

    def _judge(self, outcome: Outcome, submitted: Path, start: Ramachandran | None) -> None:
        """Geometry at the end: the plot, C-beta, and what is outside of the limits for this resolution and this model."""
        refined = self._write("end")
        dictionaries, scores = list(self.options.dictionaries), (None, None)
        if self.plan.clashscore:
            scores = tuple(  # type: ignore[assignment]
                validation.clashscore_or_none(models.read(path), dictionaries, self.scratch) for path in (submitted, refined)
            )
        outcome.start = replace(self._geometry_as_submitted(outcome, start), clashscore=scores[0])
        plot = validation.ramachandran_or_none(refined)
        outcome.end = replace(geometry_of(outcome.steps[-1][1], plot), clashscore=scores[1])
        outcome.c_beta = (validation.c_beta_or_none(submitted), validation.c_beta_or_none(refined))
        within = geometry_limits.limits(self.plan.d_min, outcome.start)
        outcome.faults = geometry_limits.faults(outcome.end, within)

    def _geometry_as_submitted(self, outcome: Outcome, plot: Ramachandran | None) -> Geometry:
        if self.submitted is None:
            return geometry_of(outcome.steps[0][1], plot)
        found = geometry.deviations(self.submitted, self.options.dictionaries)
        return Geometry(found.bonds, found.angles, plot)


def geometry_of(cycle: Cycle, plot: Ramachandran | None) -> Geometry:
    """Bonds and angles by Servalcat, the plot by cctbx."""
    return Geometry(cycle.bonds, cycle.angles, plot)


def state_of(cycle: Cycle, plot: Ramachandran | None) -> State:
    """Input of the weight search."""
    return State(Fit(cycle.r_work, cycle.r_free), geometry_of(cycle, plot))


def check_cycles(result: RunResult) -> None:
    """Sorry if a run gave no R values."""
    if not result.cycles or not all(c.r_work == c.r_work and c.r_free == c.r_free for c in result.cycles):
        raise Sorry("Servalcat gave no R values; see its log")
