"""Each X-ray program on real data, as a user runs it: exit code, result lines, files."""

import re
import shutil
from pathlib import Path
from typing import Any
from collections.abc import Callable

import pytest

gemmi = pytest.importorskip("gemmi", reason="gemmi is not installed in this Python (run install.sh)")

pytestmark = pytest.mark.slow
Command = Callable[..., Any]


def _r_values(text: str, word: str = "Final") -> "tuple[float, float]":
    found = re.findall(rf"{word} R-work = ([\d.]+), R-free = ([\d.]+)", text)
    return float(found[-1][0]), float(found[-1][1])


def _sorry(done: Any) -> str:
    assert done.returncode == 1
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout.rpartition("Sorry: ")[2]


def test_xtriage_passes_the_real_log_through(command: Command, data: Path) -> None:
    done = command("phenix.xtriage", data / "tiny_5e5z/5e5z.mtz", "scaling.input.xray_data.obs_labels=I")
    assert done.returncode == 0
    assert done.stdout.startswith("open-phenix ")
    assert "Space group: P 1 21 1 (No. 4)" in done.stdout
    assert "No (pseudo)merohedral twin laws were found." in done.stdout


def test_model_vs_data(command: Command, data: Path) -> None:
    done = command("phenix.model_vs_data", data / "tiny_5e5z/5e5z.pdb", data / "tiny_5e5z/5e5z.mtz", "xray_data.obs_labels=FP")
    assert re.search(r"^  r_work: 0\.17", done.stdout, re.MULTILINE)
    assert re.search(r"^  r_free: 0\.20", done.stdout, re.MULTILINE)


def test_model_that_is_not_placed_gets_a_high_r(command: Command, data: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.pdb"
    _move(data / "tiny_5e5z/5e5z.pdb", moved)
    done = command("phenix.model_vs_data", moved, data / "tiny_5e5z/5e5z.mtz", "xray_data.obs_labels=FP")
    assert done.returncode == 0
    assert float(re.findall(r"r_work: ([\d.]+)", done.stdout)[0]) > 0.4


def test_cell_mismatch_names_both(command: Command, data: Path) -> None:
    for program in ("phenix.model_vs_data", "phenix.refine"):
        told = _sorry(command(program, data / "5a3h/5a3h_no_ligand.pdb", data / "rnase_sa/rnase_sa.mtz"))
        assert "Crystal symmetry mismatch between different files." in told
        assert "5a3h_no_ligand.pdb" in told and "rnase_sa.mtz" in told


def test_refine_twice_keeps_the_test_set(command: Command, data: Path, tmp_path: Path) -> None:
    tiny = data / "tiny_5e5z"
    first = command("phenix.refine", tiny / "5e5z.pdb", tiny / "5e5z.mtz", "labels=I", "output.prefix=refine_001", "nproc=4")
    assert first.returncode == 0, first.stdout
    assert "parameters not honoured: nproc=4 (speed only)" in first.stdout
    assert "18 reflections" in first.stdout
    start, end = _r_values(first.stdout, "Start"), _r_values(first.stdout)
    assert end[0] < start[0] and end[1] < 0.25
    assert re.search(r"^ +end: 0\.\d{4} 0\.\d{4} 0\.\d{3} +\d\.\d{3}", first.stdout, re.MULTILINE)
    assert first.stdout.strip().splitlines()[-1].startswith("Final R-work")
    second = command("phenix.refine", "refine_001_001.pdb", "refine_001_data.mtz", "output.prefix=refine_002",
                     "xray_data.r_free_flags.generate=True", "main.number_of_macro_cycles=1")
    assert "R-free-flags, test value 1; 18 reflections" in second.stdout
    assert abs(_r_values(second.stdout, "Start")[1] - end[1]) < 0.005
    written = {path.name for path in tmp_path.iterdir()}
    assert written >= {"refine_001_001.pdb", "refine_001_001.cif", "refine_001_001.mtz", "refine_001_data.mtz"}
    assert not [name for name in written if name.startswith(".")]


def test_refine_is_deterministic_and_writes_map_coefficients(command: Command, data: Path, tmp_path: Path) -> None:
    arguments = (data / "tiny_5e5z/5e5z.pdb", data / "tiny_5e5z/5e5z.mtz", "labels=FP", "macro_cycles=1", "output.prefix=r")
    runs = [command("phenix.refine", *arguments).stdout for _ in range(2)]
    assert runs[0] == runs[1] and "Final R-work" in runs[0]
    import gemmi

    labels = {column.label for column in gemmi.read_mtz_file(str(tmp_path / "r_001.mtz")).columns}
    assert labels >= {"2FOFCWT", "PH2FOFCWT", "FOFCWT", "PHFOFCWT", "F-model", "PHIF-model"}


def test_refine_keeps_a_good_geometry_at_low_resolution(command: Command, data: Path) -> None:
    """The estimate of Servalcat left 91.8 % favored and RMS(angles) 3.4 here."""
    rnase = data / "rnase_sa"
    done = command("phenix.refine", rnase / "rnase_sa_tutorial_start.pdb", rnase / "rnase_sa.mtz", "macro_cycles=1",
                   "xray_data.high_resolution=3.0", "ordered_solvent=True")
    assert done.returncode == 0, done.stdout
    assert "WARNING: no waters are picked: the data end at 3.00 A" in done.stdout
    assert re.search(r"^Weight of the data: \d+\.\d\d \(.*it keeps all limits", done.stdout, re.MULTILINE)
    favored = re.search(r"Ramachandran favored +([\d.]+) % +([\d.]+) %", done.stdout)
    angles = re.search(r"RMS\(angles\) +([\d.]+) +([\d.]+)", done.stdout)
    assert favored is not None and float(favored[2]) > float(favored[1]) - 2.0
    assert re.search(r"^  C-beta deviations +\d+ +\d$", done.stdout, re.MULTILINE)
    assert angles is not None and float(angles[2]) < float(angles[1]) + 0.5
    assert _r_values(done.stdout)[1] < _r_values(done.stdout, "Start")[1] + 0.005


def test_refine_keeps_hydrogens_and_anisotropic_atoms(command: Command, data: Path, tmp_path: Path) -> None:
    import gemmi

    from open_phenix.xray import geometry

    model = gemmi.read_structure(str(data / "tiny_5e5z/5e5z.pdb"))
    for site in model[0].all():
        u = site.atom.b_iso / 79
        site.atom.aniso = gemmi.SMat33f(u, u, u, 0, 0, 0)
    geometry.change_hydrogens(model, [], gemmi.HydrogenChange.ReAddKnown)
    model.write_pdb(str(tmp_path / "rich.pdb"))
    arguments = ("phenix.refine", "rich.pdb", data / "tiny_5e5z/5e5z.mtz", "labels=FP", "macro_cycles=1", "fix_wxc=2")
    done = command(*arguments, "output.prefix=r", "adp.individual.anisotropic=all")
    assert done.returncode == 0, done.stdout
    assert "atoms came with anisotropic B values: kept" in done.stdout
    assert "hydrogens came with the model: made again" in done.stdout and "Weight of the data: 2, as given" in done.stdout
    written = [site.atom for site in gemmi.read_structure(str(tmp_path / "r_001.pdb"))[0].all()]
    assert sum(atom.is_hydrogen() for atom in written) > 40
    assert all(atom.aniso.nonzero() for atom in written if not atom.is_hydrogen())
    done = command(*arguments, "output.prefix=i")
    assert re.search(r"made isotropic, as \d+ reflections do not determine 9 parameters for each of 47 atoms", done.stdout)
    assert "ANISOU" not in (tmp_path / "i_001.pdb").read_text()


def test_refine_without_flags(command: Command, data: Path, tmp_path: Path) -> None:
    _without_flags(data / "tiny_5e5z/5e5z.mtz", tmp_path / "noflags.mtz")
    arguments = ("phenix.refine", data / "tiny_5e5z/5e5z.pdb", "noflags.mtz", "labels=FP", "macro_cycles=1")
    assert _sorry(command(*arguments)).startswith("No array of R-free flags found.")
    done = command(*arguments, "xray_data.r_free_flags.generate=True")
    assert done.returncode == 0, done.stdout
    assert "generated here" in done.stdout and "Sorry" not in done.stdout


def test_refine_continues_without_what_has_no_restraints(command: Command, data: Path, tmp_path: Path) -> None:
    text = (data / "tiny_5e5z/5e5z.pdb").read_text()
    (tmp_path / "odd.pdb").write_text(text.replace("LEU A", "LXX A"))
    done = command("phenix.refine", "odd.pdb", data / "tiny_5e5z/5e5z.mtz", "labels=FP", "macro_cycles=1", "output.prefix=out")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING: no restraints for LXX: its atoms" in done.stdout and "refined without LXX" in done.stdout
    atoms = [line for line in text.splitlines() if line.startswith("ATOM") and line[17:22] == "LEU A"]
    for name in ("out_001.pdb", "out_001.cif"):
        refined = gemmi.read_structure(str(tmp_path / name))
        kept = [residue for chain in refined[0] for residue in chain if residue.name == "LXX"]
        assert sum(len(residue) for residue in kept) == len(atoms) > 0


def test_refine_names_an_atom_without_restraints(command: Command, data: Path, tmp_path: Path) -> None:
    (tmp_path / "odd.pdb").write_text((data / "tiny_5e5z/5e5z.pdb").read_text().replace(" CD1 LEU", " CX1 LEU"))
    assert "CX1" in _sorry(command("phenix.refine", "odd.pdb", data / "tiny_5e5z/5e5z.mtz", "labels=FP"))


def test_refine_refuses_what_it_cannot_do(command: Command, data: Path) -> None:
    tiny = data / "tiny_5e5z"
    done = command("phenix.refine", tiny / "5e5z.pdb", tiny / "5e5z.mtz", "main.simulated_annealing=True")
    assert "simulated_annealing=True changes the result" in _sorry(done)


def test_refine_refuses_an_impossible_twin_law(command: Command, data: Path) -> None:
    tiny = data / "tiny_5e5z"
    done = command("phenix.refine", tiny / "5e5z.pdb", tiny / "5e5z.mtz", "labels=FP", "twin_law=l,-k,h")
    assert "twin law l,-k,h is not among those possible" in _sorry(done)


def test_polder_of_a_residue(command: Command, data: Path, tmp_path: Path) -> None:
    tiny = data / "tiny_5e5z"
    files = (tiny / "5e5z.mtz", tiny / "5e5z.pdb")
    done = command("phenix.polder", *files, "selection='resseq 3'", "labels=FP", "high_resolution=1.7")
    assert done.returncode == 0, done.stdout
    assert float(re.findall(r"CC\(1,3\): +([\d.-]+)", done.stdout)[0]) > 0.8
    assert "The polder map is likely to show the omitted atoms." in done.stdout
    assert (tmp_path / "5e5z_polder_map_coeffs.mtz").is_file()
    told = _sorry(command("phenix.polder", tiny / "5e5z.mtz", tiny / "5e5z.pdb", "selection='chain Z'", "labels=FP"))
    assert "No atoms where selected" in told


def test_pdbtools_merges_under_free_names(command: Command, data: Path, tmp_path: Path) -> None:
    tiny = data / "tiny_5e5z/5e5z.pdb"
    shutil.copy(tiny, tmp_path / "lig.pdb")
    done = command("phenix.pdbtools", tiny, "lig.pdb", "output.file_name=with spaces_with_ligand.pdb")
    assert done.returncode == 0, done.stdout
    import gemmi

    merged = gemmi.read_structure(str(tmp_path / "with spaces_with_ligand.pdb"))
    assert [chain.name for chain in merged[0]] == ["A", "B"]
    assert round(merged.cell.a, 2) == 9.64


def test_ligandfit_frees_the_density_that_waters_took(command: Command, data: Path, tmp_path: Path) -> None:
    """BAZ2B with a fragment whose oxygen binds Asn 1944: beside the submitted waters it fits the wrong way round."""
    folder = data / "unseen_2026/baz2b_x839"
    strategy = "refine.strategy=rigid_body+individual_sites+individual_adp"
    quick = ["main.number_of_macro_cycles=1", "optimize_xyz_weight=False", "clashscore=False"]
    cell = "crystal_symmetry.unit_cell=83.5 96.74 57.97 90 90 90"
    prefix, labels = "output.prefix=r", "xray_data.labels=IMEAN,SIGIMEAN"
    done = command("phenix.refine", folder / "BAZ2B.pdb", folder / "x839.mtz", strategy, *quick, cell, prefix, labels)
    assert done.returncode == 0, done.stdout
    done = command("phenix.ligandfit", "model=r_001.pdb", "data=r_001.mtz", f"ligand={folder / 'LIG.cif'}")
    assert done.returncode == 0, done.stdout
    assert float(re.findall(r"^CC to map: ([\d.]+)", done.stdout, re.M)[0]) > 0.85
    assert re.findall(r"^Waters that the ligand replaces: (.+) \(", done.stdout, re.M) == ["W 22, W 49"]
    done = command("phenix.pdbtools", "r_001.pdb", "ligand_fit_1.pdb", "output.file_name=merged.pdb")
    assert "removed, because ligand_fit_1.pdb overlaps them: waters W 22, W 49" in done.stdout
    merged = gemmi.read_structure(str(tmp_path / "merged.pdb"))[0]
    nitrogen = next(residue for residue in merged["A"] if residue.seqid.num == 1944)["ND2"][0]
    assert merged["C"][0]["O12"][0].pos.dist(nitrogen.pos) < 3.3
    assert not {22, 49} & {residue.seqid.num for residue in merged["W"]}

    _waters_instead_of("C", tmp_path / "merged.pdb", tmp_path / "covered.pdb")
    done = command("phenix.refine", "covered.pdb", "r_data.mtz", *quick, "output.prefix=c")
    assert done.returncode == 0, done.stdout
    done = command("phenix.ligandfit", "model=c_001.pdb", "data=c_001.mtz", f"ligand={folder / 'LIG.cif'}")
    assert "Fitting again with all waters left out of the model and of FOFCWT" in done.stdout
    assert float(re.findall(r"^CC to map: ([\d.]+)", done.stdout, re.M)[0]) > 0.85
    fitted = gemmi.read_structure(str(tmp_path / "ligand_fit_1.pdb"))[0]
    assert fitted[0]["1"]["LIG"]["O12"][0].pos.dist(nitrogen.pos) < 3.3


def _waters_instead_of(chain: str, source: Path, target: Path) -> None:
    """Replace a chain with waters on those of its heavy atoms that are 2 A apart."""
    structure = gemmi.read_structure(str(source))
    covered: list[gemmi.Position] = []
    for atom in structure[0][chain][0]:
        if not atom.is_hydrogen() and all(atom.pos.dist(other) >= 2 for other in covered):
            covered.append(atom.pos)
    structure[0].remove_chain(chain)
    waters = structure[0]["W"]
    for number, position in enumerate(covered, start=900):
        water = waters[0].clone()
        water.seqid, water[0].pos, water[0].b_iso = gemmi.SeqId(number, " "), position, 25
        waters.add_residue(water)
    structure.write_pdb(str(target))


def test_process_predicted_model(command: Command, data: Path, tmp_path: Path) -> None:
    lines = (data / "rnase_sa/rnase_sa_tutorial_start.pdb").read_text().splitlines()
    atoms = [line for line in lines if line.startswith("ATOM") and line[21] == "A"]
    rows = [line[:60] + (" 40.00" if int(line[22:26]) < 10 else " 92.00") + line[66:] for line in atoms]
    (tmp_path / "prediction.pdb").write_text("\n".join(rows) + "\nEND\n")
    done = command("phenix.process_predicted_model", "prediction.pdb", "b_value_field_is=plddt")
    assert done.returncode == 0, done.stdout
    written = (tmp_path / "prediction_processed.pdb").read_text().splitlines()
    kept = {int(line[22:26]) for line in written if line.startswith("ATOM")}
    assert min(kept) >= 10 and len(kept) > 70


def test_molprobity_prints_no_zero_for_the_unknown(command: Command, data: Path) -> None:
    tiny = data / "tiny_5e5z"
    done = command("phenix.molprobity", tiny / "5e5z.pdb", tiny / "5e5z.mtz", "xray_data.obs_labels=FP")
    assert done.returncode == 0, done.stdout
    summary = done.stdout.partition("= Summary =")[2]
    assert "                favored = 100.00 %" in summary
    assert "  Rotamer outliers      = not available" in summary
    assert re.search(r"  Clashscore            = +\d+\.\d\d", summary)
    assert re.search(r"  R-free                = +0\.20", summary)


def test_phaser_places_a_moved_model(command: Command, data: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.pdb"
    _move(data / "rnase_sa/rnase_sa_tutorial_start.pdb", moved, chain="A")
    done = command("phenix.phaser", data / "rnase_sa/rnase_sa.mtz", moved, "phaser.mode=MR_AUTO", "phaser.search_copies=2")
    assert done.returncode == 0, done.stdout
    assert float(re.findall(r"TFZ==?([\d.]+)", done.stdout)[-1]) > 12
    assert "SOLU SPAC P 21 21 21" in done.stdout
    assert float(re.findall(r"^LLG: (\d+)$", done.stdout, re.M)[0]) > 500
    check = command("phenix.model_vs_data", "PHASER.1.pdb", "PHASER.1.mtz")
    assert float(re.findall(r"r_free: ([\d.]+)", check.stdout)[0]) < 0.4


def test_phaser_places_two_models(command: Command, data: Path, tmp_path: Path) -> None:
    """That their order does not matter is in test_mr_components.py."""
    for chain in "AB":
        _move(data / "rnase_sa/rnase_sa_tutorial_start.pdb", tmp_path / f"{chain}.pdb", chain=chain)
    flag = "phaser.ensemble.coordinates.pdb="
    done = command("phenix.phaser", data / "rnase_sa/rnase_sa.mtz", f"{flag}B.pdb", f"{flag}A.pdb", "resolution.high=4")
    assert done.returncode == 0, done.stdout
    assert "Components placed: 2 of 2\n" in done.stdout and "** SINGLE solution" in done.stdout
    assert min(float(tfz) for tfz in re.findall(r"Component [AB].pdb: 1 of 1 copies found, TFZ=([\d.]+)", done.stdout)) > 8
    assert done.stdout.endswith("\nCopies found: 2 of 2\n")
    check = command("phenix.model_vs_data", "PHASER.1.pdb", "PHASER.1.mtz")
    assert float(re.findall(r"r_free: ([\d.]+)", check.stdout)[0]) < 0.4


def test_phaser_finds_the_other_hand(command: Command, data: Path, tmp_path: Path) -> None:
    """Data of P43 labelled P41: nothing there, a solution in P43, and the free flags as they were."""
    import gemmi

    mtz = gemmi.read_mtz_file(str(data / "il1b_1l2h_twin/1l2h.mtz"))
    mtz.spacegroup = gemmi.SpaceGroup("P 41")
    mtz.write_to_file(str(tmp_path / "p41.mtz"))
    _move(data / "il1b_1l2h_twin/1l2h.pdb", tmp_path / "moved.pdb")
    done = command("phenix.phaser", "p41.mtz", "moved.pdb", "phaser.keywords.sgalternative.select=hand")
    assert done.returncode == 0, done.stdout
    assert "Space groups tried: P 41, P 43\n" in done.stdout
    tfz = [float(found) for found in re.findall(r"Space group P 4[13]: best TFZ=([\d.]+)", done.stdout)]
    assert tfz[0] < 6.5 and tfz[1] > 8
    assert re.findall(r"SOLU SPAC (.+)", done.stdout) == ["P 41", "P 43"]
    written = gemmi.read_mtz_file(str(tmp_path / "PHASER.1.mtz"))
    flags = [column.label for column in written.columns if column.label.upper().startswith("FREE")]
    assert written.spacegroup.hm == "P 43" and flags
    for label in flags:
        assert written.column_with_label(label).array.tolist() == mtz.column_with_label(label).array.tolist()
    check = command("phenix.model_vs_data", "PHASER.1.pdb", "PHASER.1.mtz")
    assert float(re.findall(r"r_free: ([\d.]+)", check.stdout)[0]) < 0.45  # twinned


def test_phaser_without_a_solution(command: Command, data: Path, tmp_path: Path) -> None:
    lines = (data / "rnase_sa/rnase_sa_tutorial_start.pdb").read_text().splitlines()
    (tmp_path / "piece.pdb").write_text("\n".join([line for line in lines if line.startswith("ATOM")][:300]) + "\nEND\n")
    done = command("phenix.phaser", data / "tiny_5e5z/5e5z.mtz", "piece.pdb", "obs_labels=FP")
    assert "no solution" in _sorry(done)
    assert not list(tmp_path.glob("PHASER*"))


def _move(source: Path, target: Path, chain: "str | None" = None) -> None:
    """Turn and shift a model; keep one chain, no waters."""
    import math

    import gemmi

    structure = gemmi.read_structure(str(source))
    structure.remove_waters()
    for name in [c.name for c in structure[0]]:
        if chain is not None and name != chain:
            structure[0].remove_chain(name)
    c, s = math.cos(1.1), math.sin(1.1)
    turn = gemmi.Transform(gemmi.Mat33([[c, -s, 0], [s, c, 0], [0, 0, 1]]), gemmi.Vec3(-13, 21, 9))
    structure[0].transform_pos_and_adp(turn)
    structure.write_pdb(str(target))


def _without_flags(source: Path, target: Path) -> None:
    import gemmi

    mtz = gemmi.read_mtz_file(str(source))
    for index in reversed(range(len(mtz.columns))):
        if mtz.columns[index].label.upper().startswith("FREE"):
            mtz.remove_column(index)
    mtz.write_to_file(str(target))
