"""phenix.phaser: molecular replacement from open parts (see open_phenix.mr); not Phaser, and no likelihood."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec

MINIMUM_TFZ = 6.5
SEARCH_D_MIN, SEARCH_D_MAX = 4.0, 15.0  # A
RIGID_BODY_D_MIN = 3.0  # A
FEWEST, MOST = 400, 3000  # reflections for the search: the resolution is moved to stay between
MATTHEWS_USUAL = 2.4  # A^3/Da, the middle of the usual range
MATTHEWS_ROOMY = 4.5  # A^3/Da; above it there is clearly room for more

SPEC = ProgramSpec(
    name="phenix.phaser",
    purpose="molecular replacement with one search model",
    engine=CCTBX,
    files=(
        FileSlot("data", ("reflections",), required=True, flags=("phaser.hklin",)),
        FileSlot("model", ("model",), required=True, flags=("phaser.ensemble.coordinates",)),
        FileSlot("sequence", ("sequence",), multiple=True, flags=("phaser.composition.chain.sequence_file",),
                 help="accepted, not used"),
    ),
    parameters=(
        Parameter("phaser.mode", "choice", "MR_AUTO", choices=("MR_AUTO",)),
        Parameter("phaser.search_copies", "int", 1, aliases=("component_copies", "phaser.ensemble.copies"), minimum=1,
                  maximum=24),
        Parameter("phaser.root", default="PHASER", aliases=("output_root",)),
        Parameter("phaser.xray_data.obs_labels", "labels", aliases=("phaser.hklin.labin", "phaser.labin")),
        Parameter("phaser.xray_data.unit_cell", "unit_cell", aliases=("phaser.crystal_symmetry.unit_cell",)),
        Parameter("phaser.xray_data.space_group", "space_group", aliases=("phaser.crystal_symmetry.space_group",)),
        Parameter("phaser.keywords.resolution.high", "float", minimum=2.5, maximum=10,
                  help=f"Angstrom; default {SEARCH_D_MIN:g}, moved to have {FEWEST} to {MOST} reflections"),
        Parameter("phaser.keywords.general.jobs", "int", effect="speed", aliases=("nproc",)),
    ),
    outputs=("ROOT.1.pdb (all copies placed)", "ROOT.1.mtz (the data used and the free flags of the input)"),
    notes=(
        f"A copy counts as found if its translation function stands at least {MINIMUM_TFZ:g} standard deviations above the "
        "mean, at most 8 % of its CA atoms clash, and it raises the correlation with the data. One search model, the space "
        "group of the data only, no likelihood: LLG is not available.",
    ),
    example="phenix.phaser data.mtz model.pdb phaser.mode=MR_AUTO phaser.search_copies=2",
)


def run(request: Request) -> None:
    """Rotation function once, then one copy after the other."""
    from open_phenix.core.errors import Sorry
    from open_phenix.mr.placement import Placement
    from open_phenix.mr.rotation import RotationFunction
    from open_phenix.mr.search_model import SearchModel
    from open_phenix.xray.reflections import ReflectionFile, Symmetry
    from open_phenix.xray.refinement_data import merged_amplitudes

    given = Symmetry(request["phaser.xray_data.unit_cell"], request["phaser.xray_data.space_group"])
    source = ReflectionFile(request.file("data"), given)
    chosen = source.observed(request["phaser.xray_data.obs_labels"], "phaser.xray_data.obs_labels")
    amplitudes = merged_amplitudes(chosen)
    model = SearchModel(request.file("model"))
    search = _search_set(amplitudes, request["phaser.keywords.resolution.high"])
    fine = amplitudes.resolution_filter(d_max=SEARCH_D_MAX, d_min=max(RIGID_BODY_D_MIN, amplitudes.d_min()))
    copies = request["phaser.search_copies"]
    print(f"\nData: {request.file('data')}:{chosen.info().label_string()}")
    print(f"SOLU SPAC {amplitudes.space_group_info()}")
    print(f"Search: {search.size()} reflections, {search.d_max_min()[0]:.1f} - {search.d_min():.1f} A; "
          f"model of {model.residues} residues, {len(model.elements)} atoms, diameter {model.diameter:.0f} A")
    for note in model.notes:
        print(f"  {note}")
    _show_matthews(source.symmetry, model, copies)
    print("Rotation function ...", flush=True)
    orientations = RotationFunction(search, model).best()
    print("  best Z: " + ", ".join(f"{orientation.z:.1f}" for orientation in orientations[:6]), flush=True)
    placement = Placement(search, fine, model)
    for number in range(1, copies + 1):
        if not _place(placement, orientations, number):
            break
    if not placement.placed:
        raise Sorry("no solution: no placement of the search model meets the criterion (see above)")
    _write(request, source, chosen, placement, copies)


def _search_set(amplitudes: Any, wanted: Any) -> Any:
    """The reflections for the search: to SEARCH_D_MIN, or as far as it takes for FEWEST to MOST of them."""
    if wanted is not None:
        return amplitudes.resolution_filter(d_max=SEARCH_D_MAX, d_min=wanted)
    within = amplitudes.resolution_filter(d_max=SEARCH_D_MAX, d_min=amplitudes.d_min())
    spacings = sorted(within.d_spacings().data(), reverse=True)
    d_min = max(SEARCH_D_MIN, spacings[-1])
    if len(spacings) > FEWEST and spacings[FEWEST] < d_min:
        d_min = spacings[FEWEST]
    if len(spacings) > MOST and spacings[MOST] > d_min:
        d_min = spacings[MOST]
    return within.resolution_filter(d_min=d_min)


def _show_matthews(symmetry: Any, model: Any, copies: int) -> None:
    volume = symmetry.unit_cell().volume() / symmetry.space_group().order_z()
    likely = max(1, round(volume / (MATTHEWS_USUAL * model.mass())))
    coefficient = volume / (copies * model.mass())
    print(f"Matthews coefficient for {copies} {'copy' if copies == 1 else 'copies'} of this model: {coefficient:.2f} A**3/Da")
    if likely > copies and coefficient > MATTHEWS_ROOMY:
        print(f"  NOTE: the asymmetric unit has room for about {likely} copies of this model; {copies} will be searched")
    elif coefficient < 1.2:
        print("  NOTE: so many copies of this model hardly fit into the asymmetric unit")


def _place(placement: Any, orientations: list[Any], number: int) -> bool:
    """Search one copy; True if it was found (then it is among `placement.placed`)."""
    from open_phenix.mr.placement import MAXIMUM_CLASH, correlation

    print(f"\nCopy {number}: translation function for {len(orientations)} orientations ...", flush=True)

    def report(done: int) -> None:
        if done % 10 == 0:
            print(f"  {done} of {len(orientations)} done", flush=True)

    before = placement.calculated(placement.observed)
    cc_before = correlation(placement.observed, before) if before is not None else 0.0
    found = placement.candidates(orientations, report)
    for candidate in found[:4]:
        print(f"  CC {candidate.cc:.3f}  translation Z {candidate.tfz:.1f}  rotation Z {candidate.rfz:.1f}  "
              f"clashes {100 * candidate.clash:.0f} %")
    best = found[0]
    if best.tfz < MINIMUM_TFZ or best.clash > MAXIMUM_CLASH or best.cc <= cc_before:
        print(f"  Copy {number} not found: needs Z of at least {MINIMUM_TFZ:g}, at most {100 * MAXIMUM_CLASH:.0f} % clashes "
              f"and a CC above {cc_before:.3f}")
        return False
    refined = placement.rigid_body(best)
    print(f"  rigid body: CC at {placement.fine.d_min():.1f} A {refined.cc:.3f}", flush=True)
    placement.placed.append(refined)
    return True


def _write(request: Request, source: Any, chosen: Any, placement: Any, wanted: int) -> None:
    from open_phenix.mr import output_files
    from open_phenix.mr.placement import correlation, r_factor

    root = request["phaser.root"]
    coordinates = [copy.xyz for copy in placement.placed]
    chains = output_files.write_model(placement.model.hierarchy, coordinates, source.symmetry, Path(f"{root}.1.pdb"))
    output_files.write_data(source, chosen, Path(f"{root}.1.mtz"))
    calculated = placement.calculated(placement.observed)
    print(f"\nFound {len(placement.placed)} of {wanted} {'copy' if wanted == 1 else 'copies'}; chains {', '.join(chains)}")
    print(f"SOLU SPAC {source.symmetry.space_group_info()}")
    history = ""
    for copy in placement.placed:
        history += f" RFZ={copy.rfz:.1f} TFZ={copy.tfz:.1f} PAK={round(100 * copy.clash)}"
        print(f"SOLU SET{history}")
    print(f"SOLU SET{history} TFZ=={placement.placed[-1].tfz:.1f}")
    print("LLG: not available (no likelihood here)")
    print(f"CC: {correlation(placement.observed, calculated):.3f}")
    print(f"R: {r_factor(placement.observed, calculated):.3f} ({placement.observed.d_min():.1f} A, no bulk solvent)")
    print(f"Clashes: {100 * max(copy.clash for copy in placement.placed):.0f} % of the CA atoms")
    print(f"\nOutput files:\n  {root}.1.pdb\n  {root}.1.mtz")
    _show_copies(len(placement.placed), wanted)


def _show_copies(found: int, wanted: int) -> None:
    """The last line: how many of the copies asked for are in the model."""
    if found < wanted:
        print(f"\nWARNING: {wanted - found} of the {wanted} copies that were asked for were not found: the model written is "
              "incomplete, or so many copies are not in the asymmetric unit")
    print(f"\nCopies found: {found} of {wanted}")
