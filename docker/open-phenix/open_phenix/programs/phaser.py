"""phenix.phaser: molecular replacement from open parts (see open_phenix.mr); not Phaser, whose searches by likelihood it lacks."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec

MINIMUM_TFZ = 6.5  # that of open_phenix.mr.placement, which is not imported here: it needs cctbx
SEARCH_D_MIN, SEARCH_D_MAX = 3.5, 15.0  # A
PART_D_MIN = 3.2  # A, for a model that is only a part of what is there: it needs more reflections to stand out
RIGID_BODY_D_MIN = 3.0  # A
FEWEST, MOST = 400, 12000  # reflections: all of the cell to that resolution, up to what bounds the time for a copy
MATTHEWS_USUAL = 2.4  # A^3/Da, the middle of the usual range
MATTHEWS_PART = 4.0  # A^3/Da; above it a model is less than about 60 % of the asymmetric unit
MATTHEWS_ROOMY = 4.5  # A^3/Da; above it there is clearly room for more
_COPIES = "phaser.search_copies"
_GROUPS = "phaser.keywords.sgalternative.select"

SPEC = ProgramSpec(
    name="phenix.phaser",
    purpose="molecular replacement with one or several search models",
    engine=CCTBX,
    files=(
        FileSlot("data", ("reflections",), required=True, flags=("phaser.hklin",)),
        FileSlot("models", ("model",), multiple=True, flags=("phaser.ensemble.coordinates.pdb", "phaser.ensemble.coordinates"),
                 help="each is a component, and all are searched; their order does not matter"),
        FileSlot("components", ("parameters",),
                 help="scopes phaser.ensemble and phaser.search, one of each a component, instead of models"),
        FileSlot("sequence", ("sequence",), multiple=True, flags=("phaser.composition.chain.sequence_file",),
                 help="accepted, not used"),
    ),
    parameters=(
        Parameter("phaser.mode", "choice", "MR_AUTO", choices=("MR_AUTO",)),
        Parameter(_COPIES, "int", 1, aliases=("phaser.search.copies", "component_copies", "phaser.ensemble.copies"), minimum=1,
                  maximum=24, help="of each model"),
        Parameter(_GROUPS, "choice", "none", choices=("none", "hand", "all"),
                  help="space groups to try besides that of the data: the other hand, or all of the same point group"),
        Parameter("phaser.root", default="PHASER", aliases=("output_root",)),
        Parameter("phaser.xray_data.obs_labels", "labels", aliases=("phaser.hklin.labin", "phaser.labin")),
        Parameter("phaser.xray_data.unit_cell", "unit_cell", aliases=("phaser.crystal_symmetry.unit_cell",)),
        Parameter("phaser.xray_data.space_group", "space_group", aliases=("phaser.crystal_symmetry.space_group",)),
        Parameter("phaser.keywords.resolution.high", "float", minimum=2.5, maximum=10,
                  help=f"Angstrom; default {SEARCH_D_MIN:g} ({PART_D_MIN:g} if there is more than one copy to find, or room for "
                  f"it), moved to have {FEWEST} to {MOST} reflections"),
        Parameter("phaser.keywords.general.jobs", "int", effect="speed", aliases=("nproc",)),
    ),
    outputs=("ROOT.1.pdb (all that was placed)", "ROOT.1.mtz (the data used and the free flags of the input)"),
    notes=(
        f"A copy counts as found if its translation function stands at least {MINIMUM_TFZ:g} standard deviations above the "
        "mean, at most 8 % of its CA atoms clash with any other copy, and it raises the LLG. The largest "
        "component is searched first and kept while the others are searched; one that is not found is tried again beside what "
        "is. The space group is that in which the first copy has the highest Z. LLG is that of the solution (Rice function); the "
        "search itself ranks by it and finds by a rotation function, a translation function and difference maps.",
    ),
    example="phenix.phaser data.mtz model.pdb phaser.mode=MR_AUTO phaser.search_copies=2",
)


def run(request: Request) -> None:
    """All components, one copy after the other, in the space group that suits them best."""
    from open_phenix.core.errors import Sorry
    from open_phenix.mr import space_groups
    from open_phenix.mr.search import Search
    from open_phenix.xray.reflections import ReflectionFile, Symmetry

    given = Symmetry(request["phaser.xray_data.unit_cell"], request["phaser.xray_data.space_group"])
    source = ReflectionFile(request.file("data"), given)
    chosen = source.observed(request["phaser.xray_data.obs_labels"], "phaser.xray_data.obs_labels")
    components = _components(request)
    own = source.symmetry.space_group_info()
    groups = [own] + space_groups.alternatives(own, request[_GROUPS])
    d_min = request["phaser.keywords.resolution.high"] or _search_limit(source.symmetry, components)
    print(f"\nData: {request.file('data')}:{chosen.info().label_string()}")
    print(f"SOLU SPAC {own}")
    search = Search(components, groups, lambda group: _data_in(chosen, group, d_min))
    _show_start(search, source.symmetry, request[_GROUPS])
    search.run()
    if not any(copy for found in search.queue for copy in found.copies):
        _show_groups(search)
        _show_components(search)
        raise Sorry("no solution: no placement of the search model meets the criterion (see above)" if len(components) == 1 else
                    "no solution: no placement of any of the search models meets the criterion (see above)")
    _write(request, source, chosen, search)


def _components(request: Request) -> "list[Any]":
    from open_phenix.core.errors import Sorry
    from open_phenix.mr import components

    models, parameters = request.all_files("models"), request.optional_file("components")
    if parameters is not None and models:
        raise Sorry(f"Search models are given twice: in {parameters}, and as {', '.join(path.name for path in models)}")
    if parameters is not None:
        if _COPIES in request.given:
            raise Sorry(f"{_COPIES} goes with models on the command line; {parameters} has phaser.search.copies of each")
        found = components.of_parameter_file(parameters)
    else:
        found = components.of_files(models, request[_COPIES])
    if not any(not component.fixed for component in found):
        raise Sorry("phenix.phaser needs a model to search for (phaser.ensemble.coordinates.pdb=FILE)")
    return found


def _search_limit(symmetry: Any, components: "list[Any]") -> float:
    largest = max(component.model.mass() for component in components)
    several = sum(component.copies for component in components) > 1
    return PART_D_MIN if several or _matthews(symmetry, largest) > MATTHEWS_PART else SEARCH_D_MIN


def _data_in(chosen: Any, group: Any, d_min: float) -> "tuple[Any, Any]":
    """Amplitudes in that space group for the search and for the rigid body; each group has absences of its own."""
    from open_phenix.xray.refinement_data import merged_amplitudes

    in_group = chosen.customized_copy(space_group_info=group).set_info(chosen.info())
    amplitudes = merged_amplitudes(in_group).resolution_filter(d_max=SEARCH_D_MAX, d_min=0)
    return _limited(amplitudes, d_min, FEWEST, MOST), _limited(amplitudes, RIGID_BODY_D_MIN, FEWEST, MOST)


def _limited(amplitudes: Any, d_min: float, fewest: int, most: int) -> Any:
    """To `d_min`, or as far as it takes for so many reflections."""
    spacings = sorted(amplitudes.d_spacings().data(), reverse=True)
    d_min = max(d_min, spacings[-1])
    if len(spacings) > fewest and spacings[fewest] < d_min:
        d_min = spacings[fewest]
    if len(spacings) > most and spacings[most] > d_min:
        d_min = spacings[most]
    return amplitudes.resolution_filter(d_min=d_min)


def _show_start(search: Any, symmetry: Any, select: str) -> None:
    reflections = search.placement.search.observed
    print(f"Search: {reflections.size()} reflections, {reflections.d_max_min()[0]:.1f} - {reflections.d_min():.1f} A")
    for found in search.found:
        model = found.component.model
        task = "kept where it is" if found.component.fixed else f"{_copies(found.wanted)} to find"
        print(f"Component {found.component.path}: {model.residues} residues, {len(model.elements)} atoms, diameter "
              f"{model.diameter:.0f} A, {task}")
        for note in model.notes:
            print(f"  {note}")
    _show_matthews(symmetry, search.found)
    if select != "none" and len(search.groups) == 1:
        what = "no enantiomorph" if select == "hand" else "no alternative"
        print(f"{_GROUPS}={select}: {search.groups[0]} has {what}")


def _copies(number: int) -> str:
    return f"{number} {'copy' if number == 1 else 'copies'}"


def _matthews(symmetry: Any, mass: float) -> float:
    return symmetry.unit_cell().volume() / symmetry.space_group().order_z() / mass


def _show_matthews(symmetry: Any, found: "list[Any]") -> None:
    copies = sum(one.wanted for one in found)
    mass = sum(one.wanted * one.component.model.mass() for one in found)
    coefficient = _matthews(symmetry, mass)
    of = "this model" if len(found) == 1 else "these models"
    print(f"Matthews coefficient for {_copies(copies)} of {of}: {coefficient:.2f} A**3/Da")
    likely = max(1, round(coefficient * mass / (MATTHEWS_USUAL * found[0].component.model.mass())))
    if len(found) == 1 and likely > copies and coefficient > MATTHEWS_ROOMY:
        print(f"  NOTE: the asymmetric unit has room for about {likely} copies of this model; {copies} will be searched")
    elif coefficient < 1.2:
        print(f"  NOTE: so many copies of {of} hardly fit into the asymmetric unit")


def _write(request: Request, source: Any, chosen: Any, search: Any) -> None:
    from cctbx import crystal
    from open_phenix.mr import output_files

    root, placement = request["phaser.root"], search.placement
    symmetry = crystal.symmetry(unit_cell=source.symmetry.unit_cell(), space_group_info=search.group)
    chains = output_files.write_model(placement.placed, symmetry, Path(f"{root}.1.pdb"))
    output_files.write_data(source, chosen, search.group, Path(f"{root}.1.mtz"))
    wanted, placed = sum(one.wanted for one in search.found), len(placement.placed)
    _show_groups(search)
    print(f"\nFound {placed} of {_copies(wanted)}; chains {', '.join(name for names in chains for name in names)}")
    complete = placed == wanted
    print("** SINGLE solution" if complete else "** Sorry - No solution with all components")
    if search.group.group() != source.symmetry.space_group():
        print(f"NOTE: the solution is in space group {search.group}, the data were labelled {search.groups[0]}; model and data "
              "are written in the former, the free flags as they were")
    print(f"SOLU SPAC {search.group}")
    print("SOLU SET " + "".join(_history(copy) for copy in placement.placed))
    correlation, r_factor = placement.plain_fit()
    print(f"LLG: {placement.gain():.0f}")
    print(f"CC: {correlation:.3f}")
    print(f"R: {r_factor:.3f} ({placement.search.observed.d_min():.1f} A, no bulk solvent)")
    print(f"Clashes: {100 * max(copy.clash for copy in placement.placed):.0f} % of the CA atoms")
    print(f"\nOutput files:\n  {root}.1.pdb\n  {root}.1.mtz\n")
    _show_components(search)
    _show_copies(placed, wanted)


def _history(copy: Any) -> str:
    if copy.fixed:
        return " (fixed)"
    oriented = f" map peak {copy.rfz:.1f} sigma" if copy.in_map else f" RFZ={copy.rfz:.1f}"
    return f"{oriented} TFZ={copy.tfz:.1f} PAK={round(100 * copy.clash)} TFZ=={copy.tfz_final:.1f}"


def _show_groups(search: Any) -> None:
    if len(search.groups) == 1:
        return
    print(f"\nSpace groups tried: {', '.join(search.tried)}")
    for group, tfz in search.tried.items():
        print(f"Space group {group}: best TFZ={tfz:.1f}")


def _show_components(search: Any) -> None:
    """A line for each component, and a warning for each that is not wholly there."""
    for found in search.found:
        name, copies = found.component.name, len(found.copies)
        if found.component.fixed:
            print(f"Component {name}: kept where it is")
            continue
        tfz = f", TFZ={found.tfz:.1f}" if copies else ""
        print(f"Component {name}: {copies} of {found.wanted} copies found{tfz}")
    if len(search.found) > 1:
        whole = sum(1 for found in search.found if len(found.copies) == found.wanted)
        print(f"Components placed: {whole} of {len(search.found)}")


def _show_copies(found: int, wanted: int) -> None:
    """The last line: how many of the copies asked for are in the model."""
    if found < wanted:
        print(f"\nWARNING: {wanted - found} of the {wanted} copies that were asked for were not found: the model written is "
              "incomplete, or so many copies are not in the asymmetric unit")
    print(f"\nCopies found: {found} of {wanted}")
