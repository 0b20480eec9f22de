"""Calls Coot: starts the worker and returns its result."""

import json
import subprocess
from collections import deque
from pathlib import Path
from typing import Any

from open_phenix.core import processes
from open_phenix.core.errors import Sorry


def run(job: str, arguments: dict[str, Any], log: Path) -> Any:
    """The result of a Coot job (absolute paths in `arguments`); it runs in the folder of `log`, which takes its chatter."""
    last: deque[str] = deque(maxlen=1)

    def remember(line: str) -> None:
        if line.startswith("RESULT "):
            last.append(line)

    command = processes.engine_module("open_phenix.coot_worker", job, json.dumps(arguments))
    try:
        processes.run_logged(command, log, remember, cwd=log.parent)  # Coot leaves a coot-backup folder behind
    except subprocess.CalledProcessError as problem:
        raise Sorry(f"Coot ended with code {problem.returncode} in {job}; its last lines:\n{_tail(log)}") from problem
    if not last:
        raise Sorry(f"Coot gave no result in {job}; its last lines:\n{_tail(log)}")
    return json.loads(last[0][len("RESULT ") :])


def _tail(log: Path, lines: int = 5) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
