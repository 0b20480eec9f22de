"""The cryo-EM commands on the synthetic 3 Angstrom maps of RNase: what they print, what they write, how they fail.

Figures: half maps made for FSC=0.143 at 3.0 A; start_shaken.pdb is 0.8 A rms from the truth.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("iotbx", reason="cctbx is not installed")
gemmi = pytest.importorskip("gemmi", reason="gemmi is not installed")

ROOT = os.environ.get("PHENIX_FLEET_TEST_DATA")
DATA = Path(ROOT or ".") / "synth_cryoem_rnase_3A"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ROOT, reason="PHENIX_FLEET_TEST_DATA is not set")]
FULL, HALF_1, HALF_2 = (str(DATA / f"{name}.ccp4") for name in ("full_map", "half_map_1", "half_map_2"))
HALVES = (f"half_map={HALF_1}", f"half_map={HALF_2}")
SHAKEN, TRUE = str(DATA / "start_shaken.pdb"), str(DATA / "true_model.pdb")


def run(folder: Path, *arguments: str, code: int = 0) -> str:
    """The output of a program, run in `folder`; its exit code must be `code`."""
    command = [sys.executable, "-m", "open_phenix", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def last(pattern: str, text: str) -> float:
    """The number in the last match."""
    found = re.findall(pattern, text)
    assert found, f"{pattern} is not in:\n{text}"
    return float(found[-1])


def moved(target: Path, degrees: float, shift: "tuple[float, float, float]", cell: float | None = None) -> str:
    """The true model, turned about z through the middle of the box and shifted (Angstrom)."""
    import math

    structure = gemmi.read_structure(TRUE)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = gemmi.Mat33([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    origin = (28 - 28 * c + 28 * s, 28 - 28 * s - 28 * c, 0.0)
    structure[0].transform_pos_and_adp(gemmi.Transform(turn, gemmi.Vec3(*(o + d for o, d in zip(origin, shift)))))
    if cell is not None:
        structure.cell = gemmi.UnitCell(cell, cell, cell, 90, 90, 90)
    structure.write_pdb(str(target))
    return str(target)


def with_origin(source: str, target: Path, start: "tuple[int, int, int]") -> str:
    """The same map with its first grid point elsewhere."""
    made = gemmi.read_ccp4_map(source)
    for word, axis in zip((5, 6, 7), (made.header_i32(w) for w in (17, 18, 19))):
        made.set_header_i32(word, start[axis - 1])
    made.write_ccp4_map(str(target))
    return str(target)


def test_mtriage_takes_the_resolution_from_the_half_maps(tmp_path: Path) -> None:
    text = run(tmp_path, "phenix.mtriage", *HALVES)
    assert last(r"\n  Resolution: ([\d.]+)", text) == pytest.approx(3.0, abs=0.1)
    assert last(r"FSC\(half map 1,2\)=0.143 \(d_fsc\)  : +None +([\d.]+)", text) == pytest.approx(3.0, abs=0.1)
    assert "  d99 : " not in text  # it would be read as the resolution
    assert (tmp_path / "fsc_half_maps.unmasked.mtriage.log").is_file()


@pytest.mark.parametrize(("model", "cc_mask"), [(TRUE, 0.85), (SHAKEN, 0.75)])
def test_mtriage_takes_the_resolution_from_a_model_that_fits(model: str, cc_mask: float, tmp_path: Path) -> None:
    text = run(tmp_path, "phenix.mtriage", f"full_map={FULL}", model)
    assert last(r"\n  Resolution: ([\d.]+)", text) == last(r"\n  d_fsc_model_05 : ([\d.]+)", text) == pytest.approx(3.3, abs=0.3)
    assert "  d99 : " not in text
    assert last(r"CC_mask: ([\d.]+)", text) > cc_mask


@pytest.mark.parametrize(("move", "told"), [((5, -6, 4), "does not fit well enough"), ((900, 0, 0), "entirely outside of the map")])
def test_mtriage_takes_none_from_a_model_that_does_not(move: "tuple[float, float, float]", told: str, tmp_path: Path) -> None:
    away = moved(tmp_path / "away.pdb", 100, move)
    text = run(tmp_path, "phenix.mtriage", f"full_map={FULL}", away)
    assert told in text and "  d_fsc_model_05 : " not in text
    assert last(r"\n  Resolution: ([\d.]+)", text) == last(r"\n  d99 : ([\d.]+)", text) < 2.5


def test_mtriage_with_one_map_says_d99(tmp_path: Path) -> None:
    text = run(tmp_path, "phenix.mtriage", f"full_map={FULL}")
    assert last(r"\n  d99 : ([\d.]+)", text) < 2.5


def test_map_correlations_tells_placed_from_not_placed(tmp_path: Path) -> None:
    probe = ("phenix.map_correlations", f"input_files.map_in_1={FULL}", "resolution=3.0", "ignore_symmetry_conflicts=True")
    assert last(r"CC_mask  : (\S+)", run(tmp_path, *probe, f"input_files.model={SHAKEN}")) == pytest.approx(0.778, abs=0.02)
    away = moved(tmp_path / "away.pdb", 100, (5, -6, 4))
    assert abs(last(r"CC_mask  : (\S+)", run(tmp_path, *probe, f"input_files.model={away}"))) < 0.15


def test_a_model_outside_the_map_is_phenix_own_error(tmp_path: Path) -> None:
    away = moved(tmp_path / "away.pdb", 0, (200, 0, 0))
    text = run(tmp_path, "phenix.map_correlations", f"model={away}", f"map_in_1={FULL}", "resolution=3", code=1)
    assert "Sorry: Stopping as model is entirely outside map and wrapping=False" in text


def test_another_cell_is_an_error_unless_ignored(tmp_path: Path) -> None:
    model = moved(tmp_path / "cell.pdb", 0, (0, 0, 0), cell=90.0)
    probe = ("phenix.map_correlations", f"model={model}", f"map_in_1={FULL}", "resolution=3")
    assert "Sorry: Crystal symmetry mismatch between different files" in run(tmp_path, *probe, code=1)
    assert last(r"CC_mask  : (\S+)", run(tmp_path, *probe, "ignore_symmetry_conflicts=True")) > 0.85


def test_map_map_correlation(tmp_path: Path) -> None:
    assert last(r"map-map CC: (\S+)", run(tmp_path, "phenix.map_correlations", FULL, HALF_1)) == pytest.approx(0.83, abs=0.02)


def test_a_map_whose_origin_is_not_zero(tmp_path: Path) -> None:
    start = (10, -5, 3)
    shifted = with_origin(FULL, tmp_path / "shifted.ccp4", start)
    model = moved(tmp_path / "m.pdb", 0, tuple(0.875 * n for n in start))  # type: ignore[arg-type]
    assert last(r"CC_mask  : (\S+)", run(tmp_path, "phenix.map_correlations", model, shifted, "resolution=3")) > 0.85


def test_map_symmetry_finds_c4(tmp_path: Path) -> None:
    text = run(tmp_path, "phenix.map_symmetry", str(DATA / "c4_map_4A.ccp4"))
    assert "\nNCS type: C4\n" in text and "Copies: 4" in text
    assert last(r"Correlation of symmetry-related regions: ([\d.]+)", text) > 0.95
    assert (tmp_path / "symmetry_from_map.ncs_spec").read_text().count("new_operator") == 4


def test_docking_adds_the_copies_of_the_symmetry(tmp_path: Path) -> None:
    run(tmp_path, "phenix.map_symmetry", str(DATA / "c4_map_4A.ccp4"), "resolution=4")
    docked = ("phenix.dock_in_map", TRUE, str(DATA / "c4_map_4A.ccp4"), "resolution=4", "quick=True")
    text = run(tmp_path, *docked, "ncs_file=symmetry_from_map.ncs_spec")
    assert "\nPlaced 4 copies of true_model.pdb\n" in text and last(r"\nCC_mask : (\S+)", text) > 0.97
    chains = {line[21] for line in (tmp_path / "placed_model.pdb").read_text().splitlines() if line.startswith("ATOM")}
    assert chains == set("ABCD")
    (tmp_path / "none.ncs_spec").write_text("Nothing\n")
    assert "Sorry: none.ncs_spec holds no symmetry operators" in run(tmp_path, *docked, "ncs_file=none.ncs_spec", code=1)


def test_a_model_whose_chains_stand_otherwise_is_docked_chain_by_chain(tmp_path: Path) -> None:
    gemmi = pytest.importorskip("gemmi")
    pair = gemmi.read_structure(TRUE)
    second = pair[0]["A"].clone()
    second.name = "B"
    for residue in second:
        for atom in residue:
            atom.pos += gemmi.Position(30, 5, -8)  # no copy of the map stands so beside another
    pair[0].add_chain(second)
    pair.write_pdb(str(tmp_path / "pair.pdb"))
    text = run(tmp_path, "phenix.dock_in_map", "pair.pdb", str(DATA / "c4_map_4A.ccp4"), "resolution=4", "quick=True")
    assert len(re.findall(r"residues 1 to 93 \(93 residues\): placed", text)) == 2
    assert last(r"\nCC_mask : (\S+)", text) > 0.95


def test_map_symmetry_that_is_not_there_is_a_result(tmp_path: Path) -> None:
    text = run(tmp_path, "phenix.map_symmetry", str(DATA / "c4_map_4A.ccp4"), "ncs_type=D7")
    assert "\nNo symmetry found\n" in text and not list(tmp_path.glob("*.ncs_spec"))


def test_map_sharpening_of_half_maps(tmp_path: Path) -> None:
    run(tmp_path, "phenix.map_sharpening", HALF_1, HALF_2, "resolution=3", "anisotropic_sharpen=False")
    text = run(tmp_path, "phenix.map_correlations", TRUE, "sharpened_map.ccp4", "resolution=3")
    assert last(r"CC_mask  : (\S+)", text) > 0.91  # 0.910 before


def test_sharpening_one_map_in_shells_is_an_error(tmp_path: Path) -> None:
    assert "Sorry: sharpening_method=shells" in run(tmp_path, "phenix.map_sharpening", FULL, "sharpening_method=shells", code=1)


def test_dock_in_map_places_a_model_and_knows_its_limit(tmp_path: Path) -> None:
    away = moved(tmp_path / "away.pdb", 60, (17, 15, -11))
    dock = ("phenix.dock_in_map", away, FULL, "resolution=3.0", "nproc=2", "open_phenix.solutions=2")
    text = run(tmp_path, *dock, "quick=True")
    assert last(r"\nCC_mask : (\S+)", text) > 0.85
    placed = gemmi.read_structure(str(tmp_path / "placed_model.pdb"))
    true = gemmi.read_structure(TRUE)
    distances = [a.atom.pos.dist(b.atom.pos) for a, b in zip(placed[0].all(), true[0].all())]
    assert max(distances) < 1.0
    (tmp_path / "placed_model.pdb").unlink()
    text = run(tmp_path, *dock, "open_phenix.rotation_step=45", "min_cc=0.99", code=1)
    assert "Sorry: No solution found" in text and not (tmp_path / "placed_model.pdb").exists()


def test_real_space_refine_against_half_maps(tmp_path: Path) -> None:
    command = ("phenix.real_space_refine", SHAKEN, FULL, *HALVES, "resolution=3.0", "macro_cycles=2", "nproc=4")
    text = run(tmp_path, *command, "output.prefix=rsr_001", "skip_map_model_overlap_check=True", "clashscore=False")
    assert "parameters not honoured: nproc=4 (speed only)" in text
    assert last(r"\nStart CC_mask : (\S+)", text) == pytest.approx(0.778, abs=0.02)
    assert last(r"CC_mask : (\S+)", text) > 0.90
    assert last(r"bonds : ([\d.]+)", text) < 0.05
    assert last(r"FSCaverage : ([\d.]+)", text) > 0.94
    assert "\nClashscore: not available\n" in text  # not asked for
    refined = gemmi.read_structure(str(tmp_path / "rsr_001_real_space_refined_000.pdb"))
    assert refined[0].count_atom_sites() == 720 and refined.cell.a == pytest.approx(56.0)
    assert (tmp_path / "rsr_001_real_space_refined_000.cif").is_file()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".")) == []


@pytest.mark.parametrize("extra", ["ncs_constraints=True", "reference_model.enabled=True", "mask_maps=True"])
def test_what_cannot_be_honoured_is_an_error(tmp_path: Path, extra: str) -> None:
    text = run(tmp_path, "phenix.real_space_refine", SHAKEN, FULL, "resolution=3", extra, code=1)
    assert "Sorry: " in text and "changes the result" in text


def test_resolution_is_required(tmp_path: Path) -> None:
    for program in ("phenix.real_space_refine", "phenix.dock_in_map", "phenix.validation_cryoem"):
        assert "Sorry: Resolution is required" in run(tmp_path, program, SHAKEN, FULL, code=1)


def test_validation_says_what_is_not_available(tmp_path: Path) -> None:
    text = run(tmp_path, "phenix.validation_cryoem", TRUE, FULL, "resolution=3", "clashscore=False")
    assert last(r"CC_mask  : (\S+)", text) > 0.85
    assert last(r"Ramachandran outliers = +([\d.]+) %", text) < 5
    assert last(r"favored = +([\d.]+) %", text) > 90
    for name in ("Rotamer outliers", "Clashscore", "MolProbity score"):
        assert re.search(rf"{name} += not available", text)


def test_a_file_that_is_no_map(tmp_path: Path) -> None:
    (tmp_path / "no.ccp4").write_bytes(b"nothing" * 400)
    assert "cannot be read as a CCP4 or MRC map" in run(tmp_path, "phenix.mtriage", "full_map=no.ccp4", code=1)
