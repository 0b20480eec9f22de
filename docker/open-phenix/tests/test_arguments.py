"""The command line: files by kind, parameters by unique trailing part, errors in PHENIX's words."""

from pathlib import Path

import pytest

from open_phenix.core.arguments import Request, parse
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import SERVALCAT, FileSlot, Parameter, ProgramSpec

SPEC = ProgramSpec(
    name="phenix.test",
    purpose="",
    engine=SERVALCAT,
    files=(
        FileSlot("model", ("model",), required=True, flags=("input.pdb.file_name",)),
        FileSlot("data", ("reflections",)),
        FileSlot("ligands", ("restraints",), multiple=True),
    ),
    parameters=(
        Parameter("refinement.main.number_of_macro_cycles", "int", 3, minimum=1),
        Parameter("refinement.main.ordered_solvent", "bool", False),
        Parameter("refinement.main.nproc", "int", effect="speed"),
        Parameter("other.nproc_limit", "int"),
        Parameter("refinement.main.simulated_annealing", "bool", False, effect="science", neutral=(False,)),
        Parameter("xray_data.labels", "labels", aliases=("miller_array.labels.name",)),
        Parameter("polder.labels.map", "labels"),
        Parameter("crystal_symmetry.unit_cell", "unit_cell"),
        Parameter("selection", default="hetero"),
        Parameter("first.same", "int"),
        Parameter("second.same", "int"),
    ),
    refused=("ncs", "reference_model"),
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "a model with 'quotes' é.pdb").write_text("ATOM\n")
    (tmp_path / "-dash.mtz").write_text("MTZ ")
    (tmp_path / "lig.cif").write_text("data_comp_LIG\n_chem_comp_atom.comp_id LIG\n")
    (tmp_path / "model.cif").write_text("data_x\nloop_\n_atom_site.id\n1\n")
    return tmp_path


def _parse(files: Path, *arguments: str) -> Request:
    return parse(SPEC, [str(files / "a model with 'quotes' é.pdb"), *arguments])


def test_files_go_to_slots_by_kind(files: Path) -> None:
    request = _parse(files, str(files / "lig.cif"), str(files / "-dash.mtz"))
    assert request.file("data").name == "-dash.mtz"
    assert [path.name for path in request.all_files("ligands")] == ["lig.cif"]


def test_cif_is_told_by_its_content(files: Path) -> None:
    assert parse(SPEC, [str(files / "model.cif")]).file("model").name == "model.cif"


@pytest.mark.parametrize("scope", ["", "main.", "refinement.main."])
def test_any_trailing_part_of_a_name(files: Path, scope: str) -> None:
    assert _parse(files, f"{scope}number_of_macro_cycles=7")["refinement.main.number_of_macro_cycles"] == 7


def test_alias_and_quotes(files: Path) -> None:
    assert _parse(files, 'labels.name="F, SIGF"')["xray_data.labels"] == "F,SIGF"
    assert _parse(files, "selection='resname NUT and chain \"B\"'")["selection"] == 'resname NUT and chain "B"'


def test_none_and_auto_are_the_default(files: Path) -> None:
    assert _parse(files, "number_of_macro_cycles=Auto")["refinement.main.number_of_macro_cycles"] == 3


def test_unit_cell(files: Path) -> None:
    expected = (10.0, 20.0, 30.0, 90.0, 101.5, 90.0)
    assert _parse(files, "unit_cell=10 20 30 90 101.5 90")["crystal_symmetry.unit_cell"] == expected
    assert _parse(files, "unit_cell=(10,20,30,90,101.5,90)")["crystal_symmetry.unit_cell"] == expected


def test_speed_parameters_are_named(files: Path) -> None:
    assert _parse(files, "nproc=4").ignored == ["nproc=4 (speed only)"]


def test_science_parameters_are_errors_unless_neutral(files: Path) -> None:
    _parse(files, "simulated_annealing=False")
    with pytest.raises(Sorry, match="simulated_annealing=True changes the result"):
        _parse(files, "simulated_annealing=True")


def test_refused_scopes(files: Path) -> None:
    assert _parse(files, "reference_model.enabled=False").ignored
    with pytest.raises(Sorry, match="changes the result"):
        _parse(files, "refinement.reference_model.enabled=True")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("xyz=1", "Unknown command line parameter definition: xyz"),
        ("cycles=1", "Unknown command line parameter definition: cycles"),
        ("same=1", "Ambiguous command line parameter definition: same"),
        ("number_of_macro_cycles=0", "must not be below 1"),
        ("number_of_macro_cycles=3.5", "as an integer"),
        ("ordered_solvent=maybe", "as True or False"),
        ("unit_cell=1,2,3", "six positive numbers"),
        ("nosuch.pdb", "Couldn't find the file nosuch.pdb"),
        ("--nosuch-option", "Unknown command line option"),
        ("input.pdb.file_name=nosuch.pdb", "Couldn't find the file"),
    ],
)
def test_errors(files: Path, argument: str, message: str) -> None:
    with pytest.raises(Sorry, match=message):
        _parse(files, argument)


def test_missing_and_surplus_files(files: Path) -> None:
    with pytest.raises(Sorry, match="needs a model file"):
        parse(SPEC, [])
    with pytest.raises(Sorry, match="Too many model files"):
        _parse(files, str(files / "model.cif"))
