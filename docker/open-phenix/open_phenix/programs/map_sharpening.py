"""phenix.map_sharpening: sharpen a cryo-EM map, by cctbx's own half-map, model and B-factor sharpening."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec
from open_phenix.cryoem.map_roles import MapFiles, map_files, map_slots

OUTPUT = "sharpened_map.ccp4"

SPEC = ProgramSpec(
    name="phenix.map_sharpening",
    purpose="sharpen a cryo-EM map",
    engine=CCTBX,
    files=map_slots()
    + (
        FileSlot("model", ("model",), flags=("model", "map_model.model"), help="for model_sharpen=True"),
        FileSlot("sequence", ("sequence",), flags=("seq_file",), help="accepted, not needed"),
    ),
    parameters=(
        Parameter("resolution", "float", minimum=0.5, maximum=50.0, help="Angstrom; if absent, from the half maps"),
        Parameter("sharpening_method", "choice", choices=("shells", "b-factor", "b_factor"), help="default: by the input"),
        Parameter("model_sharpen", "bool", default=False, help="scale factors from the map of the model"),
        Parameter("anisotropic_sharpen", "bool", default=True, help="for shells"),
        Parameter("sharpened_map_file", "str", default=OUTPUT, aliases=("output_files.sharpened_map_file",)),
        Parameter("local_sharpen", "bool", effect="science", neutral=(False,)),
        Parameter("b_iso", "float", effect="science"),
        Parameter("b_sharpen", "float", effect="science"),
        Parameter("nproc", "int", effect="speed"),
    ),
    outputs=(f"{OUTPUT}", "map_sharpening_details.log (the long log of cctbx)"),
    notes=(
        "Two half maps: shells. A model with model_sharpen=True: shells against the map of the model. A full map alone: "
        "b-factor, and resolution= is needed then.",
    ),
    example="phenix.map_sharpening half_map_1.ccp4 half_map_2.ccp4",
)


def run(request: Request) -> None:
    """Choose the method, sharpen, write the map where the input map lies."""
    from open_phenix.core import cctbx_session

    files, model_path = map_files(request), request.optional_file("model")
    method = _method(request, files, model_path)
    cctbx_session.start()
    from open_phenix.cryoem import map_box, sharpening

    paths = list(files.halves or ()) + ([files.full] if files.full is not None else [])
    boxes = map_box.read_maps_on_one_grid(paths)
    halves = (boxes[0], boxes[1]) if files.halves else None
    full = boxes[-1] if files.full is not None else map_box.mean_map(boxes[0], boxes[1])
    map_box.describe("Map to be sharpened", full)
    if files.full is None:
        print("  (the mean of the two half maps)")
    resolution = _resolution(request, full, halves)
    print(f"Resolution: {resolution:.2f} A\nSharpening method: {method}")
    with open(sharpening.details_file(Path.cwd()), "w", encoding="utf-8") as log:
        data = _sharpen(method, request, full, halves, model_path, resolution, log)
    output = Path(request["sharpened_map_file"])
    map_box.write_in_place(full, data, output, f"sharpened ({method}) by open-phenix with cctbx")
    print(f"\nWrote sharpened map to {output}")


def _method(request: Request, files: MapFiles, model_path: Path | None) -> str:
    if files.full is None and files.halves is None:
        raise Sorry("phenix.map_sharpening needs a full map, or two half maps")
    wanted = (request["sharpening_method"] or "").lower().replace("_", "-")
    if request["model_sharpen"]:
        if model_path is None:
            raise Sorry("model_sharpen=True needs a model (model=FILE)")
        if wanted == "b-factor":
            raise Sorry("model_sharpen=True goes with sharpening_method=shells")
        return "shells, model"
    if wanted == "shells" and files.halves is None:
        raise Sorry(
            "sharpening_method=shells needs two half maps, or a model and model_sharpen=True; use b-factor for a single map"
        )
    if wanted == "b-factor" or files.halves is None:
        return "b-factor"
    return "shells, half maps"


def _resolution(request: Request, full: Any, halves: Any) -> float:
    from open_phenix.cryoem import resolution

    if request["resolution"] is not None:
        return float(request["resolution"])
    if halves is None:
        raise Sorry("Resolution is required for a single map (resolution=D, in Angstrom)")
    return resolution.working_resolution(resolution.estimate(full, halves, None, None), None).value


def _sharpen(
    method: str, request: Request, full: Any, halves: Any, model_path: Path | None, resolution: float, log: Any
) -> Any:
    from open_phenix.cryoem import box_model, correlation, sharpening
    from open_phenix.cryoem.numbers import shown

    anisotropic = request["anisotropic_sharpen"]
    if method == "shells, half maps":
        return sharpening.by_half_maps(full, halves, resolution, anisotropic, log)
    if method == "b-factor":
        data, b_sharpen = sharpening.by_b_factor(full, resolution, log)
        print(f"Overall b_sharpen applied: {shown(b_sharpen, '%13.2f')} A**2")
        return data
    assert model_path is not None
    model = box_model.read_model(model_path, full)
    box_model.report(model)
    box_model.stop_if_outside(model)
    print(f"CC_mask before sharpening: {shown(correlation.of_model(model, resolution).mask)}")
    data = sharpening.by_model(full, model, resolution, anisotropic, log)
    after = correlation.of_structure(data, model.structure(), resolution)
    print(f"CC_mask after sharpening : {shown(after.mask)}")
    return data
