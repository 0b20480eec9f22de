"""Restraints of components: from the component dictionary, SMILES or a bare CIF file, kept, and what happens where there are none."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

gemmi = pytest.importorskip("gemmi", reason="gemmi is not installed in this Python (run install.sh)")
pytest.importorskip("acedrg", reason="AceDRG is not installed in this Python (run install.sh)")

from open_phenix.core import environment
from open_phenix.core.errors import Sorry
from open_phenix.restraints import acedrg, cache, common, components, for_model
from open_phenix.xray import models, waters

_GLYCEROL = ["data_GOL", "loop_", "_chem_comp_atom.comp_id", "_chem_comp_atom.atom_id", "_chem_comp_atom.type_symbol",
             "GOL C1 C", "GOL C2 C", "GOL O1 O", "loop_", "_chem_comp_bond.comp_id", "_chem_comp_bond.atom_id_1",
             "_chem_comp_bond.atom_id_2", "_chem_comp_bond.value_order", "GOL C1 C2 SING", "GOL C2 O1 SING"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in a working folder of its own."""
    monkeypatch.setenv(cache.SETTING, str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "kept"


def _model(*atoms: tuple[str, str, str, float]) -> "gemmi.Structure":
    """Atoms (residue, name, element, x), each residue type once."""
    lines = ["CRYST1   50.000   50.000   50.000  90.00  90.00  90.00 P 1"]
    for number, (residue, name, element, x) in enumerate(atoms, start=1):
        place = 1 + [one[0] for one in atoms].index(residue)
        lines.append(f"HETATM{number:5d}  {name:<3s} {residue:>3s} B{place:4d}    {x:8.3f}{0:8.3f}{0:8.3f}{1:6.2f}{20:6.2f}"
                     f"          {element:>2s}")
    structure = gemmi.read_pdb_string("\n".join(lines) + "\nEND\n")
    structure.setup_entities()
    return structure


def test_the_component_dictionary_knows_atoms_bonds_and_coordinates() -> None:
    found = components.of_dictionary("NDG")
    assert len(found.atoms) == 30 and found.atoms["O5"] == "O" and found.has_coordinates
    assert (("C1", "C"), ("O5", "O")) in found.bonds
    with pytest.raises(Sorry, match="QQQQQ is not in the Chemical Component Dictionary"):
        components.of_dictionary("QQQQQ")
    with pytest.raises(Sorry, match="not a component code"):
        components.checked_code("../X")


def test_equal_smiles_are_one_component() -> None:
    first, second = components.of_smiles("OCC", "LIG"), components.of_smiles("C(C)O", "LIG")
    assert (first.text, first.key) == ("CCO", second.key)
    assert components.of_smiles("OCC", "DRG").key != first.key
    with pytest.raises(Sorry, match=r"RDKit cannot read the SMILES of LIG: C1CC\("):
        components.of_smiles("C1CC(", "LIG")
    with pytest.raises(Sorry, match="several molecules"):
        components.of_smiles("CCO.[Na+]", "LIG")


def test_an_ion_needs_no_acedrg_and_is_kept(folder: Path) -> None:
    made = cache.get(components.of_dictionary("SR"))
    assert made.seconds is not None and made.path.parent == folder
    assert acedrg.has_targets(made.path, "SR")
    again = cache.get(components.of_dictionary("SR"))
    assert (again.path, again.seconds) == (made.path, None)
    assert models.without_dictionary(_model(("SR", "SR", "SR", 0.0)), [made.path]) == {}


def test_a_folder_that_cannot_be_written_is_replaced_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.SETTING, str(tmp_path / "file" / "below"))
    assert cache.folder() == tmp_path / ".open-phenix-monomers"
    assert "cannot be written" in capsys.readouterr().out


def test_a_failed_component_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Path:
        raise Sorry("AceDRG made no restraints")

    monkeypatch.setattr(acedrg, "make", fail)
    with pytest.raises(Sorry):
        cache.get(components.of_dictionary("NDG"))
    assert not list(folder.glob("*.cif"))


def test_a_code_that_means_something_else_in_the_model_is_not_taken(capsys: pytest.CaptureFixture[str]) -> None:
    structure = _model(("LIG", "C99", "C", 0.0), ("LIG", "S77", "S", 3.0))
    found = for_model.find(structure, [])
    assert "C99, S77 (B 1) are not those of LIG" in found.missing["LIG"]
    assert "WARNING: no restraints for LIG" in capsys.readouterr().out


def test_what_has_no_restraints_is_kept_beside(tmp_path: Path) -> None:
    structure = _model(("SR", "SR", "SR", 0.0), ("QQQ", "C1", "C", 9.0), ("HOH", "O", "O", 10.0), ("DOD", "O", "O", 20.0))
    found = for_model.Restraints([], {"QQQ": "unknown"})
    refined, beside = found.refined_part(structure), found.residues_of(structure)
    assert "QQQ" not in models.residue_codes(refined) and [name for name, _ in beside] == ["B"]
    assert len(waters.remove_at(refined, beside)) == 1 and models.count_waters(refined) == 1
    refined.write_pdb("refined.pdb")
    for_model.put_back(Path("refined.pdb"), beside)
    assert models.residue_codes(models.read(Path("refined.pdb")))["QQQ"] == "B 2"


def test_an_older_atom_name_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ring oxygen of NDG was called O once (PDB 2H6O has it so)."""
    names = components.of_dictionary("NDG")
    monkeypatch.setattr(cache, "get", lambda component: cache.Kept(Path("made.cif"), None))
    structure = _model(("NDG", "C1", "C", 0.0), ("NDG", "O", "O", 1.4), ("NDG", "C5", "C", 2.8))
    found = for_model.find(structure, [])
    assert found.names == {"NDG": {"O": "O5"}} and not found.missing and "O5" in names.atoms
    assert [site.atom.name for site in found.refined_part(structure)[0].all()] == ["C1", "O5", "C5"]


def test_a_file_without_ideal_values_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bare.cif"
    path.write_text("\n".join(_GLYCEROL) + "\n")
    given: list[components.Component] = []
    monkeypatch.setattr(cache, "get", lambda component: given.append(component) or cache.Kept(tmp_path / "made.cif", 1.0))
    assert for_model.complete([path]).dictionaries == [tmp_path / "made.cif"]
    assert given[0].atoms == {"C1": "C", "C2": "C", "O1": "O"} and not given[0].has_coordinates
    renamed = components.of_file(path, "GOL", "XYZ")
    assert renamed.block.find_value("_chem_comp.id") == "XYZ" and renamed.key != given[0].key


def test_common_components_are_those_that_the_library_lacks() -> None:
    library = environment.monomer_library()
    assert library is not None and len(set(common.COMMON)) == len(common.COMMON) >= 100
    assert [code for code in common.COMMON if (library / code[0].lower() / f"{code}.cif").is_file()] == []


@pytest.mark.parametrize("arguments", [[], ["--chemical_component=NDG", "--smiles=CCO"], ["--smiles=CCO", "--output=../X"]])
def test_elbow_wants_one_source_and_a_plain_name(
    command: Callable[..., "subprocess.CompletedProcess[str]"], arguments: list[str]
) -> None:
    done = command("phenix.elbow", *arguments)
    assert done.returncode == 1 and "Sorry: " in done.stdout


@pytest.mark.slow
def test_elbow_makes_restraints_of_smiles(command: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path) -> None:
    (tmp_path / "compound.smi").write_text("CC(=O)N acetamide\n")
    done = command("phenix.elbow", "--smiles=compound.smi", "--id=LIG", "--output=made")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\nComponent: LIG\n" in done.stdout and "\nNumber of atoms (non-hydrogen): 4\n" in done.stdout
    assert done.stdout.splitlines()[-1] == "Restraints written for LIG"
    assert acedrg.has_targets(tmp_path / "made.cif", "LIG")
    assert models.codes_in_dictionary(tmp_path / "made.cif") == ["LIG"]
    assert list(models.residue_codes(models.read(tmp_path / "made.pdb"))) == ["LIG"]
