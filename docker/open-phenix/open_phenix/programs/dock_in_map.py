"""phenix.dock_in_map: place a model in a cryo-EM map, by PowerFit and a rigid-body refinement of cctbx."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import CCTBX, POWERFIT, FileSlot, Parameter, ProgramSpec

OUTPUT = "placed_model.pdb"
MIN_CC = 0.40  # below it a placement is not a solution
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
        FileSlot("symmetry", ("symmetry",), flags=("input_files.ncs_file", "ncs_file"),
                 help="operators of phenix.map_symmetry: the other copies follow from the first"),
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
        Parameter("search_domains", "bool", default=None,
                  help="parts one by one; default: only where the whole model fits badly, False: never"),
    ),
    refused=("reconstruction_symmetry",),
    outputs=(f"{OUTPUT} (only if the model was placed)",),
    notes=(
        f"A search with rotations every {COARSE:g} degrees, then, unless it is beyond doubt, every {FINE:g} degrees. The best "
        f"placements are refined as rigid bodies. The line to read is `CC_mask : x`. If the best CC_mask is below {MIN_CC} "
        "(min_cc) the program says that no solution was found, writes no model and ends with exit code 1.",
        "The model is placed as one rigid body, with everything that is in its file. Where its CC_mask stays below 0.60, its chains, or the compact "
        "domains of a single chain, are placed one after the other, each in the density that is left, and kept if they fit better. "
        "With operators the copies that have room and density are added.",
    ),
    example="phenix.dock_in_map model.pdb map.ccp4 resolution=3.0",
)


def run(request: Request) -> None:
    """Search, refine as a rigid body, write the placed model or report that there is none."""
    from open_phenix.core import cctbx_session, scratch

    resolution = request["crystal_info.resolution"]
    if resolution is None:
        raise Sorry("Resolution is required (resolution=D, in Angstrom)")
    cctbx_session.start()
    from open_phenix.cryoem import box_model, correlation, docking, map_box, symmetry_copies

    box = map_box.read_map(request.file("map"))
    map_box.describe("Map", box)
    model = box_model.read_model(request.file("model"), box)
    box_model.report(model)
    _stop_if_too_large(model)
    found = None
    if request.optional_file("symmetry") is not None:
        found = symmetry_copies.operators(request.file("symmetry"), box.shift)
    limit = request["min_cc"]
    with scratch.folder("dock") as folder:
        placement = _dock(request, model, resolution, folder)
    if placement is None or placement.cc_mask < limit:
        raise _no_solution(placement, limit)
    copies = 1
    if found is not None:
        print(f"\nCopies by the {len(found)} operators of {request.file('symmetry').name}:")
        whole, copies = symmetry_copies.complete(model, placement.hierarchy, resolution, found, limit)
        placement = docking.Placement(whole, correlation.of_model(model, resolution, whole))
    output = Path(request["pdb_out"])
    box_model.write_model(model, placement.hierarchy, output)
    print(f"\nPlaced {copies} {'copy' if copies == 1 else 'copies'} of {model.path.name}")
    placement.correlation.show()
    print(f"\nWrote placed model to {output}")
    print(f"CC_mask : {placement.cc_mask:.4f}")


def _dock(request: Request, model: Any, resolution: float, folder: Path) -> Any:
    """The whole model, unless parts are requested; its parts if the whole has no unambiguous placement and they fit better."""
    from open_phenix.cryoem import docking, domains

    asked, limit = request["search_domains"], request["min_cc"]
    whole = None if asked else docking.dock(model, resolution, _passes(request), folder)
    if asked is False or (whole is not None and whole.cc_mask >= docking.SURE_CC_MASK):
        return whole
    parts = domains.parts_of(model)
    if not parts:
        if asked:
            raise Sorry(f"search_domains=True: the model has one part only of {domains.SMALLEST} residues or more")
        return whole
    print(f"\n{len(parts)} parts of the model are searched one by one:")
    placement, said = domains.dock(model, parts, resolution, _passes(request), folder, limit)
    print("\nParts:\n  " + "\n  ".join(said))
    if placement is None or (whole is not None and whole.cc_mask >= placement.cc_mask):
        return whole
    return placement


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
