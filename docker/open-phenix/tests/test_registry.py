"""The list of programs: quick to print, complete, and every program can say what it honours."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from open_phenix.cli import described
from open_phenix.core import registry
from open_phenix.core.help_text import help_text

KIT = Path(__file__).resolve().parent.parent
MINE = {
    "phenix.xtriage",
    "phenix.model_vs_data",
    "phenix.refine",
    "phenix.phaser",
    "phenix.ligandfit",
    "phenix.pdbtools",
    "phenix.polder",
    "phenix.process_predicted_model",
    "phenix.molprobity",
    "phenix.elbow",
}


def _open_phenix(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "open_phenix", *arguments]
    return subprocess.run(command, cwd=KIT, capture_output=True, text=True, timeout=60)


def test_list_is_json_and_quick() -> None:
    before = os.times().children_user
    listed = json.loads(_open_phenix("list", "--json").stdout)
    assert os.times().children_user - before < 1  # seconds of CPU: 0.1; the clock would tell of the machine's other work
    assert {row["name"] for row in listed} >= MINE
    assert set(listed[0]) == {"name", "engine", "engineVersion", "kitVersion", "available", "reason", "notHonoured"}


def test_a_program_without_its_package_is_listed_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_version", lambda name: None if name == "servalcat" else "1")
    row = next(row for row in described() if row["name"] == "phenix.refine")
    assert (row["available"], row["reason"]) == (False, "package not installed: servalcat")


@pytest.mark.parametrize("name", sorted(MINE))
def test_help_names_everything(name: str) -> None:
    spec = registry.module_of(name).SPEC
    text = help_text(spec)
    assert spec.example.startswith(name)
    assert all(parameter.path in text for parameter in spec.parameters)
    assert "not PHENIX" in text


def test_no_program_imports_an_engine_for_its_spec() -> None:
    code = "import sys; from open_phenix.core import registry; registry.modules(); "
    code += "print(sorted(set(sys.modules) & {'cctbx', 'gemmi', 'numpy'}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=KIT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_link_writes_launchers(tmp_path: Path) -> None:
    folder = tmp_path / "with space"
    assert _open_phenix("link", str(folder)).returncode == 0
    assert {path.name for path in folder.iterdir()} >= MINE
    assert all(path.stat().st_mode & 0o111 for path in folder.iterdir())
