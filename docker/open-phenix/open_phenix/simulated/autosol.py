"""Stand-in for phenix.autosol (SAD/MAD phasing)."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import FileSlot, Parameter, ProgramSpec
from open_phenix.core import sequences
from open_phenix.simulated import artefacts, models
from open_phenix.simulated.options import SCRIPT, TEST_PARAMETERS, play

SPEC = ProgramSpec(
    name="phenix.autosol",
    purpose="SAD, MAD and MR-SAD phasing with a first model",
    engine=SCRIPT,
    simulated=True,
    files=(
        FileSlot("data", ("reflections",), required=True, flags=("autosol.data",)),
        FileSlot("sequence", ("sequence",), required=True, flags=("autosol.seq_file",)),
        FileSlot("partial_model", ("model",), flags=("autosol.partpdb_file",)),
    ),
    parameters=(
        Parameter("autosol.atom_type"),
        Parameter("autosol.mad_ha_add_list"),
        Parameter("autosol.lambda", "float", aliases=("autosol.wavelength",), minimum=0.1, maximum=10.0, help="Angstrom"),
        Parameter("autosol.sites", "int", minimum=1),
        Parameter("autosol.quick", "bool"),
        Parameter("autosol.crystal_info.resolution", "float", minimum=0.5, aliases=("resolution",), help="Angstrom"),
        Parameter("autosol.crystal_info.unit_cell", "unit_cell"),
        Parameter("autosol.crystal_info.space_group", "space_group"),
        Parameter("autosol.input.xray_data.obs_labels", "labels"),
        Parameter("autosol.nproc", "int", aliases=("nproc",)),
    )
    + TEST_PARAMETERS,
    outputs=("overall_best.pdb", "overall_best_refinement_data.mtz", "overall_best_denmod_map_coeffs.mtz"),
    example="open-phenix-simulated phenix.autosol autosol.data=data.mtz seq_file=seq.fa autosol.atom_type=Se",
)


def run(request: Request) -> None:
    """Check the inputs, print the scripted log, write the files."""
    mtz = artefacts.read_reflections(request.file("data"))
    if not artefacts.is_anomalous(mtz):
        raise Sorry(f"No anomalous data found in {request.file('data')}")
    chains = sequences.read(request.file("sequence"))
    residues = sum(len(chain) for chain in chains)
    play(request, _log(request, residues))
    _write(request, mtz)


def _log(request: Request, residues: int) -> list[str]:
    sites = request["autosol.sites"] or max(1, residues // 40)
    atom, built = request["autosol.atom_type"] or "Se", int(0.85 * residues)
    return [
        f"Searching for {sites} sites of {atom} (scripted)",
        "Solution # 1  BAYES-CC: 59.1 +/- 13.7 (2SD) Dataset #1   FOM: 0.56",
        f"Sites: {sites} ({atom})      Refined Sites: {sites}",
        f"  Residues built: {built}",
        "  R/R-free: 0.25/0.29",
        "  Overall model-map correlation: 0.800",
        "Solution # 2  BAYES-CC: 17.6 +/- 22.1 (2SD) Dataset #1   FOM: 0.31",
    ]


def _write(request: Request, mtz: Any) -> None:
    model = Path("overall_best.pdb")
    partial = request.optional_file("partial_model")
    if partial is not None:
        artefacts.copy_model(partial, model)
    else:
        models.write_built(model, request.file("sequence"), mtz.cell, mtz.spacegroup.xhm())
    data, coefficients = Path("overall_best_refinement_data.mtz"), Path("overall_best_denmod_map_coeffs.mtz")
    artefacts.write_data(mtz, data)
    artefacts.write_map_coefficients(mtz, coefficients)
    print(f"Wrote {model}, {data}, {coefficients}")
