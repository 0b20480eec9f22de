"""Where the real data are, and how a command is run as a user would run it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

KIT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real test data, named by PHENIX_FLEET_TEST_DATA."""
    folder = os.environ.get("PHENIX_FLEET_TEST_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("PHENIX_FLEET_TEST_DATA does not name a folder with the test data")
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
