"""What a model came with, whether it stays, and that it is said."""

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

import gemmi

from open_phenix.simulated import helix
from open_phenix.xray import model_content
from open_phenix.xray.model_content import Content, Data

GOOD = Data(1.60, 21135)
RICH = Content(heavy=790, anisotropic=790, hydrogens=0, alternative=92)


def test_the_atoms_are_counted() -> None:
    structure = helix.structure(["ACDE"], (0.0, 0.0, 0.0), 80.0)
    atoms = [site.atom for site in structure[0].all()]
    atoms[0].aniso = gemmi.SMat33f(0.2, 0.3, 0.2, 0, 0, 0)
    atoms[1].altloc = "A"
    atoms[-1].element = gemmi.Element("H")
    assert model_content.look_at(structure) == Content(len(atoms) - 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("content", "data", "kept", "reason"),
    [
        (RICH, GOOD, True, "790 of 790 atoms came with anisotropic B values: kept"),
        (RICH, Data(1.80, 21135), False, "made isotropic, as data to 1.80 A do not determine them"),
        (Content(47, 47, 0, 0), Data(1.66, 441), False, "made isotropic, as 441 reflections do not determine 9 parameters"),
        (Content(790, 100, 0, 0), GOOD, False, "made isotropic, as most of the model is"),
        (Content(790, 700, 0, 0), GOOD, True, "the other 90 are made anisotropic too"),
    ],
)
def test_anisotropic_atoms_stay_where_the_data_carry_them(content: Content, data: Data, kept: bool, reason: str) -> None:
    assert model_content.keeps_anisotropic(content, data) is kept
    assert reason in model_content.notes(content, data, kept)[0]


def test_what_is_changed_on_request_is_said_so() -> None:
    assert "made isotropic, as asked" in model_content.notes(RICH, GOOD, anisotropic=False)[0]
    told = model_content.notes(Content(790, 0, 600, 92), GOOD, anisotropic=False)
    assert told[0].startswith("600 hydrogens came with the model: made again") and "92 atoms stand in alternative" in told[1]
    assert model_content.notes(Content(790, 0, 0, 0), GOOD, anisotropic=False) == []
