"""Where the real data are, and how a command is run as a user would run it."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from collections.abc import Callable

import pytest

from open_phenix.core import cctbx_session, environment

KIT = Path(__file__).resolve().parent.parent
DATA = "PHENIX_FLEET_TEST_DATA"

os.environ["PYTHONPATH"] = str(KIT)  # the commands of this checkout, not of an older installation
environment.prepare()
if importlib.util.find_spec("scitbx") is not None:
    cctbx_session.start()  # before any test module imports gemmi: the other way round the process dies


def pytest_configure() -> None:
    """A wrong folder is an error; only a missing variable leaves tests out."""
    folder = os.environ.get(DATA)
    if folder and not Path(folder).is_dir():
        raise pytest.UsageError(f"{DATA}={folder} is not a folder")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real test data, named by PHENIX_FLEET_TEST_DATA."""
    folder = os.environ.get(DATA)
    if not folder:
        pytest.skip(f"{DATA} is not set")
    return Path(folder)


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Runs `phenix.X arguments...` in an empty folder, with a bare environment."""
    pytest.importorskip("gemmi", reason="the open programs are not installed in this Python (run install.sh)")

    def run(*arguments: object, cwd: Path = tmp_path) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "open_phenix", *[str(argument) for argument in arguments]],
            cwd=cwd,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(KIT)},
            capture_output=True,
            text=True,
            timeout=240,
        )

    return run
