"""phenix.refine: maximum-likelihood refinement in reciprocal space by Servalcat, waters by Coot, data by cctbx."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, COOT, SERVALCAT, FileSlot, Parameter, ProgramSpec

_DATA = "refinement.input.xray_data."
_FLAGS = _DATA + "r_free_flags."
_ANISOTROPIC = "refinement.refine.adp.individual.anisotropic"
_MACRO = "refinement.main.number_of_macro_cycles"
_SOLVENT = "refinement.main.ordered_solvent"
_TWIN = "refinement.twinning.twin_law"

SPEC = ProgramSpec(
    name="phenix.refine",
    purpose="reciprocal-space refinement of a placed model against X-ray data",
    engine=SERVALCAT,
    also=(COOT, CCTBX),
    files=(
        FileSlot("model", ("model",), required=True, flags=("refinement.input.pdb.file_name",)),
        FileSlot("data", ("reflections",), required=True, flags=(_DATA + "file_name",)),
        FileSlot("ligands", ("restraints",), multiple=True, flags=("refinement.input.monomers.file_name",)),
        FileSlot("sequence", ("sequence",), help="accepted, not used"),
    ),
    parameters=(
        Parameter("refinement.output.prefix", help="default: <model>_refine"),
        Parameter("refinement.output.serial", "int", 1, minimum=1, maximum=999),
        Parameter(_MACRO, "int", 3, aliases=("main.macro_cycles",), minimum=1, maximum=50,
                  help="each stands for 5 cycles of Servalcat"),
        Parameter(_SOLVENT, "bool", False, aliases=("ordered_solvent",),
                  help="waters by Coot: added in mFo-DFc between macro cycles, bad ones removed"),
        Parameter(_TWIN, help="an operator such as h,-k,-l; the fraction is refined"),
        Parameter(_ANISOTROPIC, "choice", None, choices=("all", "not (water or element H)", "not element H"),
                  help="anisotropic B for all non-hydrogen atoms, waters included"),
        Parameter(_DATA + "labels", "labels", aliases=("miller_array.labels.name", "obs_labels")),
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
        Parameter("refinement.refine.strategy", "str", None, effect="science",
                  neutral=("individual_sites+individual_adp", "individual_sites individual_adp")),
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
        "Riding hydrogens are always used in the calculation and never written. B values are isotropic unless asked "
        "otherwise. No TLS, no simulated annealing, no reference model.",
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
    source = ReflectionFile(data_path, given, fallback=symmetry_of_model)
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
    print(f"  Unit cell: {data.amplitudes.unit_cell().parameters()}")
    print(f"  Space group: {data.amplitudes.space_group_info().symbol_and_number()}")
    print(f"  Number of Miller indices: {data.amplitudes.size()}")
    print(f"  Resolution range: {d_max:g} {d_min:g}")
    print(f"  R-free flags: {data.flags_origin}; {data.is_test.data().count(True)} reflections, "
          f"{100 * data.test_fraction:.1f} %")


def _refine(request: Request, data: Any, symmetry: Any, folder: Path) -> None:
    from open_phenix.xray import models, twinning
    from open_phenix.xray.refinement import Plan, Refinement
    from open_phenix.xray.servalcat import RunOptions

    dictionaries = [path.resolve() for path in request.all_files("ligands")]
    structure = models.read(request.file("model"))
    models.check_dictionaries(structure, dictionaries)
    models.set_crystal(structure, symmetry)
    twin_law = twinning.check_operator(request[_TWIN]) if request[_TWIN] else None
    group = symmetry.space_group()
    options = RunOptions(
        reflections=folder / "data.mtz",
        dictionaries=dictionaries,
        anisotropic=request[_ANISOTROPIC] is not None,
        twin=twin_law is not None,
        local_ncs=request["refinement.pdb_interpretation.ncs_search.enabled"],
        check_operators=lambda found: twinning.require(twin_law, found, group),
    )
    plan = Plan(request[_MACRO], request[_SOLVENT])
    print("\nRefinement: ----------------------------------------------------------")
    print(f"  {plan.macro_cycles} macro cycles of 5 Servalcat cycles, {'anisotropic' if options.anisotropic else 'isotropic'}"
          f" B values, ordered solvent {'on' if plan.ordered_solvent else 'off'}, twin law {twin_law or 'none'}")
    outcome = Refinement(request.file("model"), structure, options, plan, folder).run()
    if twin_law is not None:
        _show_twinning(twin_law, outcome.final.twin_fractions, symmetry)
    _write(request, data, outcome)
    _show_results(outcome)


def _show_twinning(asked: str, fractions: Any, symmetry: Any) -> None:
    from open_phenix.xray import twinning

    found = twinning.require(asked, list(fractions), symmetry.space_group())
    same = "" if found == asked else f" (found as {found}, the same by symmetry)"
    print(f"\n  Twin law: {asked}{same}\n  Twin fraction: {fractions[found]:.3f}")


def _write(request: Request, data: Any, outcome: Any) -> None:
    from open_phenix.xray import refinement_data, refinement_outputs

    prefix = request["refinement.output.prefix"] or f"{_stem(request.file('model'))}_refine"
    numbered = f"{prefix}_{request['refinement.output.serial']:03d}"
    d_max, d_min = data.amplitudes.d_max_min()
    final = outcome.final
    refinement_outputs.write_map_coefficients(final.mtz, Path(f"{numbered}.mtz"))
    refinement_data.write_data_file(data, Path(f"{prefix}_data.mtz"))
    Path(f"{numbered}.log").write_text(final.log.read_text(encoding="utf-8"), encoding="utf-8")
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
    rows: list[Any] = list(outcome.steps)
    print("\nFinal results: -------------------------------------------------------")
    print(" stage  r-work r-free bonds  angles n_water")
    for stage, cycle, waters in rows + [("end", rows[-1][1], rows[-1][2])]:
        print(f"{stage:>6s}: {cycle.r_work:.4f} {cycle.r_free:.4f} {_rmsd(cycle.bonds, '5.3f')} "
              f"{_rmsd(cycle.angles, '6.3f')} {waters:5d}")
    start, end = rows[0][1], rows[-1][1]
    print(f"\nStart R-work = {start.r_work:.4f}, R-free = {start.r_free:.4f}")
    print(f"Final R-work = {end.r_work:.4f}, R-free = {end.r_free:.4f}")


def _rmsd(value: Any, form: str) -> str:
    return "not available" if value is None else format(value, form)
