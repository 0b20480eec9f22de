"""phenix.refine: maximum-likelihood refinement in reciprocal space by Servalcat, waters and data by cctbx."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, SERVALCAT, FileSlot, Parameter, ProgramSpec

_DATA = "refinement.input.xray_data."
_FLAGS = _DATA + "r_free_flags."
_ANISOTROPIC = "refinement.refine.adp.individual.anisotropic"
_ISOTROPIC = "refinement.refine.adp.individual.isotropic"
_WEIGHT_SEARCH = "refinement.target_weights.optimize_xyz_weight"
_WEIGHT = "refinement.target_weights.fix_wxc"
_WATERS_TO = "refinement.ordered_solvent.low_resolution"
_SHAKE = "refinement.modify_start_model.modify.sites.shake"
_SET_B = "refinement.modify_start_model.modify.adp.set_b_iso"
_MACRO = "refinement.main.number_of_macro_cycles"
_SOLVENT = "refinement.main.ordered_solvent"
_STRATEGY = "refinement.refine.strategy"
_TWIN = "refinement.twinning.twin_law"

SPEC = ProgramSpec(
    name="phenix.refine",
    purpose="reciprocal-space refinement of a placed model against X-ray data",
    engine=SERVALCAT,
    also=(CCTBX,),
    files=(
        FileSlot("model", ("model",), required=True, flags=("refinement.input.pdb.file_name",)),
        FileSlot("data", ("reflections",), required=True, flags=(_DATA + "file_name",)),
        FileSlot("free_flags", ("reflections",), positional=False, flags=(_FLAGS + "file_name",),
                 help="R-free flags in a file of their own"),
        FileSlot("ligands", ("restraints",), multiple=True, flags=("refinement.input.monomers.file_name",)),
        FileSlot("sequence", ("sequence",), help="accepted, not used"),
    ),
    parameters=(
        Parameter("refinement.output.prefix", help="default: <model>_refine"),
        Parameter("refinement.output.serial", "int", 1, minimum=1, maximum=999),
        Parameter(_MACRO, "int", 3, aliases=("main.macro_cycles",), minimum=1, maximum=50,
                  help="each stands for 5 cycles of Servalcat"),
        Parameter(_SOLVENT, "bool", False, aliases=("ordered_solvent",),
                  help="waters: added at peaks of mFo-DFc before each macro cycle, bad ones removed"),
        Parameter(_WATERS_TO, "float", 2.8, minimum=0.1,
                  help="Angstrom; at lower resolution no waters are picked even if asked for, as in PHENIX"),
        Parameter(_TWIN, help="an operator such as h,-k,-l; the fraction is refined"),
        Parameter(_ANISOTROPIC, "choice", None, choices=("all", "not (water or element H)", "not element H"),
                  help="anisotropic B for all non-hydrogen atoms, waters included; default: as most of the model has it"),
        Parameter(_ISOTROPIC, "choice", None, choices=("all", "not element H"), help="isotropic B for all atoms"),
        Parameter(_SHAKE, "float", None, minimum=0, help="Angstrom: mean distance by which the start model is shaken"),
        Parameter(_SET_B, "float", None, minimum=0, help="A2: B value of all atoms of the start model"),
        Parameter(_WEIGHT_SEARCH, "bool", None,
                  help="weight of the data by trials; True: all of them, False: none; default: two, or more where the geometry leaves its limits"),
        Parameter(_WEIGHT, "float", None, minimum=0, help="the weight itself, on Servalcat's scale: no trials"),
        Parameter("open_phenix.clashscore", "bool", True, aliases=("clashscore",), help="False saves some time"),
        Parameter(_DATA + "labels", "labels", aliases=("data_manager.miller_array.labels.name", "obs_labels")),
        Parameter(_DATA + "high_resolution", "float", minimum=0.1, help="Angstrom"),
        Parameter(_DATA + "low_resolution", "float", minimum=0.1, help="Angstrom"),
        Parameter(_FLAGS + "generate", "bool", False, help="make a test set where the file has none"),
        Parameter(_FLAGS + "label"),
        Parameter(_FLAGS + "test_flag_value", "int"),
        Parameter(_FLAGS + "fraction", "float", 0.1, minimum=0.001, maximum=0.5),
        Parameter(_FLAGS + "max_free", "int", 2000, minimum=1),
        Parameter("refinement.crystal_symmetry.unit_cell", "unit_cell"),
        Parameter("refinement.crystal_symmetry.space_group", "space_group"),
        Parameter("refinement.pdb_interpretation.ncs_search.enabled", "bool", False,
                  help="local NCS restraints"),
        Parameter("refinement.main.nproc", "int", effect="speed"),
        Parameter("refinement.main.simulated_annealing", "bool", False, effect="science", neutral=(False,)),
        Parameter("refinement.hydrogens.refine", "str", "riding", effect="science", neutral=("riding", "Auto")),
        Parameter(_STRATEGY, "str", None,
                  help="individual_sites and individual_adp always; with rigid_body each chain is one rigid body first, moved into the "
                  "cell of the data with its waters and ligands"),
        Parameter("refinement.main.bulk_solvent_and_scale", "bool", True, effect="science", neutral=(True,)),
        Parameter("refinement.output.write_eff_file", "bool", effect="speed"),
    ),
    refused=("reference_model", "secondary_structure", "ncs", "ramachandran_plot_restraints", "ramachandran", "tls"),
    outputs=(
        "PREFIX_001.pdb, PREFIX_001.cif (model)",
        "PREFIX_001.mtz (map coefficients 2FOFCWT, FOFCWT and F-model)",
        "PREFIX_data.mtz (F, SIGF, R-free-flags with 1 = test: give it to every later refinement)",
        "PREFIX_001.log (Servalcat's own logs)",
    ),
    notes=(
        "Riding hydrogens are always used in the calculation, and written where the model came with hydrogens. B values stay "
        "anisotropic or isotropic as most of the model came, the former where resolution (1.7 A) and number of reflections "
        "carry it. No TLS, no simulated annealing, no reference model.",
        "The weight of the data: the best of two trials, or of three where bonds, angles or the Ramachandran plot leave the limits "
        "for the resolution and this model, with jelly-body restraints at 2.5 A and worse; of equal R-free the better geometry.",
        "A refinement that raises R-free by more than it lowers R-work is not written: the model as submitted is, unless its "
        "bonds or angles are outside of these limits.",
    ),
    example="phenix.refine model.pdb data.mtz output.prefix=refine_001 main.number_of_macro_cycles=3",
)


def run(request: Request) -> None:
    """Prepare data and model, refine, write the files, print PHENIX's result lines."""
    from open_phenix.core import scratch
    from open_phenix.xray import refinement_data as data_module
    from open_phenix.xray.reflections import ReflectionFile, Symmetry, check_same_crystal, model_symmetry

    model_path, data_path = request.file("model"), request.file("data")
    given = Symmetry(request["refinement.crystal_symmetry.unit_cell"], request["refinement.crystal_symmetry.space_group"])
    symmetry_of_model = model_symmetry(model_path)
    source = ReflectionFile(
        data_path, given, fallback=symmetry_of_model, flags_path=request.optional_file("free_flags")
    )
    if given == Symmetry():
        check_same_crystal(source.symmetry, symmetry_of_model, data_path, model_path)
    data = data_module.prepare(
        source,
        request[_DATA + "labels"],
        request[_FLAGS + "label"],
        request[_FLAGS + "test_flag_value"],
        request[_FLAGS + "generate"],
        request[_FLAGS + "fraction"],
        request[_FLAGS + "max_free"],
        request[_DATA + "high_resolution"],
        request[_DATA + "low_resolution"],
    )
    _show_data(data)
    with scratch.folder("refine") as folder:
        data_module.write_engine_file(data, folder / "data.mtz")
        _refine(request, data, source.symmetry, folder)


def _show_data(data: Any) -> None:
    d_max, d_min = data.amplitudes.d_max_min()
    print("\nData: ----------------------------------------------------------------")
    print(f"  Miller array: {data.label}{' (French-Wilson amplitudes)' if data.from_intensities else ''}")
    print(f"  Unit cell: {data.amplitudes.unit_cell()}")
    print(f"  Space group: {data.amplitudes.space_group_info().symbol_and_number()}")
    print(f"  Number of Miller indices: {data.amplitudes.size()}")
    print(f"  Resolution range: {d_max:g} {d_min:g}")
    print(f"  R-free flags: {data.flags_origin}; {data.is_test.data().count(True)} reflections, "
          f"{100 * data.test_fraction:.1f} %")


def _refine(request: Request, data: Any, symmetry: Any, folder: Path) -> None:
    from open_phenix.restraints import for_model
    from open_phenix.xray import model_content, models, start_model, twinning
    from open_phenix.xray.refinement import Refinement
    from open_phenix.xray.servalcat import RunOptions

    submitted = models.read(request.file("model"))
    restraints = for_model.find(submitted, [path.resolve() for path in request.all_files("ligands")])
    structure = restraints.refined_part(submitted)
    _set_crystal(request, structure, data, symmetry)
    before = structure.clone()
    changes = start_model.modify(structure, request[_SHAKE], request[_SET_B])
    content, measured = model_content.look_at(structure), model_content.Data(data.amplitudes.d_min(), data.amplitudes.size())
    anisotropic = _is_anisotropic(request, content, measured)
    twin_law = twinning.check_operator(request[_TWIN]) if request[_TWIN] else None
    group = symmetry.space_group()
    options = RunOptions(
        reflections=folder / "data.mtz",
        dictionaries=restraints.dictionaries,
        anisotropic=anisotropic,
        twin=twin_law is not None,
        local_ncs=request["refinement.pdb_interpretation.ncs_search.enabled"],
        weight=request[_WEIGHT],
        write_hydrogens=content.hydrogens > 0,
        find_links=models.has_sugars(structure),
        check_operators=lambda found: twinning.require(twin_law, found, group),
    )
    plan = _plan(request, measured.d_min, data.is_test.data().count(True))
    print("\nRefinement: ----------------------------------------------------------")
    for note in model_content.notes(content, measured, anisotropic):
        print(f"  {note}")
    if changes:
        print(f"  Start model: {', '.join(changes)}, so that R-free forgets what the model was refined against")
    print(f"  {plan.macro_cycles} macro cycles of 5 Servalcat cycles, {'anisotropic' if anisotropic else 'isotropic'}"
          f" B values, ordered solvent {'on' if plan.ordered_solvent else 'off'}, twin law {twin_law or 'none'}")
    if restraints.missing:
        print(f"  refined without {', '.join(restraints.missing)}, which the model written has as submitted")
    start, beside = before if changes else None, restraints.residues_of(submitted)
    outcome = Refinement(request.file("model"), structure, options, plan, folder, start, beside).run()
    if twin_law is not None:
        _show_twinning(twin_law, outcome.final.twin_fractions, symmetry)
    _write(request, data, outcome, beside)
    _show_results(outcome)


def _set_crystal(request: Request, structure: Any, data: Any, symmetry: Any) -> None:
    """The data's cell and space group for the model; with rigid bodies first, where the strategy asks for them."""
    from open_phenix.xray import models, rigid_body

    strategy = _strategy(request[_STRATEGY])
    if "rigid_body" in strategy:
        print("\nRigid body: ----------------------------------------------------------")
        import gemmi

        shift = rigid_body.to_cell(structure, gemmi.UnitCell(*symmetry.unit_cell().parameters()))
        print(f"  into the cell of the data: {shift:.2f} A at most; waters and ligands go with their chain")
    models.set_crystal(structure, symmetry)
    if "rigid_body" in strategy:
        rigid_body.refine(structure, data.amplitudes, data.is_test)


def _strategy(text: "str | None") -> "set[str]":
    """The parts of refine.strategy, of which those that Servalcat's refinement always has are neutral."""
    from open_phenix.core.errors import Sorry

    parts = set((text or "individual_sites+individual_adp").replace("+", " ").replace("*", " ").split())
    odd = sorted(parts - {"individual_sites", "individual_sites_real_space", "individual_adp", "occupancies", "rigid_body"})
    if odd:
        raise Sorry(f"{_STRATEGY}: {', '.join(odd)} cannot be honoured here")
    if not {"individual_sites", "individual_adp"} <= parts:
        raise Sorry(f"{_STRATEGY}: individual_sites and individual_adp cannot be left out here")
    return parts


def _is_anisotropic(request: Request, content: Any, measured: Any) -> bool:
    """As requested; otherwise as in the submitted model, if the resolution permits it."""
    from open_phenix.core.errors import Sorry
    from open_phenix.xray import model_content

    if request[_ANISOTROPIC] is not None and request[_ISOTROPIC] is not None:
        raise Sorry("B values cannot be both anisotropic and isotropic: give one of the two parameters")
    if request[_ANISOTROPIC] is not None:
        return True
    return request[_ISOTROPIC] is None and model_content.keeps_anisotropic(content, measured)


def _plan(request: Request, d_min: float, test_set: int) -> Any:
    from open_phenix.xray.refinement import Plan

    waters = request[_SOLVENT]
    if waters and d_min > request[_WATERS_TO]:
        print(f"\nWARNING: no waters are picked: the data end at {d_min:.2f} A, and waters are told from noise to "
              f"{request[_WATERS_TO]:g} A only (ordered_solvent.low_resolution)")
        waters = False
    given = request[_WEIGHT]
    if given is not None:
        print(f"\nWeight of the data: {given:g}, as given")
    return Plan(request[_MACRO], waters, d_min, test_set, False if given is not None else request[_WEIGHT_SEARCH],
                request["open_phenix.clashscore"])


def _show_twinning(asked: str, fractions: Any, symmetry: Any) -> None:
    from open_phenix.xray import twinning

    found = twinning.require(asked, list(fractions), symmetry.space_group())
    same = "" if found == asked else f" (found as {found}, the same by symmetry)"
    print(f"\n  Twin law: {asked}{same}\n  Twin fraction: {fractions[found]:.3f}")


def _write(request: Request, data: Any, outcome: Any, beside: Any) -> None:
    from open_phenix.restraints import for_model
    from open_phenix.xray import refinement_data, refinement_outputs

    prefix = request["refinement.output.prefix"] or f"{_stem(request.file('model'))}_refine"
    numbered = f"{prefix}_{request['refinement.output.serial']:03d}"
    d_max, d_min = data.amplitudes.d_max_min()
    final = outcome.final
    refinement_outputs.write_map_coefficients(final.mtz, Path(f"{numbered}.mtz"))
    refinement_data.write_data_file(data, Path(f"{prefix}_data.mtz"))
    Path(f"{numbered}.log").write_text(final.log.read_text(encoding="utf-8"), encoding="utf-8")
    for refined in (final.cif, final.pdb):
        for_model.put_back(refined, beside)
    Path(f"{numbered}.cif").write_bytes(final.cif.read_bytes())
    written = [f"{numbered}.cif", f"{numbered}.mtz", f"{prefix}_data.mtz", f"{numbered}.log"]
    if final.pdb.is_file():
        refinement_outputs.write_pdb(final.pdb, Path(f"{numbered}.pdb"), final.cycles[-1], d_max, d_min)
        written.insert(0, f"{numbered}.pdb")
    print("\nOutput files:\n  " + "\n  ".join(written))


def _stem(path: Path) -> str:
    name = path.name[:-3] if path.name.endswith(".gz") else path.name
    return Path(name).stem


def _show_results(outcome: Any) -> None:
    from open_phenix.weighting import geometry_report

    rows: list[Any] = list(outcome.steps)
    print("\nFinal results: -------------------------------------------------------")
    print(" stage  r-work r-free bonds  angles n_water")
    for stage, cycle, waters in rows + [("end", rows[-1][1], rows[-1][2])]:
        print(f"{stage:>6s}: {cycle.r_work:.4f} {cycle.r_free:.4f} {_rmsd(cycle.bonds, '5.3f')} "
              f"{_rmsd(cycle.angles, '6.3f')} {waters:5d}")
    geometry_report.show(outcome.start, outcome.end, outcome.faults, outcome.c_beta)
    start, end = rows[0][1], rows[-1][1]
    if end.r_free > start.r_free and start.r_free - start.r_work < end.r_free - end.r_work:
        print(f"NOTE: R-free is {end.r_free - start.r_free:.4f} higher than that of the model as submitted")
    print(f"\nStart R-work = {start.r_work:.4f}, R-free = {start.r_free:.4f}")
    print(f"Final R-work = {end.r_work:.4f}, R-free = {end.r_free:.4f}")


def _rmsd(value: Any, form: str) -> str:
    return "not available" if value is None else format(value, form)
