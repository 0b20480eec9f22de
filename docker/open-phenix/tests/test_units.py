"""Small parts of the X-ray programs."""

from pathlib import Path

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

import gemmi
import numpy
from cctbx import sgtbx

from open_phenix.core import environment
from open_phenix.core.errors import Sorry
from open_phenix.mr.packing import clash_fraction
from open_phenix.mr.rotation import even_rotations
from open_phenix.xray import models, start_model, twinning, waters
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


def _serine_in_a_box(folder: Path, water_at: gemmi.Position, height: float) -> "tuple[gemmi.Structure, Path]":
    """Serine in P1, and maps in which one water is missing: DELFWT shows it alone, FWT shows it beside the model."""
    structure = gemmi.make_structure_from_chemcomp_block(_serine())
    structure.cell, structure.spacegroup_hm = gemmi.UnitCell(20, 20, 20, 90, 90, 90), "P 1"
    for site in structure[0].all():
        site.atom.pos += gemmi.Position(10, 10, 10)
    maps = []
    for with_model in (False, True):
        density = gemmi.FloatGrid(60, 60, 60)
        density.set_unit_cell(structure.cell)
        density.spacegroup = gemmi.SpaceGroup("P 1")
        sites = [(water_at, height)]
        sites += [(site.atom.pos, 8.0) for site in structure[0].all() if not site.atom.is_hydrogen()] if with_model else []
        for position, level in sites:
            density.set_points_around(position, radius=0.8, value=level)
        maps.append(gemmi.transform_map_to_f_phi(density, half_l=True).prepare_asu_data(dmin=1.5))
    target = gemmi.Mtz(with_base=True)
    target.spacegroup, target.cell = gemmi.SpaceGroup("P 1"), structure.cell
    target.set_cell_for_all(structure.cell)
    target.add_dataset("maps")
    for label, kind in (("DELFWT", "F"), ("PHDELWT", "P"), ("FWT", "F"), ("PHWT", "P")):
        target.add_column(label, kind)
    values = [column for data in maps for column in (numpy.abs(data.value_array), numpy.angle(data.value_array, deg=True))]
    target.set_data(numpy.column_stack([maps[0].miller_array, *values]).astype(numpy.float32))
    target.write_to_file(str(folder / "maps.mtz"))
    return structure, folder / "maps.mtz"


@pytest.mark.parametrize(
    ("distance", "height", "added"),
    [(2.8, 5.0, 1), (2.0, 5.0, 0), (4.5, 5.0, 0), (2.8, -5.0, 0)],
    ids=["hydrogen bond", "too close", "too far", "negative peak"],
)
def test_waters_stand_at_difference_peaks_within_hydrogen_bond_distance(
    distance: float, height: float, added: int, tmp_path: Path
) -> None:
    """The hydrogen of the donor does not keep the water away that it points to."""
    oxygen = gemmi.make_structure_from_chemcomp_block(_serine())[0][0][0]["OG"][0].pos + gemmi.Position(10, 10, 10)
    hydrogen = gemmi.make_structure_from_chemcomp_block(_serine())[0][0][0]["HG"][0].pos + gemmi.Position(10, 10, 10)
    towards = hydrogen - oxygen
    water = oxygen + towards * (distance / towards.length())
    structure, mtz = _serine_in_a_box(tmp_path, water, height)
    assert waters.add(structure, mtz, tmp_path) == added
    assert models.count_waters(structure) == added and structure[0].has_hydrogen()
    if added:
        found = next(site.atom for site in structure[0].all() if site.residue.is_water())
        assert found.pos.dist(water) < 0.2


def test_a_start_model_is_shaken_by_a_mean_distance_the_same_each_time_and_forgets_its_b_values() -> None:
    given, moved, again = (gemmi.make_structure_from_chemcomp_block(_serine()) for _ in range(3))
    said = start_model.modify(moved, 0.3, 21.5)
    start_model.modify(again, 0.3, 21.5)
    atoms = list(zip(*([site.atom for site in structure[0].all()] for structure in (given, moved, again))))
    distances = [one.pos.dist(other.pos) for one, other, _ in atoms]
    assert sum(distances) / len(distances) == pytest.approx(0.3, abs=1e-3) and min(distances) > 0
    assert all(other.pos.dist(third.pos) == 0 and other.b_iso == 21.5 for _, other, third in atoms)
    assert said == ["coordinates shaken by 0.3 A on average", "all B values set to 21.5 A2"]
    assert start_model.modify(given, None, None) == [] == start_model.modify(given, 0.0, None)


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
