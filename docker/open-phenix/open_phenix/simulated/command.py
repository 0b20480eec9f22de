"""`open-phenix-simulated PROGRAM ARGS...` and `open-phenix-simulated --list [--json]`."""

import json
import sys
import traceback
from typing import Any
from collections.abc import Sequence

from open_phenix import __version__
from open_phenix.core import registry
from open_phenix.core.arguments import parse
from open_phenix.core.errors import Sorry
from open_phenix.core.help_text import help_text
from open_phenix.simulated.options import ScriptedFailure

PACKAGE = "open_phenix.simulated"
_USAGE = "usage: open-phenix-simulated PROGRAM ARGS... | --list [--json] | --version"


def main(argv: Sequence[str]) -> int:
    """The exit code: 0, 1 after `Sorry: ...` or a traceback, 2 for a wrong call, or the value of simulated.exit_code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    if not argv or argv[0] in ("-h", "--help"):
        print(f"{_USAGE}\n\n{sys.modules[PACKAGE].__doc__}")
        return 0 if argv else 2
    if argv[0] == "--version":
        print(f"open-phenix-simulated {__version__}")
        return 0
    if argv[0] == "--list":
        return _list("--json" in argv)
    return _guarded(argv[0], list(argv[1:]))


def console_main() -> None:
    """Called by the console script that pip makes."""
    sys.exit(main(sys.argv[1:]))


def first_line(name: str) -> str:
    """The line that every log of a stand-in starts with."""
    return f"SIMULATED: {name} is not installed here; this is a scripted stand-in. No science was done."


def described() -> list[dict[str, Any]]:
    """What `--list --json` prints."""
    return [{"name": name, "kitVersion": __version__, "simulated": True} for name in registry.modules(PACKAGE)]


def _list(as_json: bool) -> int:
    if as_json:
        print(json.dumps(described(), indent=1))
    else:
        print("\n".join(f"{row['name']}  SIMULATED" for row in described()))
    return 0


def _guarded(name: str, argv: list[str]) -> int:
    try:
        return _run(name, argv)
    except ScriptedFailure as failure:
        print(f"\nSorry: simulated failure (simulated.exit_code={failure.code})")
        return failure.code
    except Sorry as problem:
        print(f"\nSorry: {problem}")
        return 1
    except Exception:  # the outermost frame: a fault of the stand-in must show its traceback
        traceback.print_exc(file=sys.stdout)
        return 1


def _run(name: str, argv: list[str]) -> int:
    known = registry.modules(PACKAGE)
    if name not in known:
        raise Sorry(f"{name} has no stand-in; there are: {', '.join(known)}")
    module = known[name]
    print(first_line(name))
    if "--help" in argv or "-h" in argv or "--show-defaults" in argv:
        print(help_text(module.SPEC))
        return 0
    request = parse(module.SPEC, argv)
    module.run(request)
    print(f"SIMULATED: end of the scripted log of {name}. No science was done.")
    return 0


if __name__ == "__main__":
    console_main()
