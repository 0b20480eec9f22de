"""Every parameter that the agent can write for the X-ray programs is taken in the form in which it writes it."""

from pathlib import Path

import pytest

from open_phenix.core import registry
from open_phenix.core.arguments import parse

CELL = "unit_cell=54.7,69.6,77.0,90,90,90"
COMMANDS = [
    (
        "phenix.xtriage d.mtz",
        ["scaling.input.xray_data.obs_labels=F,SIGF", f"xray_data.{CELL}", "xray_data.space_group=P 21 21 21"],
    ),
    ("phenix.xtriage d.mtz", ["scaling.input.asu_contents.sequence_file=s.fasta"]),
    ("phenix.phaser d.mtz m.pdb s.fasta", ["phaser.mode=MR_AUTO", "phaser.search_copies=2"]),
    ("phenix.phaser d.mtz m.pdb", ["phaser.labin=F,SIGF", "phaser.hklin.labin=F", "phaser.keywords.general.jobs=4"]),
    ("phenix.phaser d.mtz", ["phaser.ensemble.coordinates=m.pdb", f"phaser.crystal_symmetry.{CELL}", "phaser.crystal_symmetry.space_group=P212121"]),
    (
        "phenix.phaser d.mtz s.fasta",
        ["phaser.ensemble.coordinates.pdb=m.pdb", "phaser.ensemble.coordinates.pdb=n.pdb", "phaser.search.copies=2",
         "phaser.keywords.sgalternative.select=hand"],
    ),
    ("phenix.phaser d.mtz components.eff s.fasta", ["phaser.mode=MR_AUTO", "phaser.keywords.sgalternative.select=all"]),
    (
        "phenix.refine m.pdb d.mtz l.cif",
        [
            "xray_data.r_free_flags.generate=True",
            "output.prefix=refine_001",
            "main.number_of_macro_cycles=5",
            "main.simulated_annealing=False",
            "ordered_solvent=True",
            "refinement.twinning.twin_law=h,-k,-l",
            'refine.adp.individual.anisotropic="not (water or element H)"',
            "xray_data.high_resolution=2.0",
            'data_manager.miller_array.labels.name="F,SIGF"',
            "refinement.main.nproc=4",
            f"crystal_symmetry.{CELL}",
            "crystal_symmetry.space_group=P212121",
        ],
    ),
    (
        "phenix.refine m.pdb d.mtz",
        ["refine.strategy=rigid_body+individual_sites+individual_adp", "crystal_symmetry.unit_cell=54.7 69.6 77.0 90 90 90"],
    ),
    ("phenix.refine m.pdb d.mtz", ["miller_array.labels.name=F", "main.nproc=4", "main.ordered_solvent=True"]),
    (
        "phenix.refine m.pdb d.mtz",
        ["target_weights.optimize_xyz_weight=True", "ordered_solvent.low_resolution=2.5", "adp.individual.isotropic=all"],
    ),
    ("phenix.refine m.pdb d.mtz", ["main.macro_cycles=2", "secondary_structure.enabled=False"]),
    (
        "phenix.autobuild data=d.mtz seq_file=s.fasta model=m.pdb refinement_file=d.mtz cif_def_file_list=l.cif",
        ["nproc=4", "quick=True", "resolution=2.0", "rebuild_in_place=True", "use_hl_if_present=False", "n_cycle_build_max=3",
         f"crystal_info.{CELL}", "crystal_info.space_group=P212121"],
    ),
    ("phenix.autobuild data=d.mtz seq_file=s.fasta", ["maps_only=True", "nproc=4", "resolution=2.0"]),
    ("phenix.ligandfit model=m.pdb data=d.mtz ligand=l.cif", ["general.nproc=5", "file_info.input_labels=2FOFCWT PH2FOFCWT"]),
    ("phenix.ligandfit model=m.pdb data=d.mtz ligand=n.pdb", [f"crystal_symmetry.{CELL}"]),
    ("phenix.pdbtools m.pdb n.pdb", ["output.file_name=m_with_ligand.pdb"]),
    (
        "phenix.polder d.mtz m.pdb",
        ["selection='hetero and not water'", "xray_data.high_resolution=1.8", "miller_array.labels.name=F"],
    ),
    ("phenix.process_predicted_model m.pdb", ["maximum_rmsd=1.5", "b_value_field_is=plddt"]),
    ("phenix.molprobity m.pdb", []),
    ("phenix.molprobity m.pdb d.mtz l.cif", []),
    ("phenix.model_vs_data m.pdb d.mtz", ["f_obs_label=F"]),
]


@pytest.mark.parametrize(("command", "parameters"), COMMANDS)
def test_taken_as_written(command: str, parameters: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("m.pdb", "n.pdb", "d.mtz", "s.fasta", "components.eff"):
        (tmp_path / name).write_text("x")
    (tmp_path / "l.cif").write_text("_chem_comp_atom.comp_id LIG\n")
    name, *files = command.split()
    request = parse(registry.module_of(name).SPEC, files + parameters)
    assert not [text for text in request.ignored if "speed only" not in text and "switched off" not in text]
