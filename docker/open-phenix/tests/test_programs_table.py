"""docs/reference/programs.md says of each program of the knowledge which engines run it here, and no more than the registry."""

import re
from pathlib import Path

import pytest

from open_phenix.core import registry

PROJECT = Path(__file__).resolve().parents[3]
TABLE = PROJECT / "docs" / "reference" / "programs.md"
NOTHING = "–"

pytestmark = pytest.mark.skipif(not TABLE.is_file(), reason="only the kit is here, not the project around it")


def _rows() -> "dict[str, list[str]]":
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("| phenix.")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:] for row in cells}


def _knowledge() -> "dict[str, str]":
    """Name of each program of the knowledge, with the name on its command line."""
    found = {}
    for path in sorted((PROJECT / "knowledge" / "programs").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        name = re.search(r"^name: (\S+)", text, re.MULTILINE)
        runs_as = re.search(r"^runs_as: (\S+)", text, re.MULTILINE)
        assert name is not None, path
        found[name.group(1)] = (runs_as or name).group(1)
    return found


def test_the_table_has_the_programs_of_the_knowledge() -> None:
    assert list(_rows()) == sorted(_knowledge())


def test_the_engines_are_those_of_the_registry() -> None:
    modules = registry.modules()
    for name, command in _knowledge().items():
        engines, cannot, licensed = _rows()[name]
        if command not in modules:
            assert engines == NOTHING and cannot.startswith("everything: "), name
            continue
        spec = modules[command].SPEC
        assert engines.split(", ") == [engine.title for engine in (spec.engine,) + spec.also], name
        assert cannot and licensed, name


def test_what_the_kit_refuses_is_not_called_nothing() -> None:
    modules = registry.modules()
    for name, command in _knowledge().items():
        if command in modules:
            spec = modules[command].SPEC
            refuses = bool(spec.refused) or any(parameter.effect == "science" for parameter in spec.parameters)
            assert not (refuses and _rows()[name][1] == "nothing known"), name
