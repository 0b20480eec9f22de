"""Stand-in for phenix.autobuild (rebuilding and refinement, or density modification with maps_only=True)."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import FileSlot, Parameter, ProgramSpec
from open_phenix.simulated import artefacts, models, sequences
from open_phenix.simulated.options import SCRIPT, TEST_PARAMETERS, play

SPEC = ProgramSpec(
    name="phenix.autobuild",
    purpose="model rebuilding and refinement; density modification only with maps_only=True",
    engine=SCRIPT,
    simulated=True,
    files=(
        FileSlot("data", ("reflections",), required=True, flags=("autobuild.data", "input_files.data")),
        FileSlot(
            "free_set", ("reflections",), positional=False, flags=("autobuild.refinement_file", "input_files.input_refinement_file")
        ),
        FileSlot("sequence", ("sequence",), flags=("autobuild.seq_file", "input_files.seq_file")),
        FileSlot("model", ("model",), flags=("autobuild.model", "input_files.model")),
        FileSlot("map_coeffs", ("reflections",), positional=False, flags=("autobuild.map_file", "input_files.input_map_file")),
    ),
    parameters=(
        Parameter("autobuild.maps_only", "bool", default=False),
        Parameter("autobuild.rebuild_in_place", "bool"),
        Parameter("autobuild.n_cycle_build_max", "int", default=3, minimum=1, maximum=50),
        Parameter("autobuild.quick", "bool", default=False),
        Parameter("autobuild.use_hl_if_present", "bool"),
        Parameter("autobuild.crystal_info.resolution", "float", minimum=0.5, aliases=("resolution",), help="Angstrom"),
        Parameter("autobuild.crystal_info.unit_cell", "unit_cell"),
        Parameter("autobuild.crystal_info.space_group", "space_group"),
        Parameter("autobuild.nproc", "int", aliases=("nproc",)),
    )
    + TEST_PARAMETERS,
    outputs=(
        "overall_best.pdb, overall_best_refinement_data.mtz, overall_best_map_coeffs.mtz",
        "with maps_only=True: overall_best_denmod_map_coeffs.mtz only",
    ),
    example="open-phenix-simulated phenix.autobuild data=data.mtz seq_file=seq.fa model=model.pdb",
)


def run(request: Request) -> None:
    """Check the inputs, print the scripted log, write the files."""
    mtz = artefacts.read_reflections(request.file("data"))
    artefacts.amplitude_label(mtz)
    sequence, model = request.optional_file("sequence"), request.optional_file("model")
    if sequence is None and model is None:
        raise Sorry("AutoBuild needs a sequence file (seq_file=) or a model (model=)")
    chains = sequences.read(sequence) if sequence is not None else []
    resolution = request["autobuild.crystal_info.resolution"] or mtz.resolution_high()
    if request["autobuild.maps_only"]:
        play(request, [f"Resolution from datafile: {resolution:.5f}", "Density modification only (maps_only=True), scripted"])
        artefacts.write_map_coefficients(mtz, Path("overall_best_denmod_map_coeffs.mtz"))
        print("Wrote overall_best_denmod_map_coeffs.mtz")
        return
    play(request, _log(request, resolution, sum(len(chain) for chain in chains)))
    _write(request, mtz)


def _log(request: Request, resolution: float, residues: int) -> list[str]:
    lines = [f"Resolution from datafile: {resolution:.5f}", f"Resolution for model-building: {resolution:.1f}  A"]
    built = int(0.9 * residues)
    for cycle in range(1, request["autobuild.n_cycle_build_max"] + 1):
        r_work = max(0.22, 0.34 - 0.04 * cycle)
        lines.append(
            f"Cycle {cycle}  R/Rfree={r_work:.2f}/{r_work + 0.04:.2f}  Built={built}  Placed={built} "
            f"Resolution={resolution:.1f} A"
        )
    last = max(0.22, 0.34 - 0.04 * request["autobuild.n_cycle_build_max"])
    return lines + [f"Residues built: {built}", f"Model: overall_best.pdb  R/Rfree={last:.2f}/{last + 0.04:.2f}"]


def _write(request: Request, mtz: Any) -> None:
    model = Path("overall_best.pdb")
    given = request.optional_file("model")
    if given is not None:
        artefacts.copy_model(given, model)
    else:
        models.write_built(model, request.file("sequence"), mtz.cell, mtz.spacegroup.xhm())
    data, coefficients = Path("overall_best_refinement_data.mtz"), Path("overall_best_map_coeffs.mtz")
    artefacts.write_data(mtz, data)
    artefacts.write_map_coefficients(mtz, coefficients)
    print(f"Wrote {model}, {data}, {coefficients}")
