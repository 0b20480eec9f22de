"""
Inspects files for phenix-fleet: reads one JSON object per line and writes one per line, in the same order.

In: {"path": absolute path}. Out: first {"kind": "ready"}, then for each {"kind": "answer", "answer": {"identity": ..., "facts": ...}}
or {"kind": "answer", "answer": {"refused": {"code", "reason", "allowed"}}}, or {"kind": "error", "message", "stack"} for an internal error.

A file that exceeds its processor time ends the process by SIGPROF, one that exceeds its memory by exit code 71;
the parent process then starts another one.
"""

import argparse
import json
import os
import resource
import signal
import stat
import sys
import traceback

from . import files
from .faults import FileFault

TOO_MUCH_MEMORY = 71  # exit code, also in libs/platform/task-pool


def _no_network(event: str, _arguments: tuple) -> None:
    """Blocks network and processes: no reader needs them, and a malicious file must not use them."""
    if event.startswith("socket.") or event in ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn"):
        raise RuntimeError(f"{event} is not allowed here")


def _allow_memory(mib: int) -> None:
    """Limits the memory of this process to this much more than it has now; no limit if the system does not report its current size."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            now = next(int(line.split()[1]) * 1_024 for line in status if line.startswith("VmData"))
    except FileNotFoundError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (now + mib * 1_048_576,) * 2)


def _answer(task: dict, time_ms: int) -> dict:
    path = task["path"]
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise FileFault("not_regular", "it is a folder, pipe, socket or device")
        identity = {"inode": str(found.st_ino), "size": found.st_size, "modified": str(found.st_mtime_ns)}
        signal.setitimer(signal.ITIMER_PROF, time_ms / 1_000)
        # By its descriptor: the same file is read even if its path is replaced meanwhile.
        return {"identity": identity, "facts": files.facts_of(f"/dev/fd/{opened}", os.path.basename(path))}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        os.close(opened)


def main() -> int:
    parser = argparse.ArgumentParser(prog="fleet_inspection", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--memory-mib", type=int, required=True, help="MiB that one file may take")
    parser.add_argument("--time-ms", type=int, required=True, help="milliseconds of a processor that one file may take")
    limits = parser.parse_args()

    sys.addaudithook(_no_network)
    _allow_memory(limits.memory_mib)

    def say(message: dict) -> None:
        sys.stdout.write(json.dumps(message, allow_nan=False) + "\n")
        sys.stdout.flush()

    say({"kind": "ready"})
    for line in sys.stdin:
        try:
            say({"kind": "answer", "answer": _answer(json.loads(line), limits.time_ms)})
        except FileFault as fault:
            say({"kind": "answer", "answer": {"refused": fault.as_answer()}})
        except OSError as error:
            reason = f"it cannot be read ({error.strerror or error})"
            say({"kind": "answer", "answer": {"refused": {"code": "unreadable", "reason": reason}}})
        except MemoryError:
            os._exit(TOO_MUCH_MEMORY)
        except Exception as error:  # a mistake of a reader only affects this file, and is reported
            say({"kind": "error", "message": f"{type(error).__name__}: {error}"[:500], "stack": traceback.format_exc()[:4_000]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
