"""The stand-ins: labelled, strict about their inputs, named as PHENIX names its files."""

import json
import math
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from open_phenix.simulated import helix

gemmi = pytest.importorskip("gemmi", reason="gemmi is not installed")
numpy = pytest.importorskip("numpy", reason="numpy is not installed")

SEQUENCE = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQ"
PROGRAMS = ["phenix.autosol", "phenix.map_to_model", "phenix.predict_and_build", "phenix.resolve_cryo_em"]


@pytest.fixture()
def folder(tmp_path: Path) -> Path:
    """A folder with a sequence, anomalous data, data without, and two half maps."""
    (tmp_path / "seq.fa").write_text(f">one\n{SEQUENCE[:30]}\n{SEQUENCE[30:]}\n")
    for name, labels in (("anomalous.mtz", ["F(+)", "F(-)"]), ("native.mtz", ["F", "SIGF"])):
        mtz = gemmi.Mtz(with_base=True)
        mtz.spacegroup = gemmi.SpaceGroup("P 21 21 21")
        mtz.set_cell_for_all(gemmi.UnitCell(40, 50, 60, 90, 90, 90))
        mtz.add_dataset("x")
        for label in labels:
            mtz.add_column(label, "G" if "(" in label else "F" if label == "F" else "Q")
        mtz.set_data(numpy.array([[h, 1, 2, 10.0 * h, 9.0 * h] for h in range(1, 60)], dtype=numpy.float32))
        mtz.write_to_file(str(tmp_path / name))
    for number in (1, 2):
        made = gemmi.Ccp4Map()
        made.grid = gemmi.FloatGrid(numpy.random.default_rng(number).random((8, 8, 8), dtype=numpy.float32))
        made.grid.set_unit_cell(gemmi.UnitCell(16, 16, 16, 90, 90, 90))
        made.grid.spacegroup = gemmi.SpaceGroup("P1")
        made.update_ccp4_header(2)
        made.write_ccp4_map(str(tmp_path / f"half_map_{number}.ccp4"))
    return tmp_path


def run(folder: Path, *arguments: str, code: int = 0) -> str:
    """The output of open-phenix-simulated."""
    command = [sys.executable, "-m", "open_phenix.simulated.command", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_list_as_json(tmp_path: Path) -> None:
    rows = json.loads(run(tmp_path, "--list", "--json"))
    assert [row["name"] for row in rows] == PROGRAMS
    assert all(row["simulated"] is True and row["kitVersion"] for row in rows)


def test_stand_ins_are_not_programs_of_the_kit() -> None:
    from open_phenix.core import registry

    assert not set(PROGRAMS) & set(registry.modules())


def test_every_log_starts_and_ends_with_simulated(folder: Path) -> None:
    lines = run(folder, "phenix.resolve_cryo_em", "half_map_1.ccp4", "half_map_2.ccp4", "seq_file=seq.fa").splitlines()
    assert lines[0] == (
        "SIMULATED: phenix.resolve_cryo_em is not installed here; this is a scripted stand-in. No science was done."
    )
    assert lines[-1].startswith("SIMULATED: ")


def test_resolve_cryo_em_writes_the_mean_with_a_label(folder: Path) -> None:
    run(folder, "phenix.resolve_cryo_em", "half_map_1.ccp4", "half_map_2.ccp4", "seq_file=seq.fa", "resolution=3")
    maps = [gemmi.read_ccp4_map(str(folder / f"{name}.ccp4")).grid.array for name in ("half_map_1", "half_map_2", "denmod_map")]
    assert numpy.allclose((maps[0] + maps[1]) / 2, maps[2])
    content = (folder / "denmod_map.ccp4").read_bytes()
    assert struct.unpack("<i", content[220:224]) == (1,) and content[224:233] == b"SIMULATED"


def test_autosol_prints_phenix_lines_and_writes_its_files(folder: Path) -> None:
    text = run(folder, "phenix.autosol", "autosol.data=anomalous.mtz", "seq_file=seq.fa", "autosol.atom_type=Se", "nproc=4")
    assert "Solution # 1  BAYES-CC: 59.1 +/- 13.7 (2SD) Dataset #1   FOM: 0.56" in text
    assert "  Residues built: 47" in text
    assert "SIMULATED" in (folder / "overall_best.pdb").read_text()
    data = gemmi.read_mtz_file(str(folder / "overall_best_refinement_data.mtz"))
    assert "SIMULATED" in data.title and data.column_with_label("FreeR_flag") is not None
    assert (folder / "overall_best_denmod_map_coeffs.mtz").is_file()


def test_autosol_without_anomalous_data_is_an_error(folder: Path) -> None:
    assert "Sorry: No anomalous data found" in run(folder, "phenix.autosol", "native.mtz", "seq.fa", code=1)


def test_predict_and_build_stops_after_predict(folder: Path) -> None:
    text = run(folder, "phenix.predict_and_build", "input_files.seq_file=seq.fa", "stop_after_predict=True", "control.nproc=4")
    assert "plDDT = 89.96" in text
    model = gemmi.read_structure(str(folder / "PredictAndBuild_0_predicted_model.pdb"))
    assert gemmi.one_letter_code([r.name for r in model[0]["A"]]) == SEQUENCE
    assert model[0]["A"][10]["CA"][0].b_iso == pytest.approx(89.96)
    assert [p.name for p in folder.glob("*.pdb")] == ["PredictAndBuild_0_predicted_model.pdb"]


def test_predict_and_build_in_a_crystal_and_in_a_map(folder: Path) -> None:
    text = run(folder, "phenix.predict_and_build", "seq_file=seq.fa", "input_files.xray_data_file=native.mtz")
    assert "\nR-free: 0.27\n" in text and (folder / "PredictAndBuild_0_overall_best_refinement.mtz").is_file()
    half = ("half_map=half_map_1.ccp4", "half_map=half_map_2.ccp4")
    text = run(folder, "phenix.predict_and_build", "seq_file=seq.fa", *half, "crystal_info.resolution=3")
    assert "Refinement successful with CC_mask = 0.65" in text and (folder / "PredictAndBuild_0_overall_best_map.ccp4").is_file()
    assert "Sorry: Resolution is required" in run(folder, "phenix.predict_and_build", "seq_file=seq.fa", *half, code=1)
    assert "Sorry: " in run(folder, "phenix.predict_and_build", "seq_file=seq.fa", code=1)


def test_map_to_model(folder: Path) -> None:
    text = run(folder, "phenix.map_to_model", "full_map=half_map_1.ccp4", "seq_file=seq.fa", "resolution=3")
    assert "\nCC_mask : 0.59\n" in text and (folder / "map_to_model.pdb").is_file()


def test_map_to_model_takes_symmetry_operators_and_nothing_else_for_them(folder: Path) -> None:
    given = ("full_map=half_map_1.ccp4", "seq_file=seq.fa", "resolution=3", "ncs_file=c4.ncs_spec")
    (folder / "c4.ncs_spec").write_text("new_ncs_group\nnew_operator\n")
    assert "CC_mask : 0.59" in run(folder, "phenix.map_to_model", *given)
    (folder / "c4.ncs_spec").write_text("Nothing\n")
    assert "Sorry: c4.ncs_spec holds no symmetry operators" in run(folder, "phenix.map_to_model", *given, code=1)


def test_a_model_beside_the_sequence_is_presented_and_said_to_be(folder: Path) -> None:
    run(folder, "phenix.autosol", "anomalous.mtz", "seq_file=seq.fa")
    (folder / "overall_best.pdb").rename(folder / "seq.simulated.pdb")
    mine = gemmi.read_structure(str(folder / "seq.simulated.pdb"))
    mine[0].transform_pos_and_adp(gemmi.Transform(gemmi.Mat33(), gemmi.Vec3(7, 0, 0)))
    mine.write_pdb(str(folder / "seq.simulated.pdb"))
    where = mine[0]["A"][0]["CA"][0].pos
    for program, output in (("phenix.autosol", "overall_best.pdb"), ("phenix.predict_and_build", "PredictAndBuild_0_overall_best.pdb")):
        text = run(folder, program, "anomalous.mtz", "seq.fa")
        assert "SIMULATED: the model is that of seq.simulated.pdb" in text
        made = gemmi.read_structure(str(folder / output))
        assert made[0]["A"][0]["CA"][0].pos.dist(where) < 0.002 and made.cell.a == pytest.approx(40)
        assert "SIMULATED" in (folder / output).read_text()
    prediction = gemmi.read_structure(str(folder / "PredictAndBuild_0_predicted_model.pdb"))
    assert prediction[0].calculate_center_of_mass().length() < 0.01 and not prediction.cell.is_crystal()
    assert prediction[0]["A"][10]["CA"][0].b_iso == pytest.approx(89.96)


def test_a_failure_on_request_writes_nothing(folder: Path) -> None:
    before = sorted(folder.iterdir())
    text = run(folder, "phenix.autosol", "anomalous.mtz", "seq_file=seq.fa", "simulated.exit_code=7", code=7)
    assert "Sorry: simulated failure" in text and sorted(folder.iterdir()) == before


def test_unknown_programs_and_parameters_are_errors(folder: Path) -> None:
    assert "has no stand-in" in run(folder, "phenix.refine", code=1)
    assert "Sorry: Unknown command line parameter" in run(folder, "phenix.autosol", "native.mtz", "seq.fa", "magic=1", code=1)


def test_the_helix_is_a_helix() -> None:
    residues = helix.backbone(20)
    rise = [math.dist(residues[i][1], residues[i + 1][1]) for i in range(19)]
    assert all(distance == pytest.approx(3.8, abs=0.05) for distance in rise)  # CA to CA of a trans peptide
    assert math.dist(residues[0][3], residues[4][0]) == pytest.approx(2.9, abs=0.3)  # O(i) to N(i+4): the hydrogen bond
    assert math.dist(residues[5][1], residues[5][4]) == pytest.approx(1.53, abs=0.01)


def test_no_absolute_path_of_a_machine_in_the_outputs(folder: Path) -> None:
    run(folder, "phenix.autosol", "anomalous.mtz", "seq_file=seq.fa")
    assert os.fsencode(str(folder)) not in (folder / "overall_best.pdb").read_bytes()
