"""phenix.xtriage: data quality, twinning, anomalous signal; mmtbx.scaling.xtriage unchanged."""


from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, FileSlot, Parameter, ProgramSpec
from open_phenix.core.values import shown

_DATA = "scaling.input.xray_data."

SPEC = ProgramSpec(
    name="phenix.xtriage",
    purpose="data quality, twinning, anomalous signal",
    engine=CCTBX,
    files=(
        FileSlot("data", ("reflections",), required=True, flags=(_DATA + "file_name",)),
        FileSlot("sequence", ("sequence",), flags=("scaling.input.asu_contents.sequence_file",)),
    ),
    parameters=(
        Parameter(_DATA + "obs_labels", "labels", help="column labels of the array to use, e.g. F,SIGF"),
        Parameter(_DATA + "unit_cell", "unit_cell", help="Angstrom and degrees; for data files without one"),
        Parameter(_DATA + "space_group", "space_group", help="for data files without one"),
        Parameter(_DATA + "high_resolution", "float", minimum=0.1, help="Angstrom"),
        Parameter(_DATA + "low_resolution", "float", minimum=0.1, help="Angstrom"),
        Parameter("scaling.input.asu_contents.n_residues", "int", minimum=1),
        Parameter("scaling.input.asu_contents.n_copies_per_asu", "int", aliases=("n_copies",), minimum=1),
        Parameter("scaling.input.parameters.nproc", "int", effect="speed", aliases=("general.nproc",)),
    ),
    outputs=("logfile.log (the log again, as PHENIX does)",),
    example="phenix.xtriage data.mtz scaling.input.xray_data.obs_labels=F,SIGF",
)


def run(request: Request) -> None:
    """Hand the request to mmtbx.scaling.xtriage; its log and its errors are PHENIX's own."""
    from open_phenix.core import cctbx_session

    cctbx_session.start()
    from mmtbx.scaling import xtriage

    from open_phenix.xray.reflections import check_scaled

    check_scaled(request.file("data"))
    arguments = [str(request.file("data"))]
    sequence = request.optional_file("sequence")
    if sequence is not None:
        arguments.append(f"scaling.input.asu_contents.sequence_file={_quoted(str(sequence))}")
    xtriage.run(args=arguments + _given(request))


def _given(request: Request) -> list[str]:
    return [f"{path}={_quoted(shown(request[path]))}" for path in request.given if path in request.values]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
