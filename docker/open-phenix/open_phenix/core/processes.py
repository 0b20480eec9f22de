"""Child processes: output streamed line by line, ended together with this process."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from collections.abc import Callable, Iterator, Sequence

_GRACE = 3  # seconds between SIGTERM and SIGKILL for a child
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@contextlib.contextmanager
def _signals_as_exit() -> Iterator[None]:
    """While a child runs: SIGTERM, SIGINT and SIGHUP raise SystemExit(128 + signal), so that every `finally` runs.

    Otherwise the default action applies (a long C++ call would delay a Python handler).
    """

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(child: "subprocess.Popen[str]") -> None:
    """End the child's whole process group: SIGTERM, then SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if child.poll() is not None:
            return
        try:
            os.killpg(child.pid, number)
            child.wait(timeout=_GRACE)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def _python() -> list[str]:
    """This interpreter, unbuffered, isolated from the user's own packages if this process is."""
    return [sys.executable, "-u"] + (["-I"] if sys.flags.isolated else [])


def engine_script(name: str, *arguments: str) -> list[str]:
    """The command that runs a console script installed in this same environment (such as `servalcat`)."""
    return [*_python(), str(Path(sys.prefix) / "bin" / name), *arguments]


def engine_module(module: str, *arguments: str) -> list[str]:
    """The command that runs a Python module of this same environment."""
    return [*_python(), "-m", module, *arguments]


def stream(command: Sequence[str], cwd: Path | None = None) -> Iterator[str]:
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
    with _signals_as_exit():
        try:
            assert child.stdout is not None
            for line in child.stdout:
                yield line.rstrip("\n")
            code = child.wait()
        finally:
            _end(child)
    if code != 0:
        raise subprocess.CalledProcessError(code, list(command))


def run_logged(command: Sequence[str], log: Path, on_line: Callable[[str], None], cwd: Path | None = None) -> None:
    """Run the command, write all of its output to `log`, and hand each line to `on_line`."""
    with open(log, "w", encoding="utf-8") as stream_to:
        for line in stream(command, cwd):
            stream_to.write(line + "\n")
            on_line(line)
