"""The weight of the data: PHENIX's limits by resolution, what is tried, and which trial is taken."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

import gemmi

from open_phenix.xray import models, servalcat, validation, weight_search, weights
from open_phenix.xray.refinement import Outcome, Plan, Refinement
from open_phenix.xray.servalcat import Cycle, RunOptions, RunResult
from open_phenix.xray.validation import Ramachandran
from open_phenix.xray.weights import Limits, Setting, Trial

START = Cycle(0.30, 0.33, 0.008, 1.1)
PLOT = Ramachandran(0.0, 1.0, 99.0, [], 400)


def _trial(r_work: float, r_free: float, angles: float, favored: float, jelly: bool = False) -> Trial:
    files = [Path("x")] * 4
    result = RunResult(*files, cycles=[START, Cycle(r_work, r_free, 0.010, angles)])
    return Trial(Setting(1.0, 0.3, jelly), result, Ramachandran(0.0, 100 - favored, favored, [], 400))


@pytest.mark.parametrize(
    ("d_min", "expected"),
    [
        (1.2, (0.025, 3.0, 0.04, 0)),
        (1.8, (0.02, 2.5, 0.05, 0)),
        (2.2, (0.015, 2.0, 0.06, 0.01)),
        (3.0, (0.015, 2.0, 0.06, 0.015)),
    ],
)
def test_limits_are_those_of_phenix(d_min: float, expected: "tuple[float, ...]") -> None:
    found = weights.limits(d_min)
    assert (found.bonds, found.angles, found.gap, found.r_free_range) == pytest.approx(expected)


def test_the_model_as_submitted_sets_limits_too() -> None:
    low, high = weights.limits(3.0, START, PLOT, 800), weights.limits(1.8, START, PLOT, 800)
    assert low.angles == pytest.approx(1.6) and high.angles == 2.5
    assert (low.favored, high.favored) == pytest.approx((98.0, 97.0))
    assert low.r_free == pytest.approx(0.33 * 1.025)
    peptide = Ramachandran(0.0, 0.0, 100.0, [], 4)
    assert weights.limits(1.6, START, peptide).favored == pytest.approx(75.0)  # one residue may leave


def test_jelly_body_is_tried_first_at_low_resolution_and_the_estimate_first_at_high() -> None:
    assert [(round(s.weight, 1), s.jelly_body) for s in weights.settings(3.0)] == [(5.7, True), (5.7, False), (1.9, False)]
    first = weights.settings(1.8)[0]
    assert first.automatic and not first.jelly_body
    assert max(len(weights.settings(d)) for d in (1.0, 2.4, 2.5, 4.0)) <= 3


def test_geometry_comes_before_r_free() -> None:
    good, torn = _trial(0.24, 0.28, 1.5, 98.5), _trial(0.20, 0.26, 3.4, 91.8)
    within = weights.limits(3.0, START, PLOT)
    assert weights.choose([torn, good], within) is good
    assert weights.geometry_faults(torn.cycle, torn.ramachandran, within) == [
        "angles above 1.60 deg",
        "Ramachandran favored below 98.0 %",
    ]


def test_r_free_comes_before_the_gap_and_equal_ones_are_told_by_gap_and_plot() -> None:
    within = Limits(0.015, 2.0, 0.06, 0.015, 90.0)
    stiff, good = _trial(0.33, 0.34, 1.2, 99.0, jelly=True), _trial(0.16, 0.23, 1.2, 95.0)
    assert weights.choose([stiff, good], within) is good
    narrow = _trial(0.19, 0.24, 1.2, 94.0)
    assert weights.choose([good, narrow], within) is narrow
    assert weights.choose([narrow, _trial(0.19, 0.245, 1.2, 96.0)], within).ramachandran.favored == 96.0


def test_where_nothing_keeps_the_limits_the_least_distorted_is_taken() -> None:
    worse, bad = _trial(0.20, 0.25, 3.0, 85.0), _trial(0.22, 0.26, 2.6, 90.0)
    assert weights.choose([worse, bad], weights.limits(3.0, START, PLOT)) is bad


class _Engine:
    """Stands in for Servalcat: R values and angles by weight, one run after the other."""

    def __init__(self, angles: "list[float]"):
        self.angles = angles
        self.r_work, self.r_free = 0.25, 0.28
        self.runs: list[RunOptions] = []

    def refine(self, model: Path, options: RunOptions, cycles: int, prefix: Path, _report: Any) -> RunResult:
        angles = self.angles[len(self.runs)]
        self.runs.append(options)
        end = Cycle(self.r_work, self.r_free, 0.01, angles)
        return RunResult(prefix, prefix, prefix, prefix, cycles=[START] + [end] * cycles)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> _Engine:
    made = _Engine([2.4, 2.4, 2.4, 2.4])
    monkeypatch.setattr(servalcat, "refine", made.refine)
    monkeypatch.setattr(validation, "ramachandran_or_none", lambda _path: PLOT)
    return made


def _search(d_min: float, folder: Path, every: bool = False) -> Trial:
    options = RunOptions(reflections=folder / "data.mtz")
    return weight_search.WeightSearch(options, d_min, 800, folder, every).run(folder / "m.pdb", 5, PLOT)


def test_one_trial_at_high_resolution_where_the_estimate_keeps_the_limits(engine: _Engine, tmp_path: Path, capsys: Any) -> None:
    assert _search(1.8, tmp_path).setting.automatic
    assert [options.weight for options in engine.runs] == [None]
    assert "Weight of the data: 6.39 (as Servalcat estimates it); it keeps all limits" in capsys.readouterr().out


def test_all_trials_where_they_are_asked_for(engine: _Engine, tmp_path: Path) -> None:
    _search(1.8, tmp_path, every=True)
    assert len(engine.runs) == 3


def test_lower_weights_where_the_estimate_leaves_the_limits(engine: _Engine, tmp_path: Path, capsys: Any) -> None:
    engine.angles = [3.0, 2.2, 1.0]
    best = _search(1.8, tmp_path)
    assert best.setting.factor == 0.3 and len(engine.runs) == 2
    told = capsys.readouterr().out
    assert "angles above 2.50 deg" in told and "Limits at 1.80 A" in told


def test_a_wide_gap_alone_is_no_reason_for_another_trial(engine: _Engine, tmp_path: Path, capsys: Any) -> None:
    engine.r_free = 0.31
    assert _search(1.8, tmp_path).setting.automatic and len(engine.runs) == 1
    assert "outside of the limits: gap above 5.0 %; no reason for another weight" in capsys.readouterr().out


def test_a_risen_r_free_is_a_reason_once(engine: _Engine, tmp_path: Path) -> None:
    engine.r_free = 0.35
    _search(1.8, tmp_path)
    assert len(engine.runs) == 2


def test_no_further_cycles_where_each_weight_raised_r_free(
    engine: _Engine, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model(1))
    monkeypatch.setattr(models, "read", lambda _path: structure)
    monkeypatch.setattr(models, "write_like", lambda _structure, _like, stem: stem.with_suffix(".pdb"))
    monkeypatch.setattr(validation, "c_beta_or_none", lambda _path: 0)
    engine.r_work, engine.r_free = 0.299, 0.345
    outcome = Refinement(tmp_path, structure, RunOptions(tmp_path), Plan(3, False, 1.8, 1000), tmp_path).run()
    assert [row[0] for row in outcome.steps] == ["0", "1", "0"] and len(engine.runs) == 3
    assert outcome.final.cycles == [START]
    told = capsys.readouterr().out
    assert "no further macro cycles" in told and "worse than the model as submitted (0.3000, 0.3300)" in told


@pytest.mark.parametrize(
    ("last", "angles", "kept"),
    [((0.299, 0.336), 1.1, True), ((0.28, 0.336), 1.1, False), ((0.299, 0.3305), 1.1, False), ((0.299, 0.336), 2.8, False)],
)
def test_the_model_as_submitted_is_written_if_refinement_made_it_worse(
    last: "tuple[float, float]", angles: float, kept: bool, tmp_path: Path, engine: _Engine, monkeypatch: Any, capsys: Any
) -> None:
    """Unless its own geometry is outside of the limits."""
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model(1))
    monkeypatch.setattr(models, "read", lambda _path: structure)
    start = Cycle(0.30, 0.33, 0.008, angles)
    made = Refinement(tmp_path, structure, RunOptions(tmp_path), Plan(3, False, 1.8, 1000), tmp_path)
    final = RunResult(*[tmp_path] * 4, cycles=[start, Cycle(*last, 0.01, 1.5)])
    outcome = Outcome(final, [("0", start, 0), ("3", final.cycles[-1], 0)])
    made.outcome = outcome
    if made._got_worse():
        made._keep_submitted(outcome, tmp_path / "start.pdb")
    assert (outcome.final is not final) == kept == (outcome.steps[-1][0] == "0")
    assert len(engine.runs) == kept == ("that one is written" in capsys.readouterr().out)


def test_what_is_outside_of_the_limits_is_said(engine: _Engine, tmp_path: Path, capsys: Any) -> None:
    _search(3.0, tmp_path)
    assert [options.jelly_body for options in engine.runs] == [True, False, False]
    assert "outside of the limits: angles above 1.60 deg; the best of 3 trials" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("last", "taken"), [((0.278, 0.2927), "1"), ((0.270, 0.2927), "3"), ((0.278, 0.2911), "3"), ((0.27, 0.28), "3")]
)
def test_a_macro_cycle_that_only_raised_r_free_is_taken_back(last: "tuple[float, float]", taken: str, tmp_path: Path) -> None:
    files = [tmp_path] * 4
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model(1))
    made = Refinement(tmp_path, structure, RunOptions(tmp_path), Plan(3, False, 1.6, 1000), tmp_path)
    first, final = (RunResult(*files, cycles=[START, Cycle(*values, 0.01, 1.5)]) for values in ((0.278, 0.2910), last))
    made.segments = [(first, structure), (final, structure)]
    outcome = Outcome(final, [("0", START, 0), ("1", first.cycles[-1], 0), ("3", final.cycles[-1], 0)])
    made._without_overfitting(outcome)
    assert outcome.steps[-1][0] == taken
    assert outcome.final is (first if taken == "1" else final)
