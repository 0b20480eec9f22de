"""A column named as free flags that marks no test set is never passed over in silence."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

from cctbx import crystal, miller
from cctbx.array_family import flex

from open_phenix.core.errors import is_sorry
from open_phenix.xray import f_model, refinement_data
from open_phenix.xray.reflections import ReflectionFile


def _file(path: Path, columns: "dict[str, list[int]]") -> ReflectionFile:
    """About 1000 amplitudes of P1, with columns of integers whose values repeat as given."""
    symmetry = crystal.symmetry((20, 22, 24, 80, 85, 95), "P1")
    indices = miller.build_set(symmetry, anomalous_flag=False, d_min=2.2)
    amplitudes = indices.array(data=flex.double(range(10, 10 + indices.size())), sigmas=flex.double(indices.size(), 1.0))
    mtz = amplitudes.set_observation_type_xray_amplitude().as_mtz_dataset(column_root_label="F")
    for label, values in columns.items():
        data = flex.int([values[number % len(values)] for number in range(indices.size())])
        mtz.add_miller_array(indices.array(data=data), column_root_label=label, column_types="I")
    mtz.mtz_object().write(str(path))
    return ReflectionFile(path)


def _prepared(source: ReflectionFile) -> Any:
    return refinement_data.prepare(source, None, None, None, generate=True)


def test_flags_of_one_value_are_replaced_with_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = _prepared(_file(tmp_path / "ones.mtz", {"FreeR_flag": [1]}))
    told = capsys.readouterr().out
    assert "WARNING: the column FreeR_flag (all " in told and "values are 1)" in told
    assert "another test set is made in its place" in told and "generated here" in data.flags_origin


def test_good_flags_and_none_at_all_need_no_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "generated here" in _prepared(_file(tmp_path / "none.mtz", {})).flags_origin
    assert "FreeR_flag" in _prepared(_file(tmp_path / "good.mtz", {"FreeR_flag": [0, *range(1, 20)]})).flags_origin
    assert "WARNING" not in capsys.readouterr().out


def test_two_good_sets_are_asked_about_and_not_replaced(tmp_path: Path) -> None:
    source = _file(tmp_path / "two.mtz", {"FreeR_flag": [1, *[0] * 19], "R-free-flags": [*[0] * 10, 1, *[0] * 9]})
    with pytest.raises(Exception, match="Multiple equally suitable arrays of R-free flags found") as problem:
        _prepared(source)
    assert is_sorry(problem.value)


def test_without_a_test_set_the_reason_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert f_model.free_flags_or_none(_file(tmp_path / "ones.mtz", {"FREE": [1]})) == (None, None)
    assert "WARNING: the column FREE (all " in capsys.readouterr().out


def test_flags_of_a_file_of_their_own_are_used_and_none_are_made(tmp_path: Path) -> None:
    _file(tmp_path / "data.mtz", {})
    _file(tmp_path / "flags.mtz", {"FreeR_flag": [0, *range(1, 20)]})
    source = ReflectionFile(tmp_path / "data.mtz", flags_path=tmp_path / "flags.mtz")
    data = refinement_data.prepare(source, None, "FreeR_flag", None, generate=False)
    assert "FreeR_flag" in data.flags_origin and 0.04 < data.test_fraction < 0.06
