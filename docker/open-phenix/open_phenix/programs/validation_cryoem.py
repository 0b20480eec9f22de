"""phenix.validation_cryoem: model against map, and the geometry of the model, by mmtbx."""

from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec
from open_phenix.cryoem.map_roles import MapFiles, map_files, map_slots

SPEC = ProgramSpec(
    name="phenix.validation_cryoem",
    purpose="validation of a model in a cryo-EM map",
    engine=CCTBX,
    files=(FileSlot("model", ("model",), required=True, flags=("map_model.model", "model_file_name")),)
    + map_slots()
    + (FileSlot("ligands", ("restraints",), multiple=True, help="restraint dictionaries"),),
    parameters=(
        Parameter("resolution", "float", minimum=0.5, maximum=50.0, help="Angstrom, required"),
        Parameter("ignore_symmetry_conflicts", "bool", default=True, help="the box of the map is always used"),
        Parameter("open_phenix.clashscore", "bool", default=True, aliases=("clashscore",), help="False saves most of the time"),
        Parameter("nproc", "int", effect="speed"),
    ),
    notes=(
        "The lines to read: `CC_mask  : x` and the Summary block, worded and computed as in phenix.molprobity. Rotamer outliers "
        "and MolProbity score need tables that no open package carries; they are printed as not available.",
    ),
    example="phenix.validation_cryoem model.pdb map.ccp4 resolution=3.0",
)


def run(request: Request) -> None:
    """Correlations, resolution, geometry."""
    from open_phenix.core import cctbx_session

    files, resolution = map_files(request), request["resolution"]
    if files.full is None and files.halves is None:
        raise Sorry("phenix.validation_cryoem needs a map (full_map=FILE, or half_map=FILE twice)")
    if resolution is None:
        raise Sorry("Resolution is required (resolution=D, in Angstrom)")
    cctbx_session.start()
    from open_phenix.cryoem import box_model, correlation

    box, halves = _read(files)
    model = box_model.read_model(request.file("model"), box)
    box_model.report(model)
    box_model.stop_if_outside(model)
    print()
    overall = correlation.of_model(model, resolution)
    overall.show()
    _show_chains(model, resolution)
    _show_resolution(model, box, halves, resolution, overall.mask)
    _show_summary(_geometry(request), resolution)


def _read(files: MapFiles) -> tuple[Any, Any | None]:
    from open_phenix.cryoem import map_box

    paths = list(files.halves or ()) + ([files.full] if files.full is not None else [])
    boxes = map_box.read_maps_on_one_grid(paths)
    halves = (boxes[0], boxes[1]) if files.halves else None
    full = boxes[-1] if files.full is not None else map_box.mean_map(boxes[0], boxes[1])
    map_box.describe("Map", full)
    return full, halves


def _show_chains(model: Any, resolution: float) -> None:
    from open_phenix.cryoem import correlation
    from open_phenix.cryoem.numbers import shown

    print("Map-model CC (per chain):")
    for chain, cc, _mean_b, count in correlation.by_chain(model, resolution):
        print(f"  chain {chain:<2}: {shown(cc)}   atoms: {count}")


def _show_resolution(model: Any, box: Any, halves: Any | None, given: float, cc_mask: float | None) -> None:
    from open_phenix.cryoem import resolution
    from open_phenix.cryoem.numbers import shown

    estimates = resolution.estimate(box, halves, model, given)
    print("\nResolution estimates (unmasked):")
    print(f"  d_fsc_model_05: {shown(resolution.model_resolution(estimates, cc_mask), '%.2f')}")
    print(f"  d_fsc : {shown(estimates.unmasked.d_fsc, '%.2f')}")


def _geometry(request: Request) -> dict[str, Any]:
    """Run each check separately; a failed one is printed with its reason and stays None."""
    from open_phenix.core import scratch
    from open_phenix.restraints import for_model
    from open_phenix.xray import models, validation

    path = request.file("model")
    structure, hierarchy = models.read(path), validation.hierarchy_of(path)
    restraints = for_model.find(structure, [ligand.resolve() for ligand in request.all_files("ligands")])
    dictionaries, structure = restraints.dictionaries, restraints.refined_part(structure)
    reasons: dict[str, str] = {}
    print("\nGeometry:")
    found = {
        "ramachandran": validation.attempt(reasons, "Ramachandran", lambda: validation.ramachandran(hierarchy)),
        "c_beta": validation.attempt(reasons, "C-beta deviations", lambda: validation.c_beta(hierarchy)),
        "deviations": validation.attempt(reasons, "RMS", lambda: validation.deviations(structure, dictionaries)),
        "clashes": None,
    }
    if request["open_phenix.clashscore"]:
        with scratch.folder("validation") as folder:
            work = lambda: validation.clashes(structure, dictionaries, folder)  # noqa: E731
            found["clashes"] = validation.attempt(reasons, "Clashscore", work)
    for name, reason in reasons.items():
        print(f"  {name}: not available ({reason})")
    return found


def _show_summary(found: dict[str, Any], resolution: float) -> None:
    from open_phenix.cryoem.numbers import NOT_AVAILABLE, shown

    rama, rms, clashes = found["ramachandran"], found["deviations"], found["clashes"]
    print("\n=== Summary ===\n")
    print(f"  Ramachandran outliers = {shown(rama and rama.outliers, '%6.2f %%')}")
    print(f"                favored = {shown(rama and rama.favored, '%6.2f %%')}")
    print(f"  Rotamer outliers      = {NOT_AVAILABLE}")
    print(f"  C-beta deviations     = {shown(found['c_beta'], '%5d')}")
    print(f"  Clashscore            = {shown(clashes and clashes.score, '%6.2f')}")
    print(f"  RMS(bonds)            = {shown(rms and rms.bonds, '%8.4f')}")
    print(f"  RMS(angles)           = {shown(rms and rms.angles, '%6.2f')}")
    print(f"  MolProbity score      = {NOT_AVAILABLE}")
    print(f"  Resolution            = {resolution:6.2f}")
