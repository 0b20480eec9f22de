"""Runs one program: help, version, head lines, errors, exit code."""

import sys
import traceback
from collections.abc import Sequence

from open_phenix import __version__
from open_phenix.core import environment, model_input, registry, scratch
from open_phenix.core.arguments import parse
from open_phenix.core.errors import Sorry, is_sorry
from open_phenix.core.headline import engine_line, engine_text, ignored_line
from open_phenix.core.help_text import help_text


def run_command(name: str, argv: Sequence[str]) -> int:
    """Run the program of that name; the exit code is 0, or 1 after `Sorry: ...` or a traceback (as PHENIX)."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    try:
        return _run(name, list(argv))
    except Exception as problem:  # the outermost frame: a user error, or a fault that must show its traceback
        if is_sorry(problem):
            print(f"\nSorry: {problem}", flush=True)
        else:
            traceback.print_exc(file=sys.stdout)
        return 1


def _run(name: str, argv: "list[str]") -> int:
    module = registry.module_of(name)
    spec = module.SPEC
    if "--version" in argv or "--show-defaults" in argv or "--help" in argv or "-h" in argv:
        if "--version" in argv:
            print(f"{name} {__version__} ({engine_text(spec)}; open-phenix, not PHENIX)")
        else:
            print(help_text(spec))
        return 0
    print(engine_line(spec))
    request = parse(spec, argv)
    print(ignored_line(request))
    reason = registry.why_unavailable(spec)
    if reason:
        raise Sorry(f"{name} cannot run: {reason}")
    environment.prepare()
    with scratch.folder("models") as folder:
        for note in model_input.complete(request, folder):
            print(f"open-phenix: {note}")
        module.run(request)
    return 0
