"""phenix.real_space_refine: refine a placed model against a cryo-EM map, by Servalcat."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import CCTBX, SERVALCAT, FileSlot, Parameter, ProgramSpec
from open_phenix.cryoem.map_roles import MapFiles, map_files, map_slots

SUFFIX = "_real_space_refined_000"

SPEC = ProgramSpec(
    name="phenix.real_space_refine",
    purpose="refine a placed model against a cryo-EM map",
    engine=SERVALCAT,
    also=(CCTBX,),
    files=(FileSlot("model", ("model",), required=True, flags=("map_model.model", "model_file_name")),)
    + map_slots()
    + (FileSlot("ligands", ("restraints",), multiple=True, help="restraint dictionaries"),),
    parameters=(
        Parameter("resolution", "float", minimum=0.5, maximum=20.0, help="Angstrom, required"),
        Parameter("output.prefix", "str", aliases=("output.file_name_prefix",), help="default: the name of the model"),
        Parameter(
            "refinement.macro_cycles", "int", default=5, minimum=1, maximum=50, aliases=("macro_cycles",),
            help="each is 4 cycles of Servalcat",
        ),
        Parameter("skip_map_model_overlap_check", "bool", default=False, help="a model outside the map is an error anyway"),
        Parameter("ignore_symmetry_conflicts", "bool", default=True, help="the box of the map is always used"),
        Parameter("open_phenix.clashscore", "bool", default=True, aliases=("clashscore",), help="False saves some time"),
        Parameter("scattering_table", "choice", default="electron", choices=("electron",)),
        Parameter("run", "choice", default="minimization_global+adp",
                  choices=("minimization_global+adp", "minimization_global+local_grid_search+adp")),
        Parameter("nproc", "int", effect="speed"),
        Parameter("weight", "float", None, minimum=0, help="of the data, on Servalcat's scale: no trials"),
        Parameter("ncs_constraints", "bool", default=False, effect="science", neutral=(False,)),
        Parameter("mask_maps", "bool", effect="science"),
    ),
    refused=("rigid_body", "simulated_annealing", "reference_model", "reference_coordinate_restraints", "secondary_structure",
             "ramachandran_plot_restraints", "rotamers", "ncs"),
    outputs=(
        f"PREFIX{SUFFIX}.pdb (if the model fits that format) and .cif",
        f"PREFIX{SUFFIX}_servalcat.log (the log of the engine)",
    ),
    notes=(
        "With two half maps the refinement is against them, with their noise; with a full map alone against that. The CC is "
        "computed with the full map (or the mean of the half maps). Riding hydrogens are used and written only if the input has "
        "any. The lines to read: `CC_mask : x` (the last), `bonds: x`, `angles: x` per macro cycle.",
        "The weight of the data is searched for in the first macro cycle, as in phenix.refine: up to three trials, from "
        "Servalcat's estimate down. The geometry of the model as submitted is the limit (Ramachandran plot, clashscore, "
        "RMS(angles)); half maps judge the fit, each trial being refined against one and compared with the other. RMS(bonds) and "
        "RMS(angles) keep the usual limits whatever the start, and of equal fits the one with an acceptable clashscore is taken.",
        "A side chain with an angle that is off by 10 estimated deviations is rebuilt with ideal bonds and angles before a macro "
        "cycle, as refinement cannot straighten it.",
        "The clashscore is that of phenix.molprobity here. No rotamer fitting (local grid search) is done.",
    ),
    example="phenix.real_space_refine model.pdb map.ccp4 half_map=h1.ccp4 half_map=h2.ccp4 resolution=3.0 output.prefix=rsr_001",
)


def run(request: Request) -> None:
    """Refine and write the model."""
    from open_phenix.core import cctbx_session, scratch

    files, resolution = map_files(request), request["resolution"]
    if files.full is None and files.halves is None:
        raise Sorry("phenix.real_space_refine needs a map (full_map=FILE, or half_map=FILE twice)")
    if resolution is None:
        raise Sorry("Resolution is required (resolution=D, in Angstrom)")
    cctbx_session.start()
    from open_phenix.cryoem import box_model, spa_refinement
    from open_phenix.restraints import for_model
    from open_phenix.xray import models

    box, maps = _read(files)
    model = box_model.read_model(request.file("model"), box)
    box_model.report(model)
    box_model.stop_if_outside(model)
    stem = Path((request["output.prefix"] or model.path.stem) + SUFFIX)
    print(f"\nReal-space refinement at {resolution:.2f} A against {'two half maps' if len(maps) == 2 else 'one map'}")
    with scratch.folder("real_space_refine") as folder:
        submitted = models.read(model.path)
        restraints = for_model.find(submitted, [path.resolve() for path in request.all_files("ligands")])
        if restraints.missing:
            print(f"Refined without {', '.join(restraints.missing)}, which the model written has as submitted")
        refinement = spa_refinement.SpaRefinement(
            box, maps, resolution, restraints, folder, request["weight"], request["open_phenix.clashscore"]
        )
        result = refinement.run(model, request["refinement.macro_cycles"])
        written = spa_refinement.write_outputs(result, box, stem, restraints.residues_of(submitted))
        _finish(refinement, stem, written)


def _read(files: MapFiles) -> tuple[Any, Any]:
    from open_phenix.cryoem import map_box

    paths = list(files.halves or ()) + ([files.full] if files.full is not None else [])
    boxes = map_box.read_maps_on_one_grid(paths)
    full = boxes[-1] if files.full is not None else map_box.mean_map(boxes[0], boxes[1])
    for label, box in zip(("Half map 1", "Half map 2"), boxes if files.halves else ()):
        map_box.describe(label, box)
    if files.full is not None:
        map_box.describe("Full map", full)
    return full, boxes[:2] if files.halves else [full]


def _finish(refinement: Any, stem: Path, written: list[Path]) -> None:
    from open_phenix.cryoem.numbers import shown
    from open_phenix.weighting import geometry_report

    log = stem.with_name(stem.name + "_servalcat.log")
    log.write_text("".join(part.read_text(encoding="utf-8") for part in refinement.engine_logs), encoding="utf-8")
    first, last = refinement.steps[0], refinement.steps[-1]
    print("\nFinal statistics:")
    last.correlation.show()
    print(f"  bonds : {shown(last.geometry.bonds, '%.4f')}\n  angles: {shown(last.geometry.angles, '%.3f')}")
    print(f"  FSCaverage : {shown(last.fsc_average)} (Servalcat)")
    print(f"Clashscore: {shown(last.geometry.clashscore, '%.2f')}")
    geometry_report.show(first.geometry, last.geometry, refinement.faults())
    print("\nWrote " + ", ".join(path.name for path in written + [log]))
    print(f"Start CC_mask : {shown(first.correlation.mask)}\nFinal CC_mask : {shown(last.correlation.mask)}")
    print(f"CC_mask : {shown(last.correlation.mask)}")
