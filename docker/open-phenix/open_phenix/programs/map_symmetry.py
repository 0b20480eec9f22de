"""phenix.map_symmetry: the point group of a cryo-EM map, by cctbx.maptbx.segment_and_split_map (PHENIX's own search)."""

import sys
from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec

OUTPUT = "symmetry_from_map.ncs_spec"
DEFAULT_MIN_CC = 0.75  # cctbx's own limit for a symmetry to count

SPEC = ProgramSpec(
    name="phenix.map_symmetry",
    purpose="symmetry (point group) of a cryo-EM map",
    engine=CCTBX,
    files=(FileSlot("map", ("map",), required=True, flags=("input_files.map_file", "map_model.full_map")),),
    parameters=(
        Parameter("crystal_info.resolution", "float", minimum=0.5, maximum=50.0, help="Angstrom; a low-pass filter"),
        Parameter(
            "reconstruction_symmetry.symmetry",
            "str",
            default="ALL",
            aliases=("ncs_type", "symmetry_type"),
            help="C4, D7, O, I, T ... or ALL",
        ),
        Parameter("reconstruction_symmetry.include_helical_symmetry", "bool", default=False, help="slow"),
        Parameter("reconstruction_symmetry.min_ncs_cc", "float", default=DEFAULT_MIN_CC, minimum=0.0, maximum=1.0),
        Parameter("output_files.symmetry_out", "str", default=OUTPUT),
        Parameter("control.nproc", "int", effect="speed"),
    ),
    outputs=(f"{OUTPUT} (only if a symmetry was found)",),
    notes=(
        "The lines to read: `NCS type: C4`, `Correlation of symmetry-related regions: 1.00   Copies: 4`; or `No symmetry found`, "
        "which is a result, not a failure (exit code 0).",
    ),
    example="phenix.map_symmetry map.ccp4 resolution=3.5",
)


def run(request: Request) -> None:
    """Search, print what PHENIX prints, write the operators."""
    from open_phenix.core import cctbx_session

    cctbx_session.start()
    from cctbx.maptbx.segment_and_split_map import get_params, run_get_ncs_from_map
    from libtbx.utils import null_out

    from open_phenix.cryoem import map_box

    box = map_box.read_map(request.file("map"))
    map_box.describe("Map", box)
    resolution = request["crystal_info.resolution"]
    parameters = get_params(
        args=[],
        symmetry=request["reconstruction_symmetry.symmetry"],
        include_helical_symmetry=request["reconstruction_symmetry.include_helical_symmetry"],
        min_ncs_cc=request["reconstruction_symmetry.min_ncs_cc"],
        resolution=resolution,
        return_params_only=True,
        out=null_out(),
    )
    print("\nFinding symmetry in map")
    operators, cc, _score = run_get_ncs_from_map(
        params=parameters,
        map_data=box.data,
        crystal_symmetry=box.symmetry,
        fourier_filter=resolution is not None,
        out=sys.stdout,
    )
    if not operators or operators.max_operators() < 2:
        print("\nNo symmetry found")
        return
    in_place = operators.coordinate_offset(coordinate_offset=[-s for s in box.shift])
    _report(in_place, operators.get_ncs_name(), cc, Path(request["output_files.symmetry_out"]))


def _report(operators: Any, name: str | None, cc: float, path: Path) -> None:
    print("\nFinal symmetry obtained:")
    if name:
        print(f"NCS type: {name.strip()}")
    print(f"Correlation of symmetry-related regions: {cc:.2f}   Copies: {operators.max_operators()}")
    operators.format_all_for_group_specification(file_name=str(path))
    print(f"\nWrote operators in .ncs_spec format to {path}")
