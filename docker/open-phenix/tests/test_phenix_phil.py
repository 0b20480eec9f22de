"""Parameters of the knowledge exist in PHENIX's own parameter files, as far as cctbx holds them, under the rule by which PHENIX finds them."""

import importlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from libtbx.phil.command_line import argument_interpreter

yaml = pytest.importorskip("yaml")
PROGRAMS = Path(__file__).resolve().parents[3] / "knowledge" / "programs"


def _program(name: str) -> str:
    """PHIL of a program with PHENIX's program template, its data manager's included."""
    from iotbx.cli_parser import CCTBXParser

    parser = CCTBXParser(program_class=importlib.import_module(f"mmtbx.programs.{name}").Program, logger=io.StringIO())
    texts = (parser.master_phil, parser.data_manager.master_phil)
    return "\n".join(scope.as_str(attributes_level=2) for scope in texts)


def _xtriage() -> str:
    from mmtbx.scaling import xtriage

    return xtriage.master_params.as_str(attributes_level=2)


def _model_vs_data() -> str:
    from mmtbx import model_vs_data

    return model_vs_data.master_params_str


def _map_model() -> str:
    from iotbx import map_model_manager

    return map_model_manager.map_model_phil_str


def _map_symmetry() -> str:
    from cctbx.maptbx import segment_and_split_map

    return segment_and_split_map.master_phil.as_str(attributes_level=2)


def _fmodel() -> str:
    """What any program with reflections takes through the data manager."""
    return _program("polder")


def _interpretation() -> str:
    from mmtbx.monomer_library import pdb_interpretation

    return "refinement { pdb_interpretation { " + pdb_interpretation.master_params_str + " } }"


# source in the knowledge -> its PHIL and the scope that the program's command line starts from
SOURCES: dict[str, tuple[Callable[[], str], str | None]] = {
    "mmtbx/scaling/xtriage.py": (_xtriage, "scaling"),
    "mmtbx/model_vs_data.py": (_model_vs_data, None),
    "mmtbx/programs/polder.py": (lambda: _program("polder"), None),
    "mmtbx/programs/pdbtools.py": (lambda: _program("pdbtools"), None),
    "mmtbx/programs/process_predicted_model.py": (lambda: _program("process_predicted_model"), None),
    "iotbx/data_manager/miller_array.py": (_fmodel, None),
    "iotbx/map_model_manager.py": (_map_model, None),
    "cctbx/maptbx/segment_and_split_map.py": (_map_symmetry, None),
    "mmtbx/monomer_library/pdb_interpretation.py": (_interpretation, None),
}


def _parameters() -> Iterator[tuple[str, str, str]]:
    """Program, parameter and source of everything that a command can hold."""
    for path in sorted(PROGRAMS.glob("*.yaml")):
        program: dict[str, Any] = yaml.safe_load(path.read_text())
        items = [(item["parameter"], item.get("source")) for item in program["defaults"] + program["strategy"]]
        items += [(slot["flag"], slot.get("source")) for slot in program["inputs"] if "flag" in slot]
        for parameter, source in items:
            yield program["name"], parameter, source


def _matches(source: str, parameter: str) -> list[str]:
    import iotbx.phil

    text, home = SOURCES[source]
    master = iotbx.phil.parse(text(), process_includes=True)
    interpreter = argument_interpreter(master_phil=master, home_scope=home)
    paths = [found.path for found in master.all_definitions()]
    scores = {path: interpreter.get_path_score(parameter, path) for path in dict.fromkeys(paths)}
    best = max(scores.values())
    return [path for path, score in scores.items() if best > 0 and score == best]


LOADED = [one for one in _parameters() if one[2] in SOURCES]


def test_every_parameter_says_where_it_comes_from() -> None:
    assert [one for one in _parameters() if not one[2]] == []


@pytest.mark.parametrize(("program", "parameter", "source"), LOADED)
def test_phenix_finds_exactly_one(program: str, parameter: str, source: str) -> None:
    assert len(_matches(source, parameter)) == 1, f"{program}: {parameter} in {source}"


@pytest.mark.parametrize(
    ("source", "parameter"),
    [
        ("mmtbx/model_vs_data.py", "xray_data.obs_labels"),
        ("mmtbx/programs/polder.py", "crystal_symmetry.space_group"),
        ("mmtbx/programs/polder.py", "data_labels"),
        ("iotbx/data_manager/miller_array.py", "xray_data.labels"),
    ],
)
def test_phenix_would_refuse_what_commands_once_had(source: str, parameter: str) -> None:
    assert _matches(source, parameter) == []
