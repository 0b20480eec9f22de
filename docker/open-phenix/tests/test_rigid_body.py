"""A model of the same crystal form: into the cell of the data, its chains as rigid bodies."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

import gemmi
import numpy as np
from scipy.spatial.transform import Rotation

from open_phenix.core.errors import Sorry
from open_phenix.programs.refine import _strategy
from open_phenix.xray import refinement_data, rigid_body
from open_phenix.xray.reflections import ReflectionFile


def _structure() -> gemmi.Structure:
    """Chains A and B of three glycines each with a water of A in its own chain, and a chain W with one water beside each."""
    lines = ["CRYST1   50.000   60.000   70.000  90.00  90.00  90.00 P 21 21 21"]
    for chain, x in (("A", 10.0), ("B", 40.0)):
        for number in range(1, 4):
            for name, y in (("N", 0.0), ("CA", 1.4), ("C", 2.8), ("O", 4.0)):
                lines.append(_line("ATOM", name, "GLY", chain, number, x + 3.8 * number, y))
    lines.append(_line("HETATM", "O", "HOH", "A", 101, 12.0, 7.0))
    lines += [_line("HETATM", "O", "HOH", "W", number, x, 7.0) for number, x in ((1, 43.0), (2, 15.0))]
    structure = gemmi.read_pdb_string("\n".join(lines) + "\nEND\n")
    structure.setup_entities()
    return structure


def _line(kind: str, name: str, residue: str, chain: str, number: int, x: float, y: float) -> str:
    return (f"{kind:<6s}{1:5d}  {name:<3s} {residue} {chain}{number:4d}    {x:8.3f}{y:8.3f}{5.0:8.3f}{1:6.2f}{20:6.2f}"
            f"          {name[0]:>2s}")


def test_waters_go_with_the_chain_that_they_are_nearest_to() -> None:
    structure = _structure()
    waters = [atom.serial for chain in structure[0] for residue in chain if residue.is_water() for atom in residue]
    bodies = rigid_body.groups(structure)
    assert [len(body) for body in bodies] == [14, 13] and len(waters) == 3
    assert sorted(at for body in bodies for at in body) == list(range(27))
    assert 25 in bodies[1] and 26 in bodies[0]  # W 1 beside B, W 2 beside A


def test_a_body_keeps_its_shape_and_its_fractional_centre() -> None:
    structure = _structure()
    before, body = rigid_body._sites(structure), rigid_body.groups(structure)[1]
    shift = rigid_body.to_cell(structure, gemmi.UnitCell(51, 60, 70, 90, 90, 90))
    after = rigid_body._sites(structure)
    moved = (after - before)[body]
    assert np.allclose(moved, moved[0]) and moved[0][1:] == pytest.approx((0, 0), abs=1e-6)
    assert moved[0][0] == pytest.approx(before[body].mean(0)[0] / 50, rel=0.01)
    assert shift == pytest.approx(moved[0][0], rel=1e-6)


@pytest.mark.parametrize("text", ["tls", "individual_adp+individual_sites+group_adp", "rigid_body"])
def test_strategies_that_cannot_be_honoured_are_refused(text: str) -> None:
    with pytest.raises(Sorry):
        _strategy(text)


def test_strategies_that_can() -> None:
    assert "rigid_body" in _strategy("rigid_body+individual_sites+individual_adp")
    assert _strategy(None) == _strategy("individual_sites individual_adp") == {"individual_sites", "individual_adp"}


@pytest.mark.slow
def test_a_displaced_chain_finds_back(data: Path, capsys: Any) -> None:
    structure = gemmi.read_structure(str(data / "rnase_sa/rnase_sa_tutorial_start.pdb"))
    structure.setup_entities()
    right = rigid_body._sites(structure)
    body = rigid_body.groups(structure)[0]
    displaced = right.copy()
    centre = right[body].mean(0)
    displaced[body] = Rotation.from_rotvec((0.0, 0.03, 0.02)).apply(right[body] - centre) + centre + (0.5, -0.4, 0.3)
    rigid_body._set_sites(structure, displaced)
    source = ReflectionFile(data / "rnase_sa/rnase_sa.mtz")
    prepared = refinement_data.prepare(source, None, None, None, False)
    rigid_body.refine(structure, prepared.amplitudes, prepared.is_test)
    assert np.linalg.norm(displaced - right, axis=1)[body].mean() > 0.7
    assert np.linalg.norm(rigid_body._sites(structure) - right, axis=1)[body].mean() < 0.2
    assert "2 rigid bodies, 15.0 - 3.5 A: R-work" in capsys.readouterr().out
