"""phenix.autobuild for a placed model: rebuilding in place by Coot and Servalcat; maps_only=True: density modification by cctbx."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, COOT, SERVALCAT, FileSlot, Parameter, ProgramSpec

_ROUNDS = "autobuild.n_cycle_build_max"
_MAPS_ONLY = "autobuild.maps_only"
_RESOLUTION = "autobuild.crystal_info.resolution"
_CELL = "autobuild.crystal_info.unit_cell"
_GROUP = "autobuild.crystal_info.space_group"
_WATERS = "autobuild.place_waters"
_WATERS_TO = 2.8  # A: ordered_solvent.low_resolution of phenix.refine

SPEC = ProgramSpec(
    name="phenix.autobuild",
    purpose="rebuild a placed model by its sequence and the density, in rounds with refinement",
    engine=COOT,
    also=(SERVALCAT, CCTBX),
    files=(
        FileSlot("data", ("reflections",), required=True, flags=("autobuild.data", "autobuild.input_files.data")),
        FileSlot("model", ("model",), flags=("autobuild.model", "autobuild.input_files.model"), help="placed"),
        FileSlot("sequence", ("sequence",), flags=("autobuild.seq_file", "autobuild.input_files.seq_file")),
        FileSlot("free_set", ("reflections",), positional=False,
                 flags=("autobuild.refinement_file", "autobuild.input_files.refinement_file"), help="its R-free flags are used"),
        FileSlot("ligands", ("restraints",), multiple=True, positional=False,
                 flags=("autobuild.cif_def_file_list", "autobuild.input_files.cif_def_file_list")),
        FileSlot("map_coeffs", ("reflections",), positional=False, flags=("autobuild.map_file", "autobuild.input_files.map_file"),
                 help="refused: the maps come from the model"),
    ),
    parameters=(
        Parameter(_ROUNDS, "int", 4, aliases=("autobuild.n_cycle_rebuild_max",), minimum=1, maximum=15,
                  help="rounds at most; they end earlier when R-free does not fall any more"),
        Parameter(_WATERS, "bool", True, help=f"waters in the refinement at the end, to {_WATERS_TO} A"),
        Parameter(_MAPS_ONLY, "bool", False, help="density modification of the phases in the data file, else of the model; no building"),
        Parameter(_RESOLUTION, "float", None, aliases=("resolution",), minimum=0.5, help="Angstrom"),
        Parameter(_CELL, "unit_cell"),
        Parameter(_GROUP, "space_group"),
        Parameter("autobuild.rebuild_in_place", "bool", None, effect="science", neutral=(True,)),
        Parameter("autobuild.use_hl_if_present", "bool", None, effect="science", neutral=(False,)),
        Parameter("autobuild.quick", "bool", effect="speed"),
        Parameter("autobuild.nproc", "int", aliases=("nproc",), effect="speed"),
    ),
    outputs=(
        "overall_best.pdb (or .cif where the model came as mmCIF)",
        "overall_best_refine_data.mtz (F, SIGF, R-free-flags with 1 = test)",
        "overall_best_map_coeffs.mtz (2FOFCWT, FOFCWT and F-model)",
        "with maps_only=True: overall_best_denmod_map_coeffs.mtz",
    ),
    notes=(
        "Done: residue types by the sequence (BLOSUM62 alignment), missing atoms, rotamers, peptide flips, loops of up to 15 "
        "residues, ends of chains, residues without density deleted; after each round 5 cycles of Servalcat, at the end "
        "phenix.refine's own refinement with waters.",
        "Not done: building from phases alone, a chain that is not in the model, residues of nucleic acids, prime-and-switch "
        "and composite omit maps, NCS, twinned data, multiple models. Alternative conformations, waters and hydrogens of the "
        "model are left out before rebuilding; ligands stay.",
        "The model as given is written where rebuilding does not lower R-free.",
    ),
    example="phenix.autobuild data=refine_data.mtz model=refine_001.pdb seq_file=seq.fa",
)


def run(request: Request) -> None:
    """Rebuild the model, or modify the density only; AutoBuild's result lines."""
    from open_phenix.core.errors import Sorry

    if request[_MAPS_ONLY]:
        _modify_density(request)
        return
    if request.optional_file("model") is None:
        raise Sorry("phenix.autobuild rebuilds a placed model here (model=FILE). Building from phases alone needs PHENIX's own "
                    "AutoBuild; no open program does it")
    if request.optional_file("sequence") is None:
        raise Sorry("phenix.autobuild needs a sequence (seq_file=FILE)")
    if request.optional_file("map_coeffs") is not None:
        raise Sorry("map_file= changes the result, and here the maps come from the model; take it out or run PHENIX itself")
    _rebuild(request)


def _data(request: Request) -> Any:
    """Amplitudes, test set and symmetry; the free flags are from the data file or from a separate file."""
    from open_phenix.xray import refinement_data
    from open_phenix.xray.reflections import ReflectionFile, Symmetry, check_same_crystal, model_symmetry

    model, path = request.file("model"), request.file("data")
    given = Symmetry(request[_CELL], request[_GROUP])
    source = ReflectionFile(path, given, fallback=model_symmetry(model), flags_path=request.optional_file("free_set"))
    if given == Symmetry():
        check_same_crystal(source.symmetry, model_symmetry(model), path, model)
    data = refinement_data.prepare(source, None, None, None, True, d_min=request[_RESOLUTION])
    print(f"\nResolution from datafile: {data.all_amplitudes.d_min():.5f}")
    print(f"Resolution for model-building: {data.amplitudes.d_min():.2f}  A")
    print(f"R-free flags: {data.flags_origin}; {data.is_test.data().count(True)} reflections")
    return data, source.symmetry


def _rebuild(request: Request) -> None:
    from open_phenix.core import scratch, sequences
    from open_phenix.core.errors import Sorry
    from open_phenix.restraints import for_model
    from open_phenix.xray import model_content, models, rebuilding, refinement_data
    from open_phenix.xray.servalcat import RunOptions

    chains = sequences.read(request.file("sequence"))
    data, symmetry = _data(request)
    path = request.file("model")
    submitted = models.read(path)
    restraints = for_model.find(submitted, [file.resolve() for file in request.all_files("ligands")])
    if restraints.missing:
        missing = ", ".join(restraints.missing)
        raise Sorry(f"no restraints of {missing}: take these residues out of the model, or give their dictionaries")
    structure = restraints.refined_part(submitted)
    models.set_crystal(structure, symmetry)
    measured = model_content.Data(data.amplitudes.d_min(), data.amplitudes.size())
    anisotropic = model_content.keeps_anisotropic(model_content.look_at(structure), measured)
    with scratch.folder("autobuild") as folder:
        refinement_data.write_engine_file(data, folder / "data.mtz")
        options = RunOptions(reflections=folder / "data.mtz", dictionaries=restraints.dictionaries)
        work = rebuilding.Rebuilding(path, options, chains, request[_ROUNDS], folder, measured.d_min)
        start, best = work.run(structure)
        final = start if best is start else _refine(request, best.structure, options, anisotropic, data, folder)
        _finish(data, start, final, work.report)


def _refine(request: Request, structure: Any, options: Any, anisotropic: bool, data: Any, folder: Path) -> Any:
    """phenix.refine's own refinement of the rebuilt model."""
    from dataclasses import replace

    from open_phenix.xray.rebuilding import State
    from open_phenix.xray.refinement import Plan, Refinement

    d_min = data.amplitudes.d_min()
    print("\nRefinement of the rebuilt model:")
    waters = request[_WATERS] and d_min <= _WATERS_TO
    plan = Plan(3, waters, d_min, data.is_test.data().count(True))
    work = Refinement(request.file("model"), structure, replace(options, anisotropic=anisotropic), plan, folder)
    outcome = work.run()
    last = outcome.steps[-1][1]
    return State(work.structure, outcome.final, last.r_work, last.r_free)


def _finish(data: Any, start: Any, final: Any, report: Any) -> None:
    """Write the better of the model as given and the rebuilt one; AutoBuild's lines at the end."""
    from open_phenix.xray.rebuilding import residues_built
    from open_phenix.xray import refinement_data, refinement_outputs

    better = final.r_free < start.r_free
    if not better:
        print(f"\nRebuilding does not lower R-free ({start.r_free:.4f} before, {final.r_free:.4f} after): the model as given is "
              "written, refined")
    best = final if better else start
    d_max, d_min = data.amplitudes.d_max_min()
    if best.result.pdb.is_file():
        refinement_outputs.write_pdb(best.result.pdb, Path("overall_best.pdb"), best.result.cycles[-1], d_max, d_min)
    else:
        Path("overall_best.cif").write_bytes(best.result.cif.read_bytes())
    refinement_outputs.write_map_coefficients(best.result.mtz, Path("overall_best_map_coeffs.mtz"))
    refinement_data.write_data_file(data, Path("overall_best_refine_data.mtz"))
    if better:
        print(f"\nRebuilt: residues mutated {report.mutated}, loops closed {len(report.closed)}, residues added {report.added}, "
              f"peptides flipped {len(report.flipped)}, residues deleted {len(report.deleted)}")
    print("\nCurrent overall_best model and map")
    print(f"R and R-free: {best.r_work:.4f} {best.r_free:.4f}")
    if better:
        built, placed = residues_built(best.structure)
        print(f"Residues built: {built}\nResidues with side chain: {placed}")


def _modify_density(request: Request) -> None:
    """maps_only=True: phases of the data file or of the model, modified; no building."""
    from open_phenix.core import sequences
    from open_phenix.core.errors import Sorry
    from open_phenix.xray import density_modification, refinement_data
    from open_phenix.xray.reflections import ReflectionFile, Symmetry, model_symmetry

    sequence, model, path = request.optional_file("sequence"), request.optional_file("model"), request.file("data")
    if sequence is None:
        raise Sorry("phenix.autobuild maps_only=True needs a sequence (seq_file=FILE) for the solvent content")
    source = ReflectionFile(path, Symmetry(request[_CELL], request[_GROUP]), fallback=model_symmetry(model) if model else None)
    amplitudes = refinement_data.merged_amplitudes(source.observed(None, "data")).resolution_filter(d_min=request[_RESOLUTION] or 0)
    print(f"\nResolution from datafile: {amplitudes.d_min():.5f}")
    coefficients, origin = density_modification.phases(source, amplitudes, model)
    residues = sum(len(chain) for chain in sequences.read(sequence))
    print(f"Phases: {origin}", flush=True)
    modified, before, after, solvent = density_modification.modify(amplitudes, coefficients, residues)
    target = Path("overall_best_denmod_map_coeffs.mtz")
    modified.as_mtz_dataset(column_root_label="FWT").mtz_object().write(str(target))
    print(f"Solvent content: {solvent:.2f}\nMean figure of merit: {before:.3f} before, {after:.3f} after\nWrote {target}")
