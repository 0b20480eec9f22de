"""Several components and several space groups: what is searched in which order, what is kept, and what is said of the rest."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

import gemmi
import numpy as np
from cctbx import crystal, miller, sgtbx
from cctbx.array_family import flex
from scipy.spatial.transform import Rotation
from glycine_model import glycine_model

from open_phenix.mr import components, output_files, search, space_groups
from open_phenix.mr.packing import clash_fraction
from open_phenix.mr.placement import Placed, Placement
from open_phenix.mr.rotation import Orientation, RotationFunction
from open_phenix.mr.search import Search
from open_phenix.mr.search_model import SearchModel
from open_phenix.mr.transform import Transform
from open_phenix.programs import phaser
from open_phenix.xray.reflections import ReflectionFile

OWN, OTHER = sgtbx.space_group_info("P 61 2 2"), sgtbx.space_group_info("P 65 2 2")


def _reflections(group: str, size: float = 40.0) -> Any:
    symmetry = crystal.symmetry(None, group)
    cell = symmetry.space_group_info().any_compatible_unit_cell(volume=size**3)
    full = miller.build_set(crystal.symmetry(cell, group), anomalous_flag=False, d_min=5.0)
    values = np.random.default_rng(1).gamma(1.0, 100.0, size=full.size())
    return full.array(data=flex.double(values)).set_observation_type_xray_amplitude()


@pytest.mark.parametrize("group", ["P 1", "C 1 2 1", "P 65 2 2", "I 2 2 2", "P 43 21 2"])
def test_factors_by_phase_shift_are_those_of_cctbx(group: str, tmp_path: Path) -> None:
    data, model = _reflections(group), SearchModel(glycine_model(tmp_path / "m.pdb", 10))
    transform = Transform(data)
    shift = np.array([0.11, 0.23, 0.37])
    moved = model.xyz + np.array(data.unit_cell().orthogonalize(tuple(shift)))
    structure = model.structure(data.crystal_symmetry(), moved)
    expected = data.structure_factors_from_scatterers(structure, algorithm="direct").f_calc().data().as_numpy_array()
    for found in (transform.shifted(transform.parts(transform.plain_p1(model, model.xyz)), shift), transform.plain_crystal(model, moved)):
        assert np.abs(found - expected).max() < 0.02 * np.abs(expected).max()


def test_rotations_that_symmetry_repeats_are_scored_once(tmp_path: Path) -> None:
    from open_phenix.mr.rotation import even_rotations

    function = RotationFunction(_reflections("P 65 2 2"), SearchModel(glycine_model(tmp_path / "m.pdb", 10)))
    every = even_rotations(6000)
    kept = function._asymmetric(every)
    assert 400 < len(kept) < 600  # a twelfth


@pytest.mark.parametrize(
    ("group", "select", "expected"),
    [
        ("P 61 2 2", "none", []),
        ("P 61 2 2", "hand", ["P 65 2 2"]),
        ("P 41 21 2", "hand", ["P 43 21 2"]),
        ("P 21 21 21", "hand", []),
        ("P 1 21 1", "all", ["P 1 2 1"]),
        ("P 21 21 21", "all", ["P 2 2 2", "P 2 2 21", "P 21 2 2", "P 2 21 2", "P 21 21 2", "P 2 21 21", "P 21 2 21"]),
        ("I 2 2 2", "all", ["I 21 21 21"]),
        ("C 1 2 1", "all", []),
        ("P 61 2 2", "all", ["P 6 2 2", "P 65 2 2", "P 62 2 2", "P 64 2 2", "P 63 2 2"]),
    ],
)
def test_groups_to_try(group: str, select: str, expected: "list[str]") -> None:
    found = space_groups.alternatives(sgtbx.space_group_info(group), select)
    assert {str(info) for info in found} == set(expected) and len(found) == len(expected)


def test_a_small_component_inside_a_large_one_is_a_clash() -> None:
    symmetry = crystal.symmetry((200, 200, 200, 90, 90, 90), "P 21 21 21")
    large = np.random.default_rng(1).uniform(0, 30, size=(300, 3)) + 20
    small = large[:10] + 0.5
    assert clash_fraction(symmetry, [large, small]) == 1.0
    assert clash_fraction(symmetry, [large, small + 60]) == 0.0
    assert clash_fraction(crystal.symmetry((200, 200, 200, 90, 90, 90), "P 1 2 1"), [small * [0.02, 1, 0.02]]) > 0.5


class _Stub:
    """Stands in for a placement: finds a component only beside what it needs, with a TFZ by space group."""

    needs: "dict[str, str | None]" = {}
    tfz: "dict[str, float]" = {}
    searched: "list[tuple[str, str, int]]" = []

    def __init__(self, observed: Any, fine: Any, placed: Any = ()):
        self.group, self.placed = observed, list(placed)
        self.fine = self.search = type("Data", (), {"observed": type("Array", (), {"d_min": lambda _self: 3.0})()})()
        assert fine == observed

    def gain(self) -> float:
        return 100.0 * len(self.placed)

    def beside(self, _model: Any) -> "list[Orientation]":
        return [Orientation(9.0, Rotation.identity(), in_map=True)]

    def candidates(self, model: Any, _orientations: Any, _report: Any) -> "list[Placed]":
        name = _name_of(model)
        self.searched.append((str(self.group), name, len(self.placed)))
        need = self.needs[name]
        found = need is None or any(_name_of(copy.model) == need for copy in self.placed)
        tfz = self.tfz.get(str(self.group), 15.0) if found else 4.0
        return [Placed(model, model.xyz, 5.0, tfz, llg=100.0 * len(self.placed) + 50)]

    def beside_the_others(self, index: int) -> float:
        need = self.needs[_name_of(self.placed[index].model)]
        found = need is None or any(_name_of(copy.model) == need for copy in self.placed)
        return 20.0 + index if found and self.tfz.get(str(self.group), 15.0) > 5 else 3.0

    def sibling(self, placed: Any) -> "_Stub":
        return _Stub(self.group, self.group, placed)

    def refined(self, start: Placed) -> Placed:
        return replace(start, tfz_final=start.tfz + 1)


def _name_of(model: Any) -> str:
    return {30: "large", 25: "middle", 22: "small"}[model.residues]


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> type:
    monkeypatch.setattr(search, "Placement", _Stub)
    monkeypatch.setattr(search.Search, "_oriented", lambda *_: [])
    monkeypatch.setattr(_Stub, "needs", {"large": None, "middle": None, "small": None})
    monkeypatch.setattr(_Stub, "tfz", {})
    monkeypatch.setattr(_Stub, "searched", [])
    return _Stub


def _components(folder: Path, *names: str, copies: int = 1) -> "list[components.Component]":
    sizes = {"large": 30, "middle": 25, "small": 22}
    return components.of_files([glycine_model(folder / f"{name}.pdb", sizes[name]) for name in names], copies)


def _run(found: "list[components.Component]", *groups: Any) -> Search:
    made = Search(found, groups or [OWN], lambda group: (group, group))
    made.run()
    return made


def test_the_order_of_the_files_decides_nothing(stub: Any, tmp_path: Path) -> None:
    one = _run(_components(tmp_path, "small", "large", "middle"))
    first = list(stub.searched)
    stub.searched.clear()
    two = _run(_components(tmp_path, "middle", "small", "large"))
    assert first == stub.searched == [("P 61 2 2", "large", 0), ("P 61 2 2", "middle", 1), ("P 61 2 2", "small", 2)]
    assert [_name_of(copy.model) for copy in one.placement.placed] == [_name_of(copy.model) for copy in two.placement.placed]


def test_what_is_not_found_alone_is_tried_again_beside_what_was(stub: Any, tmp_path: Path) -> None:
    stub.needs["large"] = "small"
    made = _run(_components(tmp_path, "large", "middle", "small", copies=2))
    assert [_name_of(copy.model) for copy in made.placement.placed] == ["middle", "middle", "small", "large", "large", "small"]


def test_first_copies_that_do_not_stand_out_are_kept_while_a_second_is_searched(stub: Any, tmp_path: Path, capsys: Any) -> None:
    stub.needs["large"] = "large"
    made = _run(_components(tmp_path, "large", copies=3))
    assert [copy.tfz_final for copy in made.placement.placed] == [20.0, 21.0, 22.0]
    assert "Candidate 1 kept (LLG 50, Z 5.0), a second copy is searched beside it:" in capsys.readouterr().out


def test_a_right_second_copy_does_not_prove_a_wrong_first_one(stub: Any, tmp_path: Path) -> None:
    stub.needs["large"] = "nothing"
    made = _run(_components(tmp_path, "large", "small"))
    assert [_name_of(copy.model) for copy in made.placement.placed] == ["small"]


def test_what_is_not_placed_is_named(stub: Any, tmp_path: Path, capsys: Any) -> None:
    stub.needs["large"] = "nothing"
    made = _run(_components(tmp_path, "large", "small"))
    phaser._show_components(made)
    phaser._show_copies(len(made.placement.placed), 2)
    told = capsys.readouterr().out
    for line in ("Component large.pdb: 0 of 1 copies found", "Component small.pdb: 1 of 1 copies found, TFZ=16.0",
                 "Components placed: 1 of 2", "Copies found: 1 of 2"):
        assert f"{line}\n" in told
    assert "WARNING: 1 of the 2 copies that were asked for were not found" in told


@pytest.mark.usefixtures("stub")
def test_all_copies_are_judged_again_beside_the_others(tmp_path: Path, capsys: Any) -> None:
    made = _run(_components(tmp_path, "small", "large"))
    assert [copy.tfz_final for copy in made.placement.placed] == [20.0, 21.0] == [made.found[1].tfz, made.found[0].tfz]
    assert "copy 1 of large.pdb: translation Z 20.0, when it was found 16.0" in capsys.readouterr().out


@pytest.mark.parametrize(("shift", "same"), [((0, 0, 0), True), ((45, 45, 20), True), ((1, 0, 1), True), ((3, 0, 0), False)])
def test_the_same_place_but_for_the_lattice(shift: Any, same: bool) -> None:
    data = _reflections("C 1 2 1")
    data = data.customized_copy(crystal_symmetry=crystal.symmetry((90, 90, 20, 90, 90, 90), "C 1 2 1"))
    assert Placement(data, data)._same_place(np.array(shift, float), np.zeros(3)) is same


def test_the_first_copy_decides_on_the_space_group(stub: Any, tmp_path: Path, capsys: Any) -> None:
    stub.tfz.update({"P 61 2 2": 3.5})
    made = _run(_components(tmp_path, "large", "small"), OWN, OTHER)
    assert str(made.group) == "P 65 2 2" and made.tried == {"P 61 2 2": 4.5, "P 65 2 2": 16.0}
    assert stub.searched == [("P 61 2 2", "large", 0), ("P 65 2 2", "large", 0), ("P 65 2 2", "small", 1)]
    phaser._show_groups(made)
    told = capsys.readouterr().out.splitlines()
    tried = "Space groups tried: P 61 2 2, P 65 2 2"
    expected = [tried, "Space group P 61 2 2: best TFZ=4.5", "Space group P 65 2 2: best TFZ=16.0"]
    assert told[-3:] == expected


@pytest.mark.usefixtures("stub")
def test_a_clear_solution_in_the_group_of_the_data_ends_the_search_for_groups(tmp_path: Path, capsys: Any) -> None:
    made = _run(_components(tmp_path, "large"), OWN, OTHER)
    assert str(made.group) == "P 61 2 2" and list(made.tried) == ["P 61 2 2"]
    assert "the other space groups are not tried" in capsys.readouterr().out


def test_a_fixed_component_stays_where_it_is(stub: Any, tmp_path: Path) -> None:
    glycine_model(tmp_path / "large.pdb", 30, start=12.0)
    found = _components(tmp_path, "small") + [components.Component(tmp_path / "large.pdb", fixed=True)]
    made = _run(found)
    assert made.placement.placed[0].fixed and made.placement.placed[0].xyz[0][0] == 12.0
    assert stub.searched == [("P 61 2 2", "small", 1)]


def test_all_chains_are_in_the_model_under_names_of_their_own(tmp_path: Path) -> None:
    one, two = (SearchModel(glycine_model(tmp_path / f"{name}.pdb", 22, name)) for name in ("B", "A"))
    placed = [Placed(model, model.xyz) for model in (one, two, one, one)]
    symmetry = crystal.symmetry((90, 90, 90, 90, 90, 120), "P 65 2 2")
    names = output_files.write_model(placed, symmetry, tmp_path / "out.pdb")
    assert names == [["B"], ["A"], ["C"], ["D"]]
    written = gemmi.read_structure(str(tmp_path / "out.pdb"))
    assert [(chain.name, len(chain)) for chain in written[0]] == [("B", 22), ("A", 22), ("C", 22), ("D", 22)]
    assert written.spacegroup_hm == "P 65 2 2"


def test_more_copies_than_letters_get_two(tmp_path: Path) -> None:
    model = SearchModel(glycine_model(tmp_path / "m.pdb", 21))
    names = output_files.write_model([Placed(model, model.xyz)] * 70, crystal.symmetry((90,) * 6, "P 1"), tmp_path / "out.pdb")
    assert len({name for chain in names for name in chain}) == 70
    assert len(gemmi.read_structure(str(tmp_path / "out.pdb"))[0]) == 70


def test_data_in_the_other_hand_keep_the_free_set(tmp_path: Path) -> None:
    amplitudes = _reflections("P 61 2 2")
    amplitudes = amplitudes.customized_copy(sigmas=flex.double(amplitudes.size(), 0.1))
    data = amplitudes.as_mtz_dataset(column_root_label="F")
    flags = amplitudes.generate_r_free_flags(fraction=0.2, max_free=None)
    data.add_miller_array(flags.customized_copy(data=flags.data().as_int()), "FreeR_flag", column_types="I")
    data.mtz_object().write(str(tmp_path / "in.mtz"))
    source = ReflectionFile(tmp_path / "in.mtz")
    output_files.write_data(source, source.observed(None, "x"), OTHER, tmp_path / "out.mtz")
    before, after = (gemmi.read_mtz_file(str(tmp_path / name)) for name in ("in.mtz", "out.mtz"))
    assert after.spacegroup.hm == "P 65 2 2" and [c.label for c in after.columns] == ["H", "K", "L", "F", "SIGF", "FreeR_flag"]
    assert np.array_equal(before.array, after.array, equal_nan=True)
    assert str(ReflectionFile(tmp_path / "out.mtz").symmetry.space_group_info()) == "P 65 2 2"


def test_components_of_equal_size_are_told_by_what_is_in_them(tmp_path: Path) -> None:
    one, two = (components.Component(glycine_model(tmp_path / f"{x}.pdb", 22, start=x)) for x in (1.0, 2.0))
    assert sorted([one, two], key=lambda c: c.rank) == sorted([two, one], key=lambda c: c.rank)
