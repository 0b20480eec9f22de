"""phenix.mtriage: the resolution of a map, by mmtbx.maps.mtriage."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec
from open_phenix.cryoem.map_roles import MapFiles, map_files, map_slots

SPEC = ProgramSpec(
    name="phenix.mtriage",
    purpose="resolution of a cryo-EM map: half-map FSC, map-model FSC, d99",
    engine=CCTBX,
    files=map_slots() + (FileSlot("model", ("model",), flags=("map_model.model", "model_file_name"), help="placed model"),),
    parameters=(
        Parameter("mtriage.resolution", "float", minimum=0.5, maximum=50.0, help="Angstrom; for the radius of the mask only"),
        Parameter("mtriage.nproc", "int", effect="speed"),
        Parameter("mtriage.mask_maps", "bool", effect="science", neutral=(False,)),
        Parameter("mtriage.n_bins", "int", effect="science"),
    ),
    outputs=(
        "fsc_half_maps.unmasked.mtriage.log (and .masked with a model): 1/d, FSC",
        "fsc_model.masked.mtriage.log, fsc_model.unmasked.mtriage.log (with a model)",
    ),
    notes=(
        "The line to read is `Resolution: D`: from the half maps (FSC=0.143) where there are two; else from a model that "
        "fits (FSC=0.5, CC_mask 0.5 or more), printed as `d_fsc_model_05 : D` too; else d99, printed as `d99 : D` only in that last "
        "case, because d99 does not see noise and is far too optimistic for an unfiltered map. A model outside of the map is "
        "left out. "
        "mask.ccp4 is not written: an agent would take it for a map.",
    ),
    example="phenix.mtriage half_map=half_map_1.ccp4 half_map=half_map_2.ccp4 model.pdb",
)


def run(request: Request) -> None:
    """Read the maps, estimate, print PHENIX's table and a summary."""
    from open_phenix.core import cctbx_session

    cctbx_session.start()
    from open_phenix.cryoem import box_model, correlation, resolution

    full, halves = _read(map_files(request))
    path = request.optional_file("model")
    model = box_model.read_model(path, full) if path is not None else None
    if model is not None:
        box_model.report(model)
        if model.atoms_inside() == 0:
            print("  The model is entirely outside of the map: it is left out")
            model = None
    estimates = resolution.estimate(full, halves, model, request["mtriage.resolution"])
    print()
    resolution.show_table(estimates)
    print()
    resolution.write_curves(estimates, Path.cwd())
    working = resolution.working_resolution(estimates, None)
    cc_mask = None
    if model is not None:
        cc_mask = correlation.of_model(model, working.value).mask
        working = resolution.working_resolution(estimates, cc_mask)
    _show_summary(working, cc_mask)


def _show_summary(working: Any, cc_mask: float | None) -> None:
    from open_phenix.cryoem import resolution
    from open_phenix.cryoem.numbers import shown

    print("\nSummary:")
    if cc_mask is not None:
        print(f"  CC_mask: {shown(cc_mask)}")
        if cc_mask < resolution.FITTED_CC_MASK:
            print("  The model does not fit well enough: no resolution is taken from it.")
    print(f"  {working.source.split(',')[0]} : {working.value:.2f}")
    print(f"  Resolution: {working.value:.2f} A ({working.source})")


def _read(files: MapFiles) -> tuple[Any, Any]:
    from open_phenix.cryoem import map_box

    if files.full is None and files.halves is None:
        raise Sorry("phenix.mtriage needs a map (full_map=FILE, or half_map=FILE twice)")
    paths: tuple[Path, ...] = tuple(files.halves or ()) + ((files.full,) if files.full is not None else ())
    boxes = map_box.read_maps_on_one_grid(paths)
    halves = (boxes[0], boxes[1]) if files.halves else None
    full = boxes[-1] if files.full is not None else map_box.mean_map(boxes[0], boxes[1])
    if halves:
        map_box.describe("Half map 1", halves[0])
        map_box.describe("Half map 2", halves[1])
    if files.full is not None:
        map_box.describe("Full map", full)
    else:
        print("Full map: the mean of the two half maps")
    return full, halves
