"""phenix.autobuild: what it refuses, and one round of Coot on real data."""

import subprocess
from pathlib import Path
from collections.abc import Callable

import pytest

gemmi = pytest.importorskip("gemmi", reason="gemmi is not installed")
pytest.importorskip("scitbx", reason="cctbx is not installed")

from open_phenix.xray import coot, refinement_data, rebuilding, servalcat  # noqa: E402
from open_phenix.xray.reflections import ReflectionFile  # noqa: E402
from open_phenix.xray.servalcat import RunOptions  # noqa: E402

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["data={mtz}", "seq_file={seq}"], "Sorry: phenix.autobuild rebuilds a placed model here (model=FILE)"),
        (["data={mtz}", "model={pdb}"], "Sorry: phenix.autobuild needs a sequence"),
        (["data={mtz}", "model={pdb}", "seq_file={seq}", "rebuild_in_place=False"], "Sorry: rebuild_in_place=False changes the result"),
        (["data={mtz}", "model={pdb}", "seq_file={seq}", "map_file={mtz}"], "Sorry: map_file= changes the result"),
        (["data={mtz}", "seq_file={seq}", "maps_only=True"], "Sorry: No phases: "),
    ],
)
@pytest.mark.slow
def test_what_it_cannot_do_is_refused_by_name(command: Command, data: Path, arguments: "list[str]", complaint: str) -> None:
    folder = data / "synth_native_rnase"
    names = {"mtz": folder / "data.mtz", "seq": folder / "seq.fasta", "pdb": folder / "true_model.pdb"}
    done = command("phenix.autobuild", *[argument.format(**names) for argument in arguments])
    assert done.returncode == 1 and complaint in done.stdout, done.stdout


@pytest.mark.slow
def test_coot_mutates_closes_a_loop_and_extends_an_end(data: Path, tmp_path: Path) -> None:
    folder = data / "rnase_sa"
    truth = rebuilding.stripped(gemmi.read_structure(str(folder / "rnase_sa_tutorial_start.pdb")))
    reflections = refinement_data.prepare(ReflectionFile(folder / "rnase_sa.mtz"), None, None, None, False)
    refinement_data.write_engine_file(reflections, tmp_path / "data.mtz")
    truth.write_pdb(str(tmp_path / "truth.pdb"))
    maps = servalcat.refine(tmp_path / "truth.pdb", RunOptions(tmp_path / "data.mtz"), 0, tmp_path / "maps", lambda *_: None).mtz
    model = truth.clone()
    _cut(model[0]["B"], range(30, 31), range(32, 33), range(60, 66), range(95, 97))
    model.connections.clear()
    model[0]["B"]["80"][0].name = "ALA"  # was a tyrosine
    _cut_side_chain(model[0]["B"]["80"][0])
    model.write_pdb(str(tmp_path / "model.pdb"))
    loop = {"chain": "B", "first": 60, "last": 65, "types": [truth[0]["B"][str(n)][0].name for n in range(60, 66)]}
    missing = {"chain": "B", "first": 31, "last": 33, "types": ["ALA", "ALA", "ALA"]}  # grows from B 30, which is missing
    lone = {"chain": "B", "first": 32, "last": 33, "types": ["ALA", "ALA"]}  # grows from B 31, which has no neighbour
    job = {
        "model": str(tmp_path / "model.pdb"), "out": str(tmp_path / "out.pdb"), "mtz": str(maps), "folder": str(tmp_path),
        "suffix": ".pdb", "dictionaries": [], "mutations": [["B", 80, "TYR"]], "side_chains": [["B", 80]], "flip": False,
        "gaps": [[missing, lone], [loop]], "ends": [{"chain": "B", "step": 1, "anchor": 94, "types": ["THR", "CYS"]}], "chains": [],
    }
    done = coot.run("rebuild", job, tmp_path / "coot.log")
    assert (done["mutated"], done["closed"], done["added"]) == (1, [loop], [["B", 2]])
    built = gemmi.read_structure(str(tmp_path / "out.pdb"))[0]["B"]
    for number in (*range(60, 66), 80, 95, 96):
        residue, true = built[str(number)][0], truth[0]["B"][str(number)][0]
        assert residue.name == true.name
        assert residue["CA"][0].pos.dist(true["CA"][0].pos) < 1.0  # A
    assert built["80"][0]["OH"][0].pos.dist(truth[0]["B"]["80"][0]["OH"][0].pos) < 1.0


def _cut(chain: "gemmi.Chain", *gone: range) -> None:
    for index in reversed(range(len(chain))):
        if any(chain[index].seqid.num in numbers for numbers in gone):
            del chain[index]


def _cut_side_chain(residue: "gemmi.Residue") -> None:
    for index in reversed(range(len(residue))):
        if residue[index].name not in ("N", "CA", "C", "O", "CB"):
            del residue[index]


@pytest.mark.parametrize(("d_min", "expected"), [(1.8, (None, False)), (3.0, (5.7, True))])
def test_rounds_have_the_weight_of_the_first_trial_of_refinement(
    d_min: float, expected: "tuple[float | None, bool]", tmp_path: Path
) -> None:
    options = rebuilding.Rebuilding(tmp_path, RunOptions(tmp_path), [], 1, tmp_path, d_min).options
    assert (options.weight and round(options.weight, 1), options.jelly_body) == expected
