"""phenix.polder: omit map of a selection without bulk solvent in its place; mmtbx.programs.polder."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec

_SELECTION = "solvent_exclusion_mask_selection"

SPEC = ProgramSpec(
    name="phenix.polder",
    purpose="polder omit map: is there density for the selected atoms?",
    engine=CCTBX,
    files=(
        FileSlot("data", ("reflections",), required=True),
        FileSlot("model", ("model",), required=True),
        FileSlot("ligands", ("restraints",), multiple=True, help="accepted, not needed"),
    ),
    parameters=(
        Parameter(_SELECTION, default="hetero and not water", aliases=("selection",), help="PHENIX selection syntax"),
        Parameter("xray_data.labels", "labels", aliases=("data_labels", "xray_data.obs_labels", "miller_array.labels.name")),
        Parameter("xray_data.r_free_flags.label", aliases=("r_free_flags_labels",)),
        Parameter("xray_data.r_free_flags.test_flag_value", "int"),
        Parameter("xray_data.high_resolution", "float", minimum=0.1, help="Angstrom"),
        Parameter("xray_data.low_resolution", "float", minimum=0.1, help="Angstrom"),
        Parameter("crystal_symmetry.unit_cell", "unit_cell"),
        Parameter("crystal_symmetry.space_group", "space_group"),
        Parameter("polder.sphere_radius", "float", 5.0, minimum=3, help="Angstrom"),
        Parameter("output_file_name_prefix", help="default: <model>"),
        Parameter("nproc", "int", effect="speed"),
    ),
    outputs=("PREFIX_polder_map_coeffs.mtz (mFo-DFc_polder, mFo-DFc_omit)",),
    example="phenix.polder data.mtz model.pdb selection='resname NUT'",
)


def run(request: Request) -> None:
    """Choose data and flags by our rules, hand one plain file with both to cctbx's polder."""
    from open_phenix.core import scratch
    from open_phenix.xray.reflections import ReflectionFile, Symmetry, check_same_crystal, model_symmetry

    model_path, data_path = request.file("model").resolve(), request.file("data")
    given = Symmetry(request["crystal_symmetry.unit_cell"], request["crystal_symmetry.space_group"])
    symmetry_of_model = model_symmetry(model_path)
    source = ReflectionFile(data_path, given, fallback=symmetry_of_model)
    if given == Symmetry():
        check_same_crystal(source.symmetry, symmetry_of_model, data_path, model_path)
    with scratch.folder("polder") as folder:
        chosen = folder / "polder_input.mtz"
        _write_chosen(request, source, chosen)
        _polder(request, model_path, chosen)


def _write_chosen(request: Request, source: Any, path: Path) -> None:
    from open_phenix.xray import refinement_data

    label, value = request["xray_data.r_free_flags.label"], request["xray_data.r_free_flags.test_flag_value"]
    limits = request["xray_data.high_resolution"], request["xray_data.low_resolution"]
    if label is None and not source.has_free_flags():
        print("R-free flags: not present in the data; all reflections are used")
        refinement_data.write_without_flags(source.observed(request["xray_data.labels"], "xray_data"), limits, path)
        return
    data = refinement_data.prepare(source, request["xray_data.labels"], label, value, False, d_min=limits[0], d_max=limits[1])
    print(f"Data: {request.file('data')}:{data.label}; R-free flags: {data.flags_origin}")
    refinement_data.write_limited_file(data, path)


def _polder(request: Request, model: Path, data: Path) -> None:
    from mmtbx.programs import polder

    from open_phenix.core import cctbx_program
    from open_phenix.core.cctbx_program import quoted

    prefix = request["output_file_name_prefix"] or Path(model.name).stem
    cctbx_program.run(
        polder.Program,
        [
            str(model),
            str(data),
            f"{_SELECTION}={quoted(request[_SELECTION])}",
            f"polder.sphere_radius={request['polder.sphere_radius']:g}",
            f"output_file_name_prefix={quoted(prefix)}",
        ],
    )
