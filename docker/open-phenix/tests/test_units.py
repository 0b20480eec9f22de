"""Small parts of the X-ray programs."""

from pathlib import Path

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

import gemmi
from cctbx import sgtbx

from open_phenix.core import environment
from open_phenix.core.errors import Sorry
from open_phenix.mr.packing import clash_fraction
from open_phenix.mr.rotation import even_rotations
from open_phenix.xray import models, twinning, waters
from open_phenix.xray.reflections import full_label


class _Array:
    def __init__(self, text: str):
        self.text = text

    def info(self) -> "_Array":
        return self

    def label_string(self) -> str:
        return self.text


@pytest.mark.parametrize(
    ("text", "full"), [("I", "I,SIGI"), ("FP", "FP,SIGFP"), ("FP,SIGFP", "FP,SIGFP"), ("SIG", "SIG"), (None, None)]
)
def test_the_main_label_means_the_array(text: "str | None", full: "str | None") -> None:
    assert full_label([_Array("FP,SIGFP"), _Array("I,SIGI"), _Array("FREE")], text) == full


def test_twin_operators_equal_by_symmetry() -> None:
    p43 = sgtbx.space_group_info("P43").group()
    assert twinning.require("h,-k,-l", ["h,k,l", "-h,k,-l"], p43) == "-h,k,-l"
    with pytest.raises(Sorry, match="not among those possible"):
        twinning.require("k,h,l", ["h,k,l", "-h,-k,l"], sgtbx.space_group_info("P31").group())
    with pytest.raises(Sorry, match="not an operator"):
        twinning.check_operator("nonsense")


def test_dictionary_code_comes_from_the_contents(tmp_path: Path) -> None:
    path = tmp_path / "wrong_name.cif"
    path.write_text("data_comp_ABC\nloop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\nABC C1\nABC C2\n")
    assert models.codes_in_dictionary(path) == ["ABC"]


def test_unknown_residue_is_named() -> None:
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model(1))
    chain = gemmi.Chain("B")
    residue = gemmi.Residue()
    residue.name, residue.seqid = "QZ1", gemmi.SeqId(301, " ")
    chain.add_residue(residue)
    structure[0].add_chain(chain)
    assert models.without_dictionary(structure, []) == {"QZ1": "B 301"}


def test_hydrogens_do_not_keep_waters_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    structure = gemmi.make_structure_from_chemcomp_block(_serine())
    shown: list[bool] = []

    def run(_job: str, arguments: "dict[str, str]", _log: Path) -> "list[list[float]]":
        shown.append(gemmi.read_structure(arguments["model"])[0].has_hydrogen())
        return []

    monkeypatch.setattr(waters.coot, "run", run)
    assert structure[0].has_hydrogen()
    assert waters.add(structure, tmp_path / "x.mtz", [], tmp_path) == 0
    assert shown == [False] and structure[0].has_hydrogen()


def _serine() -> gemmi.cif.Block:
    library = environment.monomer_library()
    assert library is not None
    return gemmi.cif.read(str(library / "s" / "SER.cif"))[-1]


def test_rotations_are_even_and_deterministic() -> None:
    first, second = even_rotations(500), even_rotations(500)
    assert (first.as_quat() == second.as_quat()).all()
    assert abs(first.as_matrix().mean(0)).max() < 0.05


def test_packing_sees_a_copy_on_top_of_another() -> None:
    from cctbx import crystal
    import numpy

    symmetry = crystal.symmetry((50, 50, 50, 90, 90, 90), "P1")
    trace = numpy.array([[3.8 * i, 0.0, 0.0] for i in range(8)])
    assert clash_fraction(symmetry, [trace]) == 0
    assert clash_fraction(symmetry, [trace, trace + 0.5]) == 1
