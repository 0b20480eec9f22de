"""One refinement: macro cycles of Servalcat with water updates by Coot between them.

A PHENIX macro cycle refines coordinates, B values and scales in turn; CYCLES_PER_MACRO of Servalcat's full-matrix-like
cycles (all of it at once) stand for one.
"""

from dataclasses import dataclass, field
from pathlib import Path

import gemmi

from open_phenix.core.errors import Sorry
from open_phenix.xray import models, servalcat, waters
from open_phenix.xray.servalcat import Cycle, RunOptions, RunResult

CYCLES_PER_MACRO = 5


@dataclass(frozen=True)
class Plan:
    """How one refinement goes."""

    macro_cycles: int
    ordered_solvent: bool


@dataclass
class Outcome:
    """The last run, the statistics of all steps (stage, cycle, waters) and the twin fractions."""

    final: RunResult
    steps: list[tuple[str, Cycle, int]] = field(default_factory=list)


class Refinement:
    """Runs the plan in a scratch folder, and reports each cycle as it ends."""

    def __init__(self, model: Path, structure: gemmi.Structure, options: RunOptions, plan: Plan, scratch: Path):
        self.original = model
        self.structure = structure
        self.options = options
        self.plan = plan
        self.scratch = scratch
        self.outcome: Outcome | None = None
        self.done = 0

    def run(self) -> Outcome:
        """All macro cycles; with ordered solvent, waters are added before each but the first, and sifted before the last."""
        segments = self._segments()
        for number, (stage, cycles, update) in enumerate(segments):
            if update:
                self._update_waters(add=update == "add")
            self._segment(number, stage, cycles)
        assert self.outcome is not None
        return self.outcome

    def _segments(self) -> list[tuple[int, int, str]]:
        """(macro cycle at the end, servalcat cycles, water update before: '', 'add' or 'sift')."""
        total = self.plan.macro_cycles
        if not self.plan.ordered_solvent:
            return [(total, total * CYCLES_PER_MACRO, "")]
        if total == 1:
            return [(0, 2, ""), (1, CYCLES_PER_MACRO, "add")]
        middle = [(n, CYCLES_PER_MACRO, "add") for n in range(2, total + 1)]
        if total > 2:
            middle[-1] = (total, CYCLES_PER_MACRO, "sift")
        return [(1, CYCLES_PER_MACRO, "")] + middle

    def _segment(self, number: int, last_macro: int, cycles: int) -> None:
        model = models.write_like(self.structure, self.original, self.scratch / f"in_{number}")
        waters_now = models.count_waters(self.structure)

        def report(cycle: int, r_work: float, r_free: float) -> None:
            print(f"  cycle {self.done + cycle:3d}: R-work = {r_work:.4f}, R-free = {r_free:.4f}", flush=True)

        result = servalcat.refine(model, self.options, cycles, self.scratch / f"out_{number}", report)
        self._record(result, last_macro, cycles, waters_now)
        self.done += cycles
        self.structure = models.read(result.pdb if model.suffix == ".pdb" else result.cif)

    def _record(self, result: RunResult, last_macro: int, cycles: int, waters_now: int) -> None:
        self._check_cycles(result)
        if self.outcome is None:
            self.outcome = Outcome(result, [("0", result.cycles[0], waters_now)])
        steps = max(1, cycles // CYCLES_PER_MACRO)
        first_macro = last_macro - steps + 1
        for step in range(steps):
            at = min((step + 1) * cycles // steps, len(result.cycles) - 1)
            self.outcome.steps.append((str(first_macro + step), result.cycles[at], waters_now))
        self.outcome.final = result

    def _check_cycles(self, result: RunResult) -> None:
        if not result.cycles or not all(c.r_work == c.r_work and c.r_free == c.r_free for c in result.cycles):
            raise Sorry("Servalcat gave no R values; see its log")

    def _update_waters(self, add: bool) -> None:
        assert self.outcome is not None
        mtz = self.outcome.final.mtz
        removed = waters.remove_bad(self.structure, mtz)
        added = waters.add(self.structure, mtz, list(self.options.dictionaries), self.scratch) if add else 0
        total = models.count_waters(self.structure)
        print(f"  ordered solvent: {added} waters added, {removed} removed, {total} in the model", flush=True)

