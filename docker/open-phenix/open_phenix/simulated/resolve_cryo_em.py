"""Stand-in for phenix.resolve_cryo_em (density modification of half maps)."""

from pathlib import Path

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import FileSlot, Parameter, ProgramSpec
from open_phenix.cryoem.map_roles import HALF, POSITIONAL, MapFiles, map_files, map_slots
from open_phenix.core import sequences
from open_phenix.simulated import artefacts
from open_phenix.simulated.options import SCRIPT, TEST_PARAMETERS, play

OUTPUT = "denmod_map.ccp4"

SPEC = ProgramSpec(
    name="phenix.resolve_cryo_em",
    purpose="density modification of two half maps",
    engine=SCRIPT,
    simulated=True,
    files=map_slots() + (FileSlot("sequence", ("sequence",), flags=("input_files.seq_file",)),),
    parameters=(
        Parameter("crystal_info.resolution", "float", minimum=0.5, help="Angstrom"),
        Parameter("control.nproc", "int", default=4),
    )
    + TEST_PARAMETERS,
    outputs=(f"{OUTPUT} (the mean of the half maps: nothing was modified)",),
    example="open-phenix-simulated phenix.resolve_cryo_em half_map_1.ccp4 half_map_2.ccp4 seq_file=seq.fa",
)


def run(request: Request) -> None:
    """Check the inputs, print the scripted log, write the mean of the half maps."""
    first, second = _half_maps(request)
    sequence = request.optional_file("sequence")
    if sequence is None:
        raise Sorry("resolve_cryo_em needs a sequence file (seq_file=FILE)")
    sequences.read(sequence)
    maps = [artefacts.read_map(path) for path in (first, second)]
    play(request, ["Density modification (scripted)"])
    artefacts.write_mean_map(maps[0], maps[1], Path(OUTPUT))
    print(f"Wrote {OUTPUT}")
    if request["crystal_info.resolution"] is not None:
        print(f"Resolution: {request['crystal_info.resolution']:.2f} A (as given)")


def _half_maps(request: Request) -> "tuple[Path, Path]":
    """The half maps; two positional maps will do whatever their names are, as the program takes no other."""
    loose = request.all_files(POSITIONAL)
    if len(loose) == 2 and not request.all_files(HALF) and loose[0].resolve() != loose[1].resolve():
        return loose[0], loose[1]
    files: MapFiles = map_files(request)
    if files.halves is None:
        raise Sorry("resolve_cryo_em needs two half maps")
    return files.halves
