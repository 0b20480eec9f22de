"""Which map is the full map, which are the half maps: told by flags and names, no program runs."""

from pathlib import Path

import pytest

from open_phenix.core.arguments import parse
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import CCTBX, ProgramSpec
from open_phenix.cryoem.map_roles import is_half_map, map_files, map_slots

SPEC = ProgramSpec(name="phenix.test", purpose="", engine=CCTBX, files=map_slots())


def _files(tmp_path: Path, *names: str) -> "list[str]":
    for name in names:
        (tmp_path / name).write_bytes(b"")
    return [str(tmp_path / name) for name in names]


def test_flags_decide(tmp_path: Path) -> None:
    full, one, two = _files(tmp_path, "m.ccp4", "x.ccp4", "y.ccp4")
    found = map_files(parse(SPEC, [f"full_map={full}", f"half_map={one}", f"half_map={two}"]))
    assert (str(found.full), [str(p) for p in found.halves or ()]) == (full, [one, two])


@pytest.mark.parametrize("names", [("half_map_1.ccp4", "half_map_2.ccp4"), ("emd_1.map", "emd_2.map"), ("a_a.mrc", "a_b.mrc")])
def test_names_of_half_maps(tmp_path: Path, names: "tuple[str, str]") -> None:
    found = map_files(parse(SPEC, _files(tmp_path, *names, "full.mrc")))
    assert [p.name for p in found.halves or ()] == list(names)
    assert found.full is not None and found.full.name == "full.mrc"


def test_a_sharpened_map_is_no_half_map() -> None:
    assert not is_half_map(Path("half_map_1_sharpened.ccp4"), [])


def test_a_lone_half_map_is_taken_as_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = map_files(parse(SPEC, _files(tmp_path, "half_map_1.ccp4")))
    assert found.full is not None and found.halves is None
    assert "taken as the full map" in capsys.readouterr().out


@pytest.mark.parametrize("names", [("p.mrc", "q.mrc"), ("half_1.mrc", "half_2.mrc", "half_3.mrc"), ("half_1.mrc", "full.mrc")])
def test_what_cannot_be_sorted_is_an_error(tmp_path: Path, names: "tuple[str, ...]") -> None:
    with pytest.raises(Sorry):
        map_files(parse(SPEC, _files(tmp_path, *names)))


def test_the_same_half_map_twice_is_an_error(tmp_path: Path) -> None:
    (path,) = _files(tmp_path, "h.mrc")
    with pytest.raises(Sorry, match="same file"):
        map_files(parse(SPEC, [f"half_map={path}", f"half_map={path}"]))
