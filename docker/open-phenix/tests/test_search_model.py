"""What of a search model is placed, and that the rest is named."""

from pathlib import Path

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

from open_phenix.mr.search_model import SearchModel
from open_phenix.programs import phaser


def _atom(serial: int, name: str, altloc: str, residue: str, number: int, occupancy: float, element: str = "C") -> str:
    return (f"ATOM  {serial:5d}  {name:<3s}{altloc or ' '}{residue} A{number:4d}    {serial * 1.5:8.3f}{number:8.3f}{0:8.3f}"
            f"{occupancy:6.2f}{20:6.2f}          {element:>2s}")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Residues 1 to 24 whole; 25 with B better occupied than A; 26 as C alone; a hydrogen; an anisotropic atom."""
    lines = [_atom(number, "CA", "", "ALA", number, 1.0) for number in range(1, 25)]
    lines += [_atom(30, "CA", "A", "SER", 25, 0.3), _atom(31, "CA", "B", "SER", 25, 0.7), _atom(32, "CA", "C", "SER", 26, 0.5)]
    lines += [_atom(33, "HA", "", "ALA", 24, 1.0, "H")]
    lines.insert(1, "ANISOU    1  CA  ALA A   1     2000   3000   1000      0      0      0       C")
    path = tmp_path / "model.pdb"
    path.write_text("\n".join(lines) + "\nEND\n")
    return path


def test_the_best_occupied_conformer_is_placed_at_occupancy_1(model: Path) -> None:
    found = SearchModel(model)
    atoms = found.hierarchy.atoms()
    assert found.residues == 26 and atoms.size() == 26
    assert set(atoms.extract_occ()) == {1.0}
    assert {group.altloc for group in found.hierarchy.atom_groups()} == {""}
    assert round(atoms[24].xyz[0], 1) == 46.5  # B of residue 25
    assert not any(atom.uij_is_defined() for atom in atoms)


def test_what_is_left_out_is_said(model: Path) -> None:
    told = "\n".join(SearchModel(model).notes)
    parts = ("0 waters and 1 hydrogen atoms are left out", "alternative conformations", "1 atoms of the others", "occupancy below 1", "anisotropic")
    for part in parts:
        assert part in told
    plain = model.with_name("plain.pdb")
    plain.write_text("\n".join(_atom(number, "CA", "", "ALA", number, 1.0) for number in range(1, 25)) + "\nEND\n")
    assert SearchModel(plain).notes == []


def test_copies_found_is_the_last_word(capsys: pytest.CaptureFixture[str]) -> None:
    phaser._show_copies(1, 3)
    told = capsys.readouterr().out
    assert "WARNING: 2 of the 3 copies that were asked for were not found" in told
    assert told.splitlines()[-1] == "Copies found: 1 of 3"
    phaser._show_copies(2, 2)
    assert capsys.readouterr().out.strip() == "Copies found: 2 of 2"


def test_ligands_waters_and_further_models_are_not_searched(tmp_path: Path) -> None:
    protein = [_atom(number, "CA", "", "ALA", number, 1.0) for number in range(1, 25)]
    ligand = [_atom(40 + number, f"C{number}", "", "35S", 101, 1.0).replace("ATOM  ", "HETATM") for number in range(1, 9)]
    water = [_atom(60, "O", "", "HOH", 201, 1.0, "O").replace("ATOM  ", "HETATM")]
    methionine = [_atom(70 + at, name, "", "MSE", 25, 1.0, name[0]).replace("ATOM  ", "HETATM")
                  for at, name in enumerate(("N", "CA", "C", "O"))]
    body = protein + methionine + ligand + water
    path = tmp_path / "bundle.pdb"
    path.write_text("\n".join(["MODEL        1", *body, "ENDMDL", "MODEL        2", *body, "ENDMDL", "END"]) + "\n")
    found = SearchModel(path)
    assert found.residues == 25 and len(found.elements) == 28
    assert {group.resname for group in found.hierarchy.atom_groups()} == {"ALA", "MSE"}
    assert found.notes == ["2 models (an NMR bundle or an ensemble): the first one is searched and placed",
                           "1 waters and 0 hydrogen atoms are left out", "hetero groups are left out: 35S"]
