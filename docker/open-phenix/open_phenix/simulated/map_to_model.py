"""Stand-in for phenix.map_to_model (building a model in a map)."""

from pathlib import Path

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import FileSlot, Parameter, ProgramSpec
from open_phenix.cryoem.map_roles import map_files, map_slots
from open_phenix.core import sequences
from open_phenix.simulated import artefacts, models
from open_phenix.simulated.options import SCRIPT, TEST_PARAMETERS, play

OUTPUT = "map_to_model.pdb"

SPEC = ProgramSpec(
    name="phenix.map_to_model",
    purpose="build a model in a cryo-EM map",
    engine=SCRIPT,
    simulated=True,
    files=map_slots()
    + (
        FileSlot("sequence", ("sequence",), required=True, flags=("input_files.seq_file",)),
        FileSlot("partial_model", ("model",), flags=("input_files.partial_model",)),
        FileSlot("ncs", ("symmetry",), positional=False, flags=("input_files.ncs_file",), help="of phenix.map_symmetry"),
    ),
    parameters=(
        Parameter("crystal_info.resolution", "float", minimum=0.5, help="Angstrom, required"),
        Parameter("control.nproc", "int", default=4),
        Parameter("control.quick", "bool", default=False),
        Parameter("strategy.thoroughness", "choice", choices=("quick", "medium", "thorough", "extra_thorough")),
        Parameter("strategy.build_in_regions", "bool"),
        Parameter("strategy.include_phase_and_build", "bool"),
        Parameter("reconstruction_symmetry.asymmetric_map", "bool"),
    )
    + TEST_PARAMETERS,
    outputs=(OUTPUT,),
    example="open-phenix-simulated phenix.map_to_model map.ccp4 seq_file=seq.fa resolution=3.0",
)


def run(request: Request) -> None:
    """Check the inputs, print the scripted log, write the model."""
    files = map_files(request)
    path = files.full or (files.halves[0] if files.halves else None)
    if path is None:
        raise Sorry("map_to_model needs a map")
    if request["crystal_info.resolution"] is None:
        raise Sorry("Resolution is required (resolution=D, in Angstrom)")
    operators = request.optional_file("ncs")
    if operators is not None and "new_operator" not in operators.read_text(encoding="utf-8"):
        raise Sorry(f"{operators.name} holds no symmetry operators")
    chains = sequences.read(request.file("sequence"))
    cell = artefacts.read_map(path).grid.unit_cell
    play(request, ["Tracing chains (scripted)", f"Residues built: {int(0.8 * sum(map(len, chains)))}"])
    partial = request.optional_file("partial_model")
    if partial is not None:
        artefacts.copy_model(partial, Path(OUTPUT))
    else:
        models.write_built(Path(OUTPUT), request.file("sequence"), cell, "P 1")
    print(f"Wrote {OUTPUT}\nModel-map CC (local):  0.59\nCC_mask : 0.59")
