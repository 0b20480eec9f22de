"""A second component is found in the difference map of the first one, and the likelihood knows right from wrong."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

import numpy as np
from cctbx import crystal, miller
from cctbx.array_family import flex
from scipy.spatial.transform import Rotation

from open_phenix.mr.phased import PhasedSearch
from open_phenix.mr.placement import Placed, Placement
from open_phenix.mr.search_model import SearchModel
from open_phenix.mr.transform import Transform


def _cloud(path: Path, residues: int, seed: int) -> SearchModel:
    """Atoms at random in a ball, as many in a volume as in a protein."""
    generator = np.random.default_rng(seed)
    sites = generator.normal(size=(residues * 3, 3))
    radius = (3 * residues * 3 * 20 / (4 * np.pi)) ** (1 / 3)  # A; 20 A^3 an atom
    sites *= (radius * generator.uniform(size=(len(sites), 1)) ** (1 / 3)) / np.linalg.norm(sites, axis=1, keepdims=True)
    lines = [f"ATOM  {at + 1:5d}  {('N', 'CA', 'C')[at % 3]:<3s} GLY A{at // 3 + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}{1:6.2f}{20:6.2f}"
             f"          {('N', 'C', 'C')[at % 3]:>2s}" for at, (x, y, z) in enumerate(sites)]
    path.write_text("\n".join(lines) + "\nEND\n")
    return SearchModel(path)


@pytest.fixture(scope="module")
def crystal_of_two(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Data of two components in P 21 21 21, the larger one as placed, the smaller model, and how it stands."""
    folder = tmp_path_factory.mktemp("two")
    large, small = _cloud(folder / "large.pdb", 60, 1), _cloud(folder / "small.pdb", 40, 2)
    symmetry = crystal.symmetry((42, 46, 38, 90, 90, 90), "P 21 21 21")
    turned = Rotation.from_rotvec((0.9, -0.4, 1.3))
    at_large, at_small = large.xyz + np.array([9.0, 11.0, 8.0]), turned.apply(small.xyz) + np.array([28.0, 17.0, 27.0])
    indices = miller.build_set(symmetry, anomalous_flag=False, d_min=4.0)
    total = sum(
        indices.structure_factors_from_scatterers(model.structure(symmetry, xyz), algorithm="direct").f_calc().data()
        .as_numpy_array() for model, xyz in ((large, at_large), (small, at_small))
    )
    noisy = np.abs(total) * np.random.default_rng(3).normal(1, 0.1, len(total))
    data = indices.array(data=flex.double(np.ascontiguousarray(np.abs(noisy)))).set_observation_type_xray_amplitude()
    return data, Placed(large, at_large), small, turned, at_small


def test_the_rest_is_found_in_the_difference_map(crystal_of_two: Any) -> None:
    data, placed, small, turned, at_small = crystal_of_two
    placement = Placement(data, data, [placed])
    best, *others = PhasedSearch(placement.search, placement.calculated(placement.search), small).best(3, rotations=3000)
    symmetry = Rotation.from_matrix([np.diag(signs) for signs in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))])
    assert np.degrees((symmetry * best.rotation * turned.inv()).magnitude().min()) < 8
    assert best.in_map and all(best.z > other.z + 1 for other in others)
    candidates = placement.candidates(small, [best, *others], lambda _done: None)
    found, second, *_rest = sorted(candidates, key=lambda candidate: -candidate.llg)
    assert placement._are_one(found, Placed(small, at_small)) and not placement._are_one(second, found)
    assert found.llg > placement.gain() + 60 and second.llg < found.llg / 2


def test_the_gain_of_a_wrong_placement_is_small(crystal_of_two: Any) -> None:
    data, placed, _small, _turned, _at = crystal_of_two
    transform = Transform(data)
    right = transform.likelihood.gain(transform.crystal(placed.model, placed.xyz))
    wrong = transform.likelihood.gain(transform.crystal(placed.model, Rotation.from_rotvec((1, 1, 0)).apply(placed.xyz)))
    assert right > 100 and wrong < right / 5


def test_b_values_of_a_model_do_not_count(crystal_of_two: Any) -> None:
    data, placed, *_rest = crystal_of_two
    transform = Transform(data)
    before = transform.correlation(transform.crystal(placed.model, placed.xyz))
    placed.model.b[:] = 70.0
    after = Transform(data)
    assert abs(after.correlation(after.crystal(placed.model, placed.xyz)) - before) < 0.01
    placed.model.b[:] = 20.0
