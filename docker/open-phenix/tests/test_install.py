"""install.sh: an unsuitable Python on PATH is passed over and named, a suitable one is found; wrong options show the usage."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KIT = Path(__file__).resolve().parent.parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A PATH of its own: what the script needs, and a python3 that says it is too old."""
    for tool in ("bash", "dirname", "cat"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    _write(tmp_path / "python3", 'echo "Python 3.9.2" >&2; exit 1')
    return tmp_path


def _write(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def _choose(folder: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    command = [folder / "bash", KIT / "install.sh", "--python"]
    return subprocess.run(command, env={"PATH": str(folder), **more}, capture_output=True, text=True, check=False)


def test_nothing_suitable_is_exit_code_3(folder: Path) -> None:
    done = _choose(folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"passed over: {folder}/python3 (Python 3.9.2)" in done.stderr


def test_a_later_name_is_taken(folder: Path) -> None:
    _write(folder / "python3.10", f'exec "{sys.executable}" "$@"')
    assert _choose(folder).stdout == f"{folder}/python3.10\n"


def test_python_of_the_environment_comes_first(folder: Path) -> None:
    assert _choose(folder, PYTHON=sys.executable).stdout == f"{sys.executable}\n"


def test_a_python_that_does_not_start_is_named(folder: Path) -> None:
    _write(folder / "python3.13", "echo one >&2; echo two >&2; exit 127")
    assert f"passed over: {folder}/python3.13 (does not start)" in _choose(folder).stderr


def test_a_number_of_monomers_is_a_number(folder: Path) -> None:
    for arguments in (["--with-monomers"], ["--with-monomers", "many", "x"]):
        done = subprocess.run([folder / "bash", KIT / "install.sh", *arguments], env={"PATH": str(folder)}, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (2, "") and "usage: install.sh" in done.stderr
