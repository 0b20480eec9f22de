"""Elements that a PDB file lacks are inferred before any program reads it, and charged atoms scatter electrons as neutral ones."""

import gzip
from pathlib import Path

import pytest

gemmi = pytest.importorskip("gemmi", reason="gemmi is not installed in this Python (run install.sh)")

from open_phenix.core import model_input, scattering
from open_phenix.core.arguments import Request
from open_phenix.programs import pdbtools

_BARE = [
    "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1",
    "ATOM      1  CA  VAL A   1       1.000   2.000   3.000  1.00 10.00",
    "ATOM      2 HG11 VAL A   1       1.000   2.000   4.000  1.00 10.00      1ABC 148",
    "HETATM    3 CA    CA A   2       5.000   2.000   4.000  1.00 10.00              ",
    "ATOM      4  OXT VAL A   1       7.000   2.000   4.000  1.00 10.00           O1-",
]


def _model(path: Path, lines: list[str]) -> Path:
    text = "\n".join(lines) + "\nEND\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def _elements(text: str) -> list[str]:
    return [line[76:78].strip() for line in text.splitlines() if line.startswith(("ATOM", "HETATM"))]


def test_elements_follow_the_columns_of_the_name(tmp_path: Path) -> None:
    found = model_input.completed(_model(tmp_path / "a.pdb", _BARE))
    assert found is not None and _elements(found.text) == ["C", "H", "CA", "O"]
    assert found.text.splitlines()[0] == _BARE[0] and found.text.splitlines()[4] == _BARE[4]
    assert found.note("a.pdb") == "a.pdb: the elements of 3 atoms are missing in columns 77 and 78 and inferred from the atom names"


def test_a_name_that_shows_no_element_is_named(tmp_path: Path) -> None:
    odd = _BARE[1].replace(" CA ", " X1 ", 1)
    found = model_input.completed(_model(tmp_path / "a.pdb", [*_BARE, odd]))
    assert found is not None and _elements(found.text)[-1] == ""
    assert found.note("a.pdb").endswith("WARNING: the names of X1  VAL A   1 show no element")


def test_a_complete_model_is_left_alone(tmp_path: Path) -> None:
    assert model_input.completed(_model(tmp_path / "a.pdb", [_BARE[0], _BARE[4]])) is None
    assert model_input.completed(_model(tmp_path / "a.cif", _BARE)) is None


def test_the_request_gets_copies_of_the_same_name(tmp_path: Path) -> None:
    bare, whole = _model(tmp_path / "bare.pdb.gz", _BARE), _model(tmp_path / "whole.pdb", [_BARE[0], _BARE[4]])
    request = Request(pdbtools.SPEC, {"models": [bare, whole]}, {})
    folder = tmp_path / "scratch"
    folder.mkdir()
    assert len(model_input.complete(request, folder)) == 1
    copy, same = request.all_files("models")
    assert (copy.name, copy.parent.parent, same) == ("bare.pdb", folder, whole)
    assert [site.atom.element.name for site in gemmi.read_structure(str(copy))[0].all()] == ["C", "O", "H", "Ca"]


def test_electrons_see_no_charges(tmp_path: Path) -> None:
    iotbx_pdb = pytest.importorskip("iotbx.pdb")
    structure = iotbx_pdb.input(source_info=None, lines=[_BARE[0], _BARE[4]]).xray_structure_simple()
    assert scattering.use_table(structure.deep_copy_scatterers(), "n_gaussian", 2.0) == 0
    assert scattering.use_table(structure, "electron") == 1
    assert [scatterer.scattering_type for scatterer in structure.scatterers()] == ["O"]
    assert not structure.scattering_type_registry().unassigned_types()
