"""phenix.process_predicted_model: trims a predicted model and turns confidence into B; mmtbx.programs."""

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec

_SCOPE = "process_predicted_model."

SPEC = ProgramSpec(
    name="phenix.process_predicted_model",
    purpose="remove uncertain parts of a predicted model, B values from its confidence, domains as chains",
    engine=CCTBX,
    files=(FileSlot("model", ("model",), required=True, flags=("input_files.model",)),),
    parameters=(
        Parameter(_SCOPE + "b_value_field_is", "choice", "plddt", choices=("plddt", "lddt", "rmsd", "b_value")),
        Parameter(_SCOPE + "maximum_rmsd", "float", minimum=0.01, help="Angstrom; residues expected to be worse are removed"),
        Parameter(_SCOPE + "minimum_plddt", "float", aliases=("minimum_lddt",), minimum=0, maximum=100),
        Parameter(_SCOPE + "remove_low_confidence_residues", "bool", True),
        Parameter(_SCOPE + "split_model_by_compact_regions", "bool", True),
        Parameter(_SCOPE + "maximum_domains", "int", 3, minimum=1),
        Parameter("output_files.processed_model_prefix", help="default: <model>_processed"),
        Parameter("control.nproc", "int", effect="speed", aliases=("nproc",)),
    ),
    outputs=("<model>_processed.pdb, and one file per domain: <model>_processed_A1_1.pdb ...",),
    example="phenix.process_predicted_model prediction.pdb b_value_field_is=plddt",
)


def run(request: Request) -> None:
    """Hand the request to cctbx's program; no residue left is an error, not an empty success."""
    from pathlib import Path

    from open_phenix.core import cctbx_program, cctbx_session
    from open_phenix.core.errors import Sorry

    cctbx_session.start()
    from mmtbx.programs import process_predicted_model

    model = request.file("model").resolve()
    prefix = request["output_files.processed_model_prefix"] or f"{Path(model.name).stem}_processed"
    given = {path: value for path, value in request.values.items() if value is not None and path.startswith(_SCOPE)}
    arguments = [f"{path}={value}" for path, value in given.items()]
    arguments.append(f"output_files.processed_model_prefix={cctbx_program.quoted(prefix)}")
    arguments.append("output_files.target_output_format=pdb")
    cctbx_program.run(process_predicted_model.Program, [str(model)] + arguments)
    if not Path(f"{prefix}.pdb").is_file() and not Path(f"{prefix}.cif").is_file():
        raise Sorry("No residues left after processing: is the B-value field what b_value_field_is says?")
