"""Runs a cctbx program class (`mmtbx.programs.X.Program`) with arguments that have been checked already."""

from typing import Any
from collections.abc import Sequence


def run(program_class: Any, arguments: Sequence[str]) -> Any:
    """Run it; its log goes to stdout unchanged, and its Sorry is raised unchanged."""
    import sys

    from iotbx.cli_parser import run_program

    return run_program(program_class=program_class, args=list(arguments), logger=sys.stdout, allow_default_args=False)


def quoted(text: str) -> str:
    """A PHIL string in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
