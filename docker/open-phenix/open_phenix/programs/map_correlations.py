"""phenix.map_correlations: agreement of a model with a map, or of two maps."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec

_IN = "input_files."

SPEC = ProgramSpec(
    name="phenix.map_correlations",
    purpose="correlation of a model with a map, or of two maps",
    engine=CCTBX,
    files=(
        FileSlot("model", ("model",), flags=(_IN + "model",)),
        FileSlot("map_in_1", ("map",), flags=(_IN + "map_in_1",)),
        FileSlot("map_in_2", ("map",), flags=(_IN + "map_in_2",)),
        FileSlot("map_coeffs_1", ("reflections",), flags=(_IN + "map_coeffs_1",), help="MTZ with map coefficients"),
        FileSlot("map_coeffs_2", ("reflections",), flags=(_IN + "map_coeffs_2",), help="MTZ with map coefficients"),
    ),
    parameters=(
        Parameter("crystal_info.resolution", "float", minimum=0.5, maximum=50.0, help="Angstrom; needed for a model and a map"),
        Parameter("ignore_symmetry_conflicts", "bool", default=False, help="take the box of the map, whatever the model says"),
        Parameter(_IN + "map_coeffs_labels_1", "labels", help="FWT,PHWT or the like; the first map coefficients if not given"),
        Parameter(_IN + "map_coeffs_labels_2", "labels"),
        Parameter("control.nproc", "int", effect="speed"),
    ),
    notes=(
        "The lines to read: `CC_mask  : x`, `CC_volume: x`, `CC_peaks : x`, `CC_box   : x`; for two maps `map-map CC: x`.",
        "As a probe of placement: a model that is not where the density is has a CC_mask near 0 (below 0.15). If no atom at "
        "all lies in the map there is nothing to correlate; the program then ends as PHENIX does, with "
        "`Sorry: Stopping as model is entirely outside map and wrapping=False` and exit code 1, which means not placed.",
    ),
    example="phenix.map_correlations input_files.model=model.pdb input_files.map_in_1=map.ccp4 resolution=3.0",
)


def run(request: Request) -> None:
    """Model against each map, then map against map."""
    from open_phenix.core import cctbx_session

    model, maps, coefficients = request.optional_file("model"), _maps(request), _coefficients(request)
    if model is None and len(maps) + len(coefficients) < 2:
        raise Sorry("phenix.map_correlations needs a model and a map, or two maps (input_files.model=, input_files.map_in_1=)")
    if not maps and not coefficients:
        raise Sorry("phenix.map_correlations needs a map (input_files.map_in_1=) or map coefficients (input_files.map_coeffs_1=)")
    if maps and coefficients:
        raise Sorry("phenix.map_correlations takes maps or map coefficients, not one of each")
    cctbx_session.start()
    if maps:
        _with_maps(request, model, maps)
    else:
        _with_coefficients(request, model, coefficients)


def _maps(request: Request) -> list[Path]:
    return request.all_files("map_in_1") + request.all_files("map_in_2")


def _coefficients(request: Request) -> list[tuple[Path, str | None]]:
    found = []
    for number in ("1", "2"):
        path = request.optional_file(f"map_coeffs_{number}")
        if path is not None:
            found.append((path, request[f"{_IN}map_coeffs_labels_{number}"]))
    return found


def _with_maps(request: Request, model_path: Path | None, paths: list[Path]) -> None:
    from open_phenix.cryoem import correlation, map_box
    from open_phenix.cryoem.numbers import shown

    boxes = map_box.read_maps_on_one_grid(paths)
    for number, box in enumerate(boxes, start=1):
        map_box.describe(f"Map {number}", box)
    if model_path is not None:
        resolution = request["crystal_info.resolution"]
        if resolution is None:
            raise Sorry("Resolution is required (resolution=D, in Angstrom)")
        for box in boxes:
            _model_with_map(request, model_path, box, resolution)
    if len(boxes) == 2:
        print(f"\nmap-map CC: {shown(correlation.map_with_map(boxes[0].data, boxes[1].data))}")


def _model_with_map(request: Request, model_path: Path, box: Any, resolution: float) -> None:
    from open_phenix.cryoem import box_model, correlation
    from open_phenix.cryoem.numbers import shown

    model = box_model.read_model(model_path, box)
    if model.conflicts() and not request["ignore_symmetry_conflicts"]:
        raise Sorry(
            "Crystal symmetry mismatch between different files: the model and the map have different unit cells "
            "(ignore_symmetry_conflicts=True takes the box of the map)"
        )
    box_model.report(model)
    box_model.stop_if_outside(model)
    inside, atoms = model.atoms_inside(), model.hierarchy.atoms_size()
    if inside < atoms:
        print(f"  WARNING: {atoms - inside} of {atoms} atoms are outside the map.")
    print(f"\nMap: {box.path.name}   resolution: {resolution:.2f} A")
    correlation.of_model(model, resolution).show()
    print("\nMap-model CC (per chain):")
    for chain, cc, mean_b, count in correlation.by_chain(model, resolution):
        print(f"  chain {chain:<2}: {shown(cc)}   mean B: {mean_b:7.2f}   atoms: {count}")


def _with_coefficients(request: Request, model_path: Path | None, given: list[tuple[Path, str | None]]) -> None:
    from open_phenix.cryoem import correlation, map_coefficients
    from open_phenix.cryoem.numbers import shown

    arrays = [map_coefficients.read(path, labels) for path, labels in given]
    resolution = request["crystal_info.resolution"]
    if model_path is not None:
        for (path, _), array in zip(given, arrays):
            print(f"\nMap coefficients: {path.name} ({array.info().label_string()})")
            map_coefficients.correlate_model(model_path, array, resolution, request["ignore_symmetry_conflicts"]).show()
    if len(arrays) == 2:
        first, second = map_coefficients.maps_on_one_grid(arrays[0], arrays[1], resolution)
        print(f"\nmap-map CC: {shown(correlation.map_with_map(first, second))}")
