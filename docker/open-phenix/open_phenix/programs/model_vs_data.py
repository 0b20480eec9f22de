"""phenix.model_vs_data: fit of an unrefined model to the data, by mmtbx.f_model with bulk solvent."""

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
    from open_phenix.xray import f_model
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
    flags, value = f_model.free_flags_or_none(source, request["r_free_flags_label"])
    print("  not available" if flags is None else f"  flag value: {value}")
    model = f_model.make(
        model_path, source, amplitudes, flags, value, request["twin_law"], request["scattering_table"]
    )
    print("Model vs Data: -----------------------------------------------------------------")
    model.show(show_header=False, show_approx=False)
    print(f"  r_work: {model.r_work():6.4f}")
    print("  r_free: None" if flags is None else f"  r_free: {model.r_free():6.4f}")
    print(f"\n  Number of F-obs outliers: {amplitudes.size() - model.f_obs().size()}")

