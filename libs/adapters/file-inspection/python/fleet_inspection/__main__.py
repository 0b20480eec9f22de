"""
Looks into files for phenix-fleet: one JSON object a line in, one a line out, in the order in which they were asked.

In: {"path": absolute path}. Out: first {"kind": "ready"}, then for each {"kind": "answer", "answer": {"identity": ..., "facts": ...}}
or {"kind": "answer", "answer": {"refused": {"code", "reason", "allowed"}}}, or {"kind": "error", "message", "stack"} for a mistake of ours.

A file that takes more time of a processor than it may ends the process by SIGPROF, one that takes too much memory by exit code 71;
whoever started it starts another one.
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

TOO_MUCH_MEMORY = 71  # as libs/platform/task-pool knows it


def _no_network(event: str, _arguments: tuple) -> None:
    """Nothing here needs the network or another program; a reader that is led to try is stopped."""
    if event.startswith("socket.") or event in ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn"):
        raise RuntimeError(f"{event} is not allowed here")


def _allow_memory(mib: int) -> None:
    """Lets this process take so much more memory than it has now; where the system does not tell how much that is, it has no limit."""
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
        # By its number: whatever is put in its place meanwhile, this file is read.
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
        except Exception as error:  # a mistake of a reader costs this file, and is told
            say({"kind": "error", "message": f"{type(error).__name__}: {error}"[:500], "stack": traceback.format_exc()[:4_000]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
