"""Stand-in for phenix.predict_and_build (AlphaFold prediction, placement and building)."""

from pathlib import Path

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import FileSlot, Parameter, ProgramSpec
from open_phenix.cryoem.map_roles import MapFiles, map_files, map_slots
from open_phenix.core import sequences
from open_phenix.simulated import artefacts, models
from open_phenix.simulated.options import SCRIPT, TEST_PARAMETERS, play

PREFIX = "PredictAndBuild_0"
PLDDT = 89.96

SPEC = ProgramSpec(
    name="phenix.predict_and_build",
    purpose="predict a model, then place and build it",
    engine=SCRIPT,
    simulated=True,
    files=(
        FileSlot("sequence", ("sequence",), required=True, flags=("input_files.seq_file",)),
        FileSlot("data", ("reflections",), flags=("input_files.xray_data_file",)),
    )
    + map_slots(),
    parameters=(
        Parameter("predict_and_build.stop_after_predict", "bool", default=False),
        Parameter("crystal_info.resolution", "float", minimum=0.5, help="Angstrom; needed to build in a map"),
        Parameter("crystal_info.unit_cell", "unit_cell"),
        Parameter("crystal_info.space_group", "space_group"),
        Parameter("quick", "bool", default=False, aliases=("predict_and_build.quick",)),
        Parameter("input_files.xray_data.obs_labels", "labels"),
        Parameter("output_files.prefix", default=PREFIX, aliases=("prefix",)),
        Parameter("control.nproc", "int", default=4),
    )
    + TEST_PARAMETERS,
    outputs=(
        "PREFIX_predicted_model.pdb (pLDDT in the B column), always",
        "X-ray: PREFIX_overall_best.pdb, PREFIX_overall_best_refinement.mtz, PREFIX_overall_best_map_coeffs.mtz",
        "cryo-EM: PREFIX_overall_best.pdb, PREFIX_overall_best_map.ccp4",
    ),
    notes=(
        "The predicted model is a set of ideal helices with the given sequence. It is not a prediction.",
        "A model beside the sequence (seq.simulated.pdb for seq.fa) is presented in their place.",
    ),
    example="open-phenix-simulated phenix.predict_and_build seq_file=seq.fa stop_after_predict=True",
)


def run(request: Request) -> None:
    """Predict (scripted), then build (scripted) unless a parameter stops it."""
    sequence = request.file("sequence")
    sequences.read(sequence)
    files, data = map_files(request), request.optional_file("data")
    has_map = files.full is not None or files.halves is not None
    if data is not None and has_map:
        raise Sorry("Give X-ray data or a map, not both")
    stop = request["predict_and_build.stop_after_predict"]
    if not stop and data is None and not has_map:
        raise Sorry("X-ray data or a map are needed to build (or set stop_after_predict=True)")
    if not stop and has_map and request["crystal_info.resolution"] is None:
        raise Sorry("Resolution is required to build in a map (crystal_info.resolution=D, in Angstrom)")
    prefix = request["output_files.prefix"]
    play(request, ["Predicting models (scripted)", f"PREDICTED MODEL 1 plDDT: {PLDDT}", f"Keeping model 1 with plDDT = {PLDDT}"])
    models.write_prediction(Path(f"{prefix}_predicted_model.pdb"), sequence, PLDDT)
    print(f"Wrote {prefix}_predicted_model.pdb")
    if stop:
        print("Stopping after prediction (stop_after_predict=True)")
    elif data is not None:
        _build_in_crystal(prefix, data, sequence)
    else:
        _build_in_map(prefix, files, sequence)


def _build_in_crystal(prefix: str, data: Path, sequence: Path) -> None:
    mtz = artefacts.read_reflections(data)
    artefacts.amplitude_label(mtz)
    model = Path(f"{prefix}_overall_best.pdb")
    models.write_built(model, sequence, mtz.cell, mtz.spacegroup.xhm())
    artefacts.write_data(mtz, Path(f"{prefix}_overall_best_refinement.mtz"))
    artefacts.write_map_coefficients(mtz, Path(f"{prefix}_overall_best_map_coeffs.mtz"))
    print(f"Wrote {model}, {prefix}_overall_best_refinement.mtz, {prefix}_overall_best_map_coeffs.mtz")
    print("R-work: 0.24\nR-free: 0.27")


def _build_in_map(prefix: str, files: MapFiles, sequence: Path) -> None:
    paths = [files.full] if files.full is not None else list(files.halves or ())
    maps = [artefacts.read_map(path) for path in paths if path is not None]
    cell = maps[0].grid.unit_cell
    model, output = Path(f"{prefix}_overall_best.pdb"), Path(f"{prefix}_overall_best_map.ccp4")
    models.write_built(model, sequence, cell, "P 1")
    artefacts.write_mean_map(maps[0], maps[1] if len(maps) == 2 else None, output)
    print(f"Wrote {model}, {output}\nRefinement successful with CC_mask = 0.65")
