"""`open-phenix`: list the programs, tell the version, write the command links, make frequent restraints beforehand."""

import argparse
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any
from collections.abc import Sequence

from open_phenix import __version__
from open_phenix.core import environment, registry
from open_phenix.core.headline import engine_text


def main(argv: Sequence[str]) -> int:
    """The entry point of the console script."""
    parser = argparse.ArgumentParser(prog="open-phenix", description=__doc__)
    parser.add_argument("--version", action="version", version=f"open-phenix {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="the programs of this kit")
    listing.add_argument("--json", action="store_true", help="one JSON array")
    link = commands.add_parser("link", help="write one launcher per program into DIR (used by install.sh)")
    link.add_argument("directory", type=Path)
    monomers = commands.add_parser("monomers", help="make restraints of the N most common components (used by install.sh)")
    monomers.add_argument("number", type=int, metavar="N")
    options = parser.parse_args(list(argv))
    if options.command == "list":
        return _list(options.json)
    if options.command == "monomers":
        return _monomers(options.number)
    return _link(options.directory)


def console_main() -> None:
    """Called by the console script that pip makes."""
    sys.exit(main(sys.argv[1:]))


def described() -> list[dict[str, Any]]:
    """What `list --json` prints."""
    rows = []
    for name, module in registry.modules().items():
        spec = module.SPEC
        reason = registry.why_unavailable(spec)
        not_honoured = [p.path for p in spec.parameters if p.effect != "honoured"]
        rows.append(
            {
                "name": name,
                "engine": spec.engine.title,
                "engineVersion": registry.version_of(spec.engine),
                "kitVersion": __version__,
                "available": reason is None,
                "reason": reason,
                "notHonoured": not_honoured + [f"{scope}.*" for scope in spec.refused],
            }
        )
    return rows


def _list(as_json: bool) -> int:
    if as_json:
        print(json.dumps(described(), indent=1))
        return 0
    for name, module in registry.modules().items():
        reason = registry.why_unavailable(module.SPEC)
        print(f"{name:34s} {engine_text(module.SPEC)}{'' if reason is None else '  NOT AVAILABLE: ' + reason}")
    return 0


def _monomers(number: int) -> int:
    environment.prepare()
    from open_phenix.restraints import common

    common.make(number)
    return 0


def _link(directory: Path) -> int:
    directory.mkdir(parents=True, exist_ok=True)
    python = shlex.quote(sys.executable)
    wanted = {name: f"{python} -I -m open_phenix {name}" for name in registry.modules()}
    wanted["open-phenix"] = f"{python} -I -m open_phenix"
    wanted["open-phenix-simulated"] = f"{python} -I -m open_phenix.simulated.command"
    for old in directory.iterdir():
        if old.name not in wanted and old.name.startswith("phenix."):
            old.unlink()
    for name, command in wanted.items():
        temporary = directory / f".{name}.{os.getpid()}"
        temporary.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        temporary.chmod(0o755)
        temporary.replace(directory / name)
    return 0
