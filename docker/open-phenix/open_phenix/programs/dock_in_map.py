"""phenix.dock_in_map: place a model in a cryo-EM map, by PowerFit and a rigid-body refinement of cctbx."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import CCTBX, POWERFIT, FileSlot, Parameter, ProgramSpec

OUTPUT = "placed_model.pdb"
MIN_CC = 0.40  # below it a placement is no solution
COARSE, FINE = 20.0, 10.0  # degrees between rotations

SPEC = ProgramSpec(
    name="phenix.dock_in_map",
    purpose="place a model in a cryo-EM map",
    engine=POWERFIT,
    also=(CCTBX,),
    files=(
        FileSlot("model", ("model",), required=True, flags=("input_files.search_model", "model", "pdb_file")),
        FileSlot("map", ("map",), required=True, flags=("input_files.map_file", "map_model.full_map"), help="full map"),
        FileSlot("sequence", ("sequence",), flags=("input_files.seq_file",), help="accepted, not needed"),
    ),
    parameters=(
        Parameter("crystal_info.resolution", "float", minimum=1.0, maximum=50.0, help="Angstrom, required"),
        Parameter("control.nproc", "int", default=1, minimum=1, maximum=256, aliases=("nproc",), help="processors of the search"),
        Parameter("open_phenix.gpu", "bool", default=False, aliases=("gpu",), help="search on a GPU (no PHENIX parameter)"),
        Parameter("quick", "bool", default=False, aliases=("strategy.quick",), help="coarse search only"),
        Parameter("open_phenix.rotation_step", "float", minimum=4.0, maximum=60.0, help="degrees; one search with this step"),
        Parameter("min_cc", "float", default=MIN_CC, minimum=0.0, maximum=1.0, aliases=("search.min_cc",)),
        Parameter("open_phenix.solutions", "int", default=5, minimum=1, maximum=50, help="placements refined per search"),
        Parameter("pdb_out", "str", default=OUTPUT, aliases=("output_files.pdb_out",)),
        Parameter("search_model_copies", "int", default=1, effect="science", neutral=(1,)),
        Parameter("search_domains", "bool", default=False, effect="science", neutral=(False,)),
    ),
    refused=("reconstruction_symmetry",),
    outputs=(f"{OUTPUT} (only if the model was placed)",),
    notes=(
        f"A search with rotations every {COARSE:g} degrees, then, unless it is beyond doubt, every {FINE:g} degrees. The best "
        f"placements are refined as rigid bodies. The line to read is `CC_mask : x`. If the best CC_mask is below {MIN_CC} "
        "(min_cc) the program says that no solution was found, writes no model and ends with exit code 1.",
        "One copy of the model is placed as one rigid body, with everything that is in its file.",
    ),
    example="phenix.dock_in_map model.pdb map.ccp4 resolution=3.0",
)


def run(request: Request) -> None:
    """Search, refine as a rigid body, write the placed model or say that there is none."""
    from open_phenix.core import cctbx_session, scratch

    resolution = request["crystal_info.resolution"]
    if resolution is None:
        raise Sorry("Resolution is required (resolution=D, in Angstrom)")
    cctbx_session.start()
    from open_phenix.cryoem import box_model, docking, map_box

    box = map_box.read_map(request.file("map"))
    map_box.describe("Map", box)
    model = box_model.read_model(request.file("model"), box)
    box_model.report(model)
    _stop_if_too_large(model)
    with scratch.folder("dock") as folder:
        placement = docking.dock(model, resolution, _passes(request), folder)
    limit = request["min_cc"]
    if placement is None or placement.cc_mask < limit:
        raise _no_solution(placement, limit)
    output = Path(request["pdb_out"])
    box_model.write_model(model, placement.hierarchy, output)
    print(f"\nPlaced 1 copy of {model.path.name}")
    placement.correlation.show()
    print(f"\nWrote placed model to {output}")
    print(f"CC_mask : {placement.cc_mask:.4f}")


def _passes(request: Request) -> list[Any]:
    from open_phenix.cryoem.powerfit import SearchOptions

    gpu: str | None = "" if request["open_phenix.gpu"] else None
    step = request["open_phenix.rotation_step"]
    steps = [step] if step is not None else [COARSE] if request["quick"] else [COARSE, FINE]
    return [SearchOptions(s, request["control.nproc"], request["open_phenix.solutions"], gpu) for s in steps]


def _stop_if_too_large(model: Any) -> None:
    sites = model.hierarchy.atoms().extract_xyz()
    extent = max(b - a for a, b in zip(sites.min(), sites.max()))
    longest = sum(edge**2 for edge in model.box.edges) ** 0.5
    if extent > longest:
        raise Sorry(f"The model ({extent:.0f} A) is larger than the map ({longest:.0f} A across)")


def _no_solution(placement: Any, limit: float) -> Sorry:
    from open_phenix.cryoem.numbers import shown

    best = None if placement is None else placement.correlation.mask
    return Sorry(f"No solution found: the best placement has a CC_mask of {shown(best)}, below the limit of {limit:.2f} (min_cc)")
