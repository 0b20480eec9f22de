"""phenix.molprobity: geometry validation by open programs; values that they cannot compute are printed as not available."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, COOT, Engine, FileSlot, Parameter, ProgramSpec

_LISTED = 20  # entries of a list that are printed
NOT_AVAILABLE = "not available"

SPEC = ProgramSpec(
    name="phenix.molprobity",
    purpose="geometry validation of a model, R values if data are given",
    engine=CCTBX,
    also=(COOT, Engine("gemmi", "gemmi")),
    files=(
        FileSlot("model", ("model",), required=True, flags=("input.pdb.file_name",)),
        FileSlot("data", ("reflections",), flags=("input.xray_data.file_name",)),
        FileSlot("ligands", ("restraints",), multiple=True, flags=("input.monomers.file_name",)),
        FileSlot("map", ("map",), help="accepted, not used"),
        FileSlot("sequence", ("sequence",), help="accepted, not used"),
    ),
    parameters=(
        Parameter("input.xray_data.labels", "labels", aliases=("xray_data.obs_labels", "miller_array.labels.name")),
        Parameter("molprobity.clashscore", "bool", True, aliases=("clashscore",), help="False saves most of the time"),
        Parameter("output.coot", "bool", effect="speed"),
        Parameter("output.prefix", effect="speed"),
        Parameter("output.quiet", "bool", effect="speed"),
        Parameter("pdb_interpretation.clash_guard.nonbonded_distance_threshold", effect="speed"),
        Parameter("resolution", "float", effect="speed"),
        Parameter("nproc", "int", effect="speed"),
    ),
    outputs=("molprobity.out (the summary again)",),
    notes=(
        "Rotamer outliers and the MolProbity score need rotamer tables that no open package carries: not available. The "
        "clashscore is by cctbx's Probe and Reduce without Asn/Gln/His flips.",
    ),
    example="phenix.molprobity model.pdb data.mtz ligand.cif",
)


def run(request: Request) -> None:
    """Each check on its own, then PHENIX's summary block."""
    from open_phenix.core import scratch
    from open_phenix.restraints import for_model
    from open_phenix.xray import models, validation

    path = request.file("model")
    structure = models.read(path)
    restraints = for_model.find(structure, [ligand.resolve() for ligand in request.all_files("ligands")])
    dictionaries, structure = restraints.dictionaries, restraints.refined_part(structure)
    reasons: dict[str, str] = {}
    results: dict[str, Any] = {}

    def check(name: str, work: Any) -> Any:
        results[name] = validation.attempt(reasons, name, work)
        return results[name]

    hierarchy = validation.hierarchy_of(path)
    _show_ramachandran(check("Ramachandran", lambda: validation.ramachandran(hierarchy)))
    check("C-beta deviations", lambda: validation.c_beta(hierarchy))
    _show_omega(check("Omega", lambda: validation.omega(hierarchy)))
    check("RMS", lambda: validation.deviations(structure, dictionaries))
    with scratch.folder("molprobity") as folder:
        _show_rotamers(check("Rotamers", lambda: validation.rotamers(path, dictionaries, folder)))
        if request["molprobity.clashscore"]:
            print("\nHydrogens and contacts ...", flush=True)
            _show_clashes(check("Clashscore", lambda: validation.clashes(structure, dictionaries, folder)))
    if request.optional_file("data") is not None:
        check("Data", lambda: _r_values(request))
    for name, reason in reasons.items():
        print(f"  {name}: {NOT_AVAILABLE} ({reason})")
    _show_summary(results)


def _r_values(request: Request) -> Any:
    """(d_min, r_work, r_free or None)."""
    from open_phenix.xray import f_model
    from open_phenix.xray.reflections import ReflectionFile, check_same_crystal, model_symmetry
    from open_phenix.xray.refinement_data import merged_amplitudes

    model, data = request.file("model"), request.file("data")
    symmetry = model_symmetry(model)
    source = ReflectionFile(data, fallback=symmetry)
    check_same_crystal(source.symmetry, symmetry, data, model)
    amplitudes = merged_amplitudes(source.observed(request["input.xray_data.labels"], "input.xray_data"))
    flags, value = f_model.free_flags_or_none(source)
    fitted = f_model.make(model, source, amplitudes, flags, value)
    return fitted.f_obs().d_min(), fitted.r_work(), None if flags is None else fitted.r_free()


def _show_ramachandran(found: Any) -> None:
    if found is None:
        return
    print(f"\nRamachandran Plot:\n  Outliers : {found.outliers:5.2f} %\n  Allowed  : {found.allowed:5.2f} %"
          f"\n  Favored  : {found.favored:5.2f} %")
    _show_list(list(found.listed))


def _show_omega(found: Any) -> None:
    if found is not None:
        print(f"Peptide Plane: {found.n_outliers} cis or twisted peptides outside of proline and in proline")


def _show_rotamers(found: Any) -> None:
    if found is not None:
        print(f"Side chains that match none of Coot's rotamers: {found.unassigned} of {found.total} "
              "(not MolProbity's rotamer outliers)")


def _show_clashes(found: Any) -> None:
    if found is not None:
        if found.left_out:
            print(f"Left out, as there is no dictionary for them: {', '.join(found.left_out)}")
        print(f"Bad clashes (overlap of 0.4 A or more): {len(found.pairs)}")
        _show_list(found.pairs)


def _show_list(entries: list[str]) -> None:
    for entry in entries[:_LISTED]:
        print(f"    {entry.strip()}")
    if len(entries) > _LISTED:
        print(f"    ... and {len(entries) - _LISTED} more")


def _show_summary(results: dict[str, Any]) -> None:
    rama, rms, clash, data = (results.get(name) for name in ("Ramachandran", "RMS", "Clashscore", "Data"))
    beta = results.get("C-beta deviations")
    lines = [
        f"  Ramachandran outliers = {_percent(rama and rama.outliers, rama)}",
        f"                favored = {_percent(rama and rama.favored, rama)}",
        f"  Rotamer outliers      = {NOT_AVAILABLE}",
        f"  C-beta deviations     = {NOT_AVAILABLE if beta is None else format(beta, '5d')}",
        f"  Clashscore            = {_number(clash and clash.score, clash, '6.2f')}",
        f"  RMS(bonds)            = {_number(rms and rms.bonds, rms and rms.bonds, '8.4f')}",
        f"  RMS(angles)           = {_number(rms and rms.angles, rms and rms.angles, '6.2f')}",
        f"  MolProbity score      = {NOT_AVAILABLE}",
    ]
    if data is not None:
        lines += [
            f"  Resolution            = {data[0]:6.2f}",
            f"  R-work                = {data[1]:8.4f}",
            f"  R-free                = {_number(data[2], data[2], '8.4f')}",
        ]
    text = "\n".join(["=================================== Summary ===================================", ""] + lines)
    print("\n" + text)
    Path("molprobity.out").write_text(text + "\n", encoding="utf-8")
    print("\nResults written to molprobity.out")


def _percent(value: Any, present: Any) -> str:
    return NOT_AVAILABLE if present is None else f"{value:6.2f} %"


def _number(value: Any, present: Any, form: str) -> str:
    return NOT_AVAILABLE if present is None else format(value, form)
