"""The weight of the data: PHENIX's limits by resolution, what is tried, and which trial is taken."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

import gemmi

from open_phenix.cryoem.correlation import Correlation
from open_phenix.cryoem.spa_refinement import FITS, SpaRefinement, Step
from open_phenix.restraints.for_model import Restraints
from open_phenix.weighting import geometry_limits, geometry_report, trials, weight_search
from open_phenix.weighting.geometry_limits import Geometry, GeometryLimits
from open_phenix.weighting.trials import Fit, Limits, Setting, State, Trial, xray_limits
from open_phenix.xray import models, servalcat, validation
from open_phenix.xray.refinement import Outcome, Plan, Refinement, state_of
from open_phenix.xray.servalcat import Cycle, RunOptions, RunResult
from open_phenix.xray.validation import Ramachandran

START = Cycle(0.30, 0.33, 0.008, 1.1)
PLOT = Ramachandran(0.0, 1.0, 99.0, [], 400)


SUBMITTED = state_of(START, PLOT)


def _trial(r_work: float, r_free: float, angles: float, favored: float, jelly: bool = False) -> Trial:
    plot = Ramachandran(0.0, 100 - favored, favored, [], 400)
    return Trial(Setting(0.3, 1.0, jelly), SUBMITTED, state_of(Cycle(r_work, r_free, 0.010, angles), plot))


@pytest.mark.parametrize(
    ("d_min", "expected"),
    [(1.2, (0.04, 0.005)), (1.8, (0.05, 0.005)), (2.2, (0.06, 0.01)), (3.0, (0.06, 0.015))],
)
def test_limits_of_the_fit_are_those_of_phenix_or_what_the_test_set_can_tell(d_min: float, expected: "tuple[float, ...]") -> None:
    found = xray_limits(d_min)
    assert (found.gap, found.equal) == pytest.approx(expected)


def test_limits_of_bonds_and_angles_are_never_wider_than_those_of_phenix() -> None:
    from mmtbx.refinement.weights_params import tw_customizations_params

    for row in tw_customizations_params.extract().weight_selection_criteria:
        middle = (row.d_min + min(row.d_max, 5.0)) / 2
        found = geometry_limits.limits(middle)
        assert found.bonds <= row.bonds_rmsd and found.angles <= row.angles_rmsd


def test_the_table_is_the_one_that_the_service_judges_by() -> None:
    """knowledge/metrics.yaml: column `acceptable` of the bands, and the tolerances against the model as submitted."""
    yaml = pytest.importorskip("yaml")
    knowledge = yaml.safe_load((Path(__file__).parents[3] / "knowledge/metrics.yaml").read_text(encoding="utf-8"))
    bands = {name: knowledge["metrics"][name]["bands"] for name in ("bonds_rmsd", "angles_rmsd")}
    assert [(band["at"], band["acceptable"]) for band in bands["bonds_rmsd"]] == [row[:2] for row in geometry_limits.TABLE]
    assert {band["acceptable"] for band in bands["angles_rmsd"]} == {row[2] for row in geometry_limits.TABLE}
    single = {
        "ramachandran_favored": geometry_limits.FAVORED,
        "ramachandran_outliers": geometry_limits.OUTLIERS,
        "clashscore": geometry_limits.CLASHSCORE,
    }
    for name, limit in single.items():
        assert [band["acceptable"] for band in knowledge["metrics"][name]["bands"]] == [limit]
    assert [band["poor"] for band in knowledge["metrics"]["map_cc"]["bands"]] == [FITS]
    tolerances = {rule["metric"]: rule["tolerance"] for rule in knowledge["geometry"]["metrics"]}
    assert tolerances == {
        "ramachandran_favored": geometry_limits.RAMACHANDRAN_LOSS,
        "ramachandran_outliers": geometry_limits.RAMACHANDRAN_LOSS,
        "clashscore": geometry_limits.CLASHSCORE_LOSS,
        "angles_rmsd": geometry_limits.ANGLES_LOSS,
    }


def test_the_model_as_submitted_sets_limits_too() -> None:
    low, high = xray_limits(3.0, SUBMITTED, 800), xray_limits(1.8, SUBMITTED, 800)
    assert low.geometry.angles == pytest.approx(1.6) and high.geometry.angles == 2.0
    assert (low.geometry.favored, high.geometry.favored) == pytest.approx((98.0, 97.0))
    assert (low.geometry.outliers, high.geometry.outliers) == pytest.approx((1.0, 2.0))
    assert low.free == pytest.approx(0.33 * 1.025)
    peptide = Geometry(ramachandran=Ramachandran(0.0, 0.0, 100.0, [], 4))
    assert geometry_limits.limits(1.6, peptide).favored == pytest.approx(75.0)  # one residue may leave


@pytest.mark.parametrize(("submitted", "limit"), [(2.0, 10.0), (6.85, 10.0), (9.0, 11.0), (27.0, 29.0)])
def test_the_clashscore_may_rise_to_the_table_or_a_little_above_that_of_the_model(submitted: float, limit: float) -> None:
    within = geometry_limits.limits(3.2, Geometry(clashscore=submitted))
    assert within.clashscore == limit
    assert geometry_limits.faults(Geometry(clashscore=31.7), within) == [f"clashscore above {limit:.1f}"]
    assert geometry_limits.faults(Geometry(clashscore=limit), within) == []


def test_jelly_body_is_tried_first_at_low_resolution_and_the_estimate_first_at_high() -> None:
    found = [(round(s.weight or 0, 1), s.jelly_body) for s in trials.xray_settings(3.0)]
    assert found == [(5.7, True), (5.7, False), (1.9, False)]
    first = trials.xray_settings(1.8)[0]
    assert first.automatic and not first.jelly_body
    assert max(len(trials.xray_settings(d)) for d in (1.0, 2.4, 2.5, 4.0)) <= 3 >= len(trials.map_settings())


def test_geometry_comes_before_r_free() -> None:
    good, torn = _trial(0.24, 0.28, 1.5, 98.5), _trial(0.20, 0.26, 3.4, 91.8)
    within = xray_limits(3.0, SUBMITTED)
    assert trials.choose([torn, good], within) is good
    assert torn.distortion(within) == ["angles above 1.60 deg", "Ramachandran favored below 98.0 %"]


def test_r_free_comes_before_the_gap_and_equal_ones_are_told_by_gap_and_plot() -> None:
    within = Limits(GeometryLimits(0.015, 2.0, 90.0), 0.015, 0.06)
    stiff, good = _trial(0.33, 0.34, 1.2, 99.0, jelly=True), _trial(0.16, 0.23, 1.2, 95.0)
    assert trials.choose([stiff, good], within) is good
    narrow = _trial(0.19, 0.24, 1.2, 94.0)
    assert trials.choose([good, narrow], within) is narrow
    other = _trial(0.19, 0.245, 1.2, 96.0)
    assert trials.choose([narrow, other], within) is other


def test_where_nothing_keeps_the_limits_the_least_distorted_is_taken() -> None:
    worse, bad = _trial(0.20, 0.25, 3.0, 85.0), _trial(0.22, 0.26, 2.6, 90.0)
    assert trials.choose([worse, bad], xray_limits(3.0, SUBMITTED)) is bad


def test_a_jelly_body_trial_of_a_distorted_model_is_given_half_of_the_way(capsys: Any) -> None:
    """beta_blip: the only trial that lowered R-free to 0.374 was refused for angles that came down from 3.15 to 2.36 degrees."""
    start = State(Fit(0.3947, 0.3995), Geometry(0.023, 3.15, Ramachandran(0.24, 4.24, 95.52, [], 424)))

    def ends(work: float, free: float, angles: float, favored: float, setting: Setting) -> Trial:
        plot = Ramachandran(0.0, 100 - favored, favored, [], 424)
        return Trial(setting, start, State(Fit(work, free), Geometry(0.005, angles, plot)))

    settings = trials.xray_settings(3.0)
    within = xray_limits(3.0, start, 882)
    seen = [ends(0.3356, 0.3743, 2.36, 96.2, settings[0]), ends(0.2855, 0.3886, 1.18, 92.5, settings[1]),
            ends(0.3166, 0.3871, 0.96, 95.8, settings[2])]
    search = weight_search.WeightSearch(
        settings, lambda number, _: seen[number - 1], lambda _: within, weight_search.XRAY, 3.0, every=True
    )
    assert search.run() is seen[0]
    assert "it keeps all limits, except angles above 2.00 deg (it comes down from a distorted start)" in capsys.readouterr().out
    without = ends(0.3356, 0.3743, 2.36, 96.2, settings[1])
    assert without.distortion(within) == ["angles above 2.00 deg"]
    too_slow = ends(0.3356, 0.3743, 2.7, 96.2, settings[0])
    assert too_slow.distortion(within) == ["angles above 2.58 deg"] and too_slow.settling(within) == []


def _map_trial(number: int, work: float, free: float, favored: float, clashes: "float | None") -> Trial:
    plot = Ramachandran(4.0, 96.0 - favored, favored, [], 185)
    setting = trials.map_settings(1.3)[number - 1]
    return Trial(setting, MAP_START, State(Fit(1 - work, 1 - free), Geometry(0.01, 1.5, plot, clashes)))


MAP_START = State(Fit(0.3, 0.3), Geometry(0.009, 1.37, Ramachandran(4.3, 7.6, 88.1, [], 185), 6.85))


def test_in_cryo_em_the_geometry_of_the_submitted_model_ends_the_search(capsys: Any) -> None:
    """em_3j6b_9 as it was: CC 0.82 at the price of the backbone; a third of the weight keeps it."""
    seen = [_map_trial(1, 0.82, 0.82, 71.4, None), _map_trial(2, 0.78, 0.78, 90.8, 5.4), _map_trial(3, 0.75, 0.75, 89.7, 2.5)]
    within = trials.map_limits(3.2, MAP_START.geometry)
    search = weight_search.WeightSearch(
        trials.map_settings(1.3), lambda number, _: seen[number - 1], lambda _: within, weight_search.ONE_MAP, 3.2
    )
    assert search.run() is seen[1]
    told = capsys.readouterr().out
    assert "Ramachandran favored below 87.1 %" in told and "clashscore 10.0" in told
    assert "Weight of the data: 0.39 (0.3 of Servalcat's estimate); it keeps all limits, the best of 2 trials that does" in told


def test_contacts_of_a_poor_start_are_improved_where_the_fit_is_equal() -> None:
    """A shaken model with clashscore 35: a third of the weight keeps 18, a tenth comes to 6 and fits as well."""
    within = trials.map_limits(3.0, Geometry(0.076, 4.9, Ramachandran(4.0, 3.0, 93.0, [], 89), 35.3))
    crowded, sound = _map_trial(2, 0.925, 0.897, 93.6, 18.4), _map_trial(3, 0.910, 0.894, 93.5, 5.9)
    assert trials.choose([crowded, sound], within) is sound
    assert trials.asks_for_another([sound, crowded], within) and not trials.asks_for_another([crowded, sound], within)
    worse_fit = _map_trial(3, 0.90, 0.88, 93.5, 5.9)
    assert trials.choose([crowded, worse_fit], within) is crowded


def test_half_maps_judge_the_fit_by_the_one_that_was_left_out() -> None:
    overfitted, sound = _map_trial(1, 0.93, 0.86, 88.0, 5.0), _map_trial(2, 0.91, 0.89, 88.0, 5.0)
    assert trials.choose([overfitted, sound], trials.map_limits(3.2, MAP_START.geometry)) is sound


def test_the_table_of_geometry_has_the_start_and_the_end(capsys: Any) -> None:
    geometry_report.show(MAP_START.geometry, Geometry(0.0075, 1.11, PLOT, None), ["clashscore above 10.0"], (3, 1))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[1:] == [
        "Geometry: start final",
        "RMS(bonds) 0.0090 0.0075",
        "RMS(angles) 1.370 1.110",
        "Ramachandran favored 88.10 % 99.00 %",
        "Ramachandran outliers 4.30 % 0.00 %",
        "Clashscore 6.85 not available",
        "C-beta deviations 3 1",
        "WARNING: geometry outside of the limits for this resolution and model: clashscore above 10.0",
    ]


@pytest.mark.parametrize(
    ("start_cc", "start_angles", "favored", "kept"),
    [(0.699, 1.37, 71.4, 0), (0.45, 1.37, 71.4, 2), (0.699, 5.0, 71.4, 2), (0.699, 1.37, 86.5, 2), (0.699, 1.37, 88.0, 1)],
)
def test_in_cryo_em_a_model_that_fits_is_better_than_one_with_a_torn_geometry(
    start_cc: float, start_angles: float, favored: float, kept: int, tmp_path: Path, capsys: Any
) -> None:
    """Not if it fits badly or was distorted, nor for what the service tolerates; a macro cycle within the limits comes first."""

    def step(number: int, cc: float, angles: float, favored: float) -> Step:
        measured = Geometry(0.009, angles, Ramachandran(4.3, 95.7 - favored, favored, [], 185))
        return Step(number, tmp_path / f"{number}.cif", Correlation(cc, cc, cc, cc), measured)

    made = SpaRefinement(None, [], 3.2, Restraints([]), tmp_path, with_clashscore=False)  # type: ignore[arg-type]
    made.steps = [step(0, start_cc, start_angles, 88.1), step(1, 0.80, 1.5, favored), step(2, 0.82, 1.5, min(favored, 86.5))]
    made.within = geometry_limits.limits(3.2, made.steps[0].geometry)
    assert made._best().number == kept == made.steps[-1].number
    assert ("that one is written" in capsys.readouterr().out) == (kept == 0)


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
    made = _Engine([1.9, 1.9, 1.9, 1.9])
    monkeypatch.setattr(servalcat, "refine", made.refine)
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model(1))
    monkeypatch.setattr(models, "read", lambda _path: structure)
    monkeypatch.setattr(models, "write_like", lambda _structure, _like, stem: stem.with_suffix(".pdb"))
    monkeypatch.setattr(validation, "c_beta_or_none", lambda _path: 0)
    monkeypatch.setattr(validation, "ramachandran_or_none", lambda _path: PLOT)
    return made


def _search(d_min: float, folder: Path, every: "bool | None" = None) -> Refinement:
    """One macro cycle, with its search for the weight."""
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model(1))
    plan = Plan(1, False, d_min, 800, every, clashscore=False)
    made = Refinement(folder / "m.pdb", structure, RunOptions(reflections=folder / "data.mtz"), plan, folder)
    made._weighed(1, 5, PLOT)
    return made


def test_two_trials_at_high_resolution_where_both_keep_the_limits(engine: _Engine, tmp_path: Path, capsys: Any) -> None:
    engine.angles = [1.9, 1.3]
    assert _search(1.8, tmp_path).options.weight == pytest.approx(0.3 * 6.39, rel=0.01)  # R-free is the same: the geometry decides
    assert [options.weight is None for options in engine.runs] == [True, False]
    assert "it keeps all limits, the best of 2 trials that does" in capsys.readouterr().out


def test_all_trials_where_they_are_asked_for(engine: _Engine, tmp_path: Path) -> None:
    _search(1.8, tmp_path, every=True)
    assert len(engine.runs) == 3


def test_lower_weights_where_the_estimate_leaves_the_limits(engine: _Engine, tmp_path: Path, capsys: Any) -> None:
    engine.angles = [3.0, 1.8, 1.0]
    assert _search(1.8, tmp_path).options.weight == pytest.approx(0.3 * 6.39, rel=0.01)
    assert len(engine.runs) == 2
    told = capsys.readouterr().out
    assert "angles above 2.00 deg" in told and "Limits at 1.80 A" in told


def test_a_wide_gap_or_a_risen_r_free_is_no_reason_for_a_third_trial(engine: _Engine, tmp_path: Path, capsys: Any) -> None:
    engine.r_free = 0.35
    _search(1.8, tmp_path)
    assert len(engine.runs) == 2
    assert "outside of the limits: gap above 5.0 %; R-free above 0.3382; the best of 2 trials" in capsys.readouterr().out


def test_no_further_cycles_where_each_weight_raised_r_free(
    engine: _Engine, tmp_path: Path, capsys: Any
) -> None:
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model(1))
    engine.r_work, engine.r_free = 0.299, 0.345
    outcome = Refinement(tmp_path, structure, RunOptions(tmp_path), Plan(3, False, 1.8, 1000, clashscore=False), tmp_path).run()
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
