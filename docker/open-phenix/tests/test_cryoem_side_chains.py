"""Side chains that refinement cannot straighten."""

import pytest

gemmi = pytest.importorskip("gemmi", reason="gemmi is not installed")
pytest.importorskip("scitbx", reason="cctbx is not installed")

from open_phenix.cryoem import side_chains  # noqa: E402
from open_phenix.xray import geometry  # noqa: E402

# Glutamate 54 of RNase Sa, shaken by 0.8 A, as Servalcat left it: both oxygens are folded back onto CG.
CAUGHT = """\
ATOM    404  N   GLU A  54      26.965  24.741  32.933  1.00 39.38           N
ATOM    405  CA  GLU A  54      27.791  25.908  32.659  1.00 40.84           C
ATOM    406  C   GLU A  54      29.247  25.474  32.495  1.00 39.22           C
ATOM    407  O   GLU A  54      29.704  24.567  33.186  1.00 39.87           O
ATOM    408  CB  GLU A  54      27.557  26.926  33.780  1.00 43.10           C
ATOM    409  CG  GLU A  54      28.483  28.148  33.785  1.00 45.13           C
ATOM    410  CD  GLU A  54      29.741  28.080  34.666  1.00 47.10           C
ATOM    411  OE1 GLU A  54      28.759  28.108  35.438  1.00 47.83           O
ATOM    412  OE2 GLU A  54      30.092  28.172  33.475  1.00 48.94           O
"""
# The same residue of the deposited model.
DEPOSITED = {"CD": (29.390, 28.139, 34.528), "OE1": (30.501, 28.335, 34.002), "OE2": (29.232, 27.788, 35.735)}


def _angles(structure: "gemmi.Structure") -> float:
    found = geometry.deviations(structure, []).angles
    assert found is not None
    return found


def test_a_carboxylate_that_is_turned_inside_out_is_rebuilt_where_it_belongs() -> None:
    structure = gemmi.read_pdb_string(CAUGHT)
    assert _angles(structure) > 15
    assert side_chains.straighten(structure, []) == ["A 54 GLU"]
    assert _angles(structure) < 3
    residue = structure[0]["A"][0]
    oxygens = [residue[name][0].pos for name in ("OE1", "OE2")]
    for name, place in DEPOSITED.items():
        near = oxygens if name.startswith("O") else [residue[name][0].pos]
        assert min(position.dist(gemmi.Position(*place)) for position in near) < 0.7
    assert side_chains.straighten(structure, []) == []


def test_a_residue_with_alternatives_or_a_backbone_of_the_other_hand_stays() -> None:
    alternative = gemmi.read_pdb_string(CAUGHT.replace("OE2 GLU", "OE2AGLU"))
    assert side_chains.straighten(alternative, []) == []
    mirrored = gemmi.read_pdb_string(CAUGHT)
    for atom in mirrored[0]["A"][0]:
        atom.pos = gemmi.Position(-atom.pos.x, atom.pos.y, atom.pos.z)
    assert side_chains.straighten(mirrored, []) == []
