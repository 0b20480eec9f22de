"""phenix.model_vs_data: how well does a model, as it stands, explain the data? mmtbx.f_model with bulk solvent."""

from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec

SPEC = ProgramSpec(
    name="phenix.model_vs_data",
    purpose="R-work and R-free of a model as it stands",
    engine=CCTBX,
    files=(
        FileSlot("model", ("model",), required=True, flags=("model_file_name",)),
        FileSlot("data", ("reflections",), required=True, flags=("data_file_name",)),
        FileSlot("ligands", ("restraints",), multiple=True, help="accepted, not needed"),
    ),
    parameters=(
        Parameter("xray_data.obs_labels", "labels", aliases=("f_obs_label", "xray_data.labels", "miller_array.labels.name")),
        Parameter("r_free_flags_label"),
        Parameter("high_resolution", "float", minimum=0.1, help="Angstrom"),
        Parameter("twin_law", help="an operator such as h,-k,-l"),
        Parameter("scattering_table", "choice", "n_gaussian", choices=("n_gaussian", "wk1995", "it1992", "electron")),
        Parameter("nproc", "int", effect="speed"),
    ),
    outputs=("none: the result is in the log",),
    example="phenix.model_vs_data model.pdb data.mtz xray_data.obs_labels=F",
)


def run(request: Request) -> None:
    """Print the data summary, the table of R by resolution, then r_work and r_free (None without free flags)."""
    from open_phenix.core.errors import is_sorry
    from open_phenix.xray.reflections import ReflectionFile, check_same_crystal, model_symmetry
    from open_phenix.xray.refinement_data import merged_amplitudes

    model_path, data_path = request.file("model"), request.file("data")
    symmetry_of_model = model_symmetry(model_path)
    source = ReflectionFile(data_path, fallback=symmetry_of_model)
    check_same_crystal(source.symmetry, symmetry_of_model, data_path, model_path)
    chosen = source.observed(request["xray_data.obs_labels"], "xray_data")
    print("Data: --------------------------------------------------------------------------")
    chosen.show_comprehensive_summary(prefix="  ")
    amplitudes = merged_amplitudes(chosen).resolution_filter(d_min=request["high_resolution"] or 0)
    print("R-free-flags: ------------------------------------------------------------------")
    try:
        flags, value = source.free_flags(request["r_free_flags_label"])
    except Exception as problem:  # cctbx's Sorry: there are no usable flags
        if not is_sorry(problem) or request["r_free_flags_label"]:
            raise
        flags, value = None, None
    print("  not available" if flags is None else f"  flag value: {value}")
    model = _f_model(request, source, amplitudes, flags, value)
    print("Model vs Data: -----------------------------------------------------------------")
    model.show(show_header=False, show_approx=False)
    print(f"  r_work: {model.r_work():6.4f}")
    print("  r_free: None" if flags is None else f"  r_free: {model.r_free():6.4f}")
    print(f"\n  Number of F-obs outliers: {amplitudes.size() - model.f_obs().size()}")


def _f_model(request: Request, source: Any, amplitudes: Any, flags: Any, value: Any) -> Any:
    import iotbx.pdb
    import mmtbx.f_model
    from cctbx.array_family import flex

    if flags is None:
        is_test = amplitudes.array(data=flex.bool(amplitudes.size(), False))
    else:
        is_test = flags.customized_copy(data=flags.data() == value).map_to_asu()
        if not is_test.is_unique_set_under_symmetry():
            is_test = is_test.merge_equivalents().array()
        if is_test.anomalous_flag():
            is_test = is_test.average_bijvoet_mates()
        amplitudes, is_test = amplitudes.common_sets(is_test)
    structure = iotbx.pdb.input(str(request.file("model"))).xray_structure_simple(crystal_symmetry=source.symmetry)
    structure.scattering_type_registry(table=request["scattering_table"], d_min=amplitudes.d_min())
    model = mmtbx.f_model.manager(
        xray_structure=structure, f_obs=amplitudes, r_free_flags=is_test, twin_law=request["twin_law"]
    )
    model.update_all_scales(update_f_part1=request["twin_law"] is None)
    return model
