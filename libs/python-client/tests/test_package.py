"""What is installed is what a script needs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]

SCRIPT = """
from phenix_fleet import AsyncFleet, Fleet

def hits(fleet: Fleet) -> list[float]:
    results = fleet.batch_results("b", sort="fit")
    return [row["session"]["fit"]["value"] for row in results if "session" in row and "fit" in row["session"]]

async def status(fleet: AsyncFleet) -> str:
    return (await fleet.submit(files=["/data/x.mtz"], settings={"max_cycles": 3}))["status"]
"""

WRONG = """
from phenix_fleet import Fleet

fleet = Fleet()
fleet.submit(file=["/data/x.mtz"])
fleet.submit(files=["/data/x.mtz"], settings={"max_cycels": 3})
fleet.retry_batch("b", of=["solved"])
fleet.session("s")["state"]
"""


def python(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", *args], cwd=cwd, capture_output=True, text=True, check=False)


def mypy(*paths: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """What it knows of the standard library stays beside it, in the environment of these tests."""
    cache = Path(sys.prefix) / "mypy-cache" / cwd.name
    return python("-m", "mypy", "--strict", f"--cache-dir={cache}", *paths, cwd=cwd)


def installed(tmp_path: Path) -> Path:
    copy, target = tmp_path / "copy", tmp_path / "installed"
    ignored = shutil.ignore_patterns("tests", "*.egg-info", "build", ".*", "__pycache__")
    shutil.copytree(HERE, copy, ignore=ignored)
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    ran = python("-m", "pip", "install", *options, "--target", str(target), str(copy), cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    return target


def test_it_installs_with_its_types(tmp_path: Path) -> None:
    target = installed(tmp_path)
    assert {"__init__.py", "models.py", "py.typed"} <= {one.name for one in (target / "phenix_fleet").iterdir()}
    (target / "script.py").write_text(SCRIPT)
    (target / "wrong.py").write_text(WRONG)
    checked = mypy("script.py", "wrong.py", cwd=target)
    found = re.findall(r"^(\w+)\.py:(\d+): error", checked.stdout, re.MULTILINE)
    assert found == [("wrong", line) for line in "5678"], checked.stdout + checked.stderr


def test_it_is_typed_strictly() -> None:
    checked = mypy("phenix_fleet", "tests", cwd=HERE)
    assert checked.returncode == 0, checked.stdout
