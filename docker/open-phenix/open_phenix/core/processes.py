"""Child processes: output streamed line by line, ended together with this process."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Callable, Iterator, List, Optional, Sequence

_children: List["subprocess.Popen[str]"] = []


def end_children_on_signals() -> None:
    """On SIGTERM, SIGINT or SIGHUP: end every child process group, then this process with 128 + signal."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _on_signal)


def _on_signal(number: int, _frame: object) -> None:
    for child in _children:
        _signal_group(child, signal.SIGTERM)
    for child in _children:
        try:
            child.wait(timeout=3)
        except subprocess.TimeoutExpired:
            _signal_group(child, signal.SIGKILL)
    os._exit(128 + number)


def _signal_group(child: "subprocess.Popen[str]", number: int) -> None:
    if child.poll() is None:
        try:
            os.killpg(child.pid, number)
        except ProcessLookupError:
            pass


def engine_module(module: str, *arguments: str) -> List[str]:
    """The command that runs a Python module of this same environment."""
    return [sys.executable, "-m", module, *arguments]


def engine_script(name: str, *arguments: str) -> List[str]:
    """The command that runs a console script installed in this same environment (such as `servalcat`)."""
    return [sys.executable, str(Path(sys.prefix) / "bin" / name), *arguments]


def stream(command: Sequence[str], cwd: Optional[Path] = None) -> Iterator[str]:
    """Run the command, yield its lines (stdout and stderr) as they come; CalledProcessError if it ends with non-zero."""
    child = subprocess.Popen(
        list(command),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    _children.append(child)
    try:
        assert child.stdout is not None
        for line in child.stdout:
            yield line.rstrip("\n")
        code = child.wait()
    finally:
        _signal_group(child, signal.SIGKILL)
        _children.remove(child)
    if code != 0:
        raise subprocess.CalledProcessError(code, list(command))


def run_logged(command: Sequence[str], log: Path, on_line: Callable[[str], None], cwd: Optional[Path] = None) -> None:
    """Run the command, write all of its output to `log`, and hand each line to `on_line`."""
    with open(log, "w", encoding="utf-8") as stream_to:
        for line in stream(command, cwd):
            stream_to.write(line + "\n")
            on_line(line)
