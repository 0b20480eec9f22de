"""Command line to Request: positional files by kind, `name=value` by definition."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from collections.abc import Sequence

from open_phenix.core.errors import Sorry
from open_phenix.core.files import kind_of
from open_phenix.core.matching import find
from open_phenix.core.spec import FileSlot, Parameter, ProgramSpec
from open_phenix.core.values import convert, is_off, unquote

_ASSIGNMENT = re.compile(r"-{0,2}([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)\s*=(.*)", re.DOTALL)


@dataclass
class Request:
    """A parsed command line. `values` holds every honoured parameter, defaults included, by its full path."""

    spec: ProgramSpec
    files: dict[str, list[Path]]
    values: dict[str, Any]
    given: dict[str, str] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)

    def __getitem__(self, path: str) -> Any:
        return self.values[path]

    def all_files(self, slot: str) -> list[Path]:
        """The files of a slot, in the order given."""
        return self.files.get(slot, [])

    def optional_file(self, slot: str) -> Path | None:
        """The first file of a slot, or None."""
        files = self.all_files(slot)
        return files[0] if files else None

    def file(self, slot: str) -> Path:
        """The first file of a required slot."""
        return self.files[slot][0]


def parse(spec: ProgramSpec, argv: Sequence[str]) -> Request:
    """Sort the arguments into files and parameters; every user error raises Sorry."""
    request = Request(spec, {slot.name: [] for slot in spec.files}, _defaults(spec))
    positional: list[Path] = []
    for argument in argv:
        path = Path(argument)
        if path.is_file():
            positional.append(path)
            continue
        assignment = _ASSIGNMENT.fullmatch(argument)
        if assignment:
            _assign(request, assignment.group(1), assignment.group(2))
        elif argument.startswith("--") and re.fullmatch(r"--[a-z][a-z-]*", argument):
            raise Sorry(f"Unknown command line option: {argument}")
        else:
            raise Sorry(f"Couldn't find the file {argument} (not a file and not name=value)")
    for path in positional:
        _place(request, path)
    for slot in spec.files:
        if slot.required and not request.files[slot.name]:
            raise Sorry(f"{spec.name} needs {_described(slot)}")
    return request


def _defaults(spec: ProgramSpec) -> dict[str, Any]:
    return {p.path: p.default for p in spec.parameters if p.effect == "honoured"}


def _assign(request: Request, name: str, text: str) -> None:
    spec = request.spec
    for scope in spec.refused:
        if name == scope or f".{name}".find(f".{scope}.") >= 0 or name.startswith(scope + "."):
            if is_off(text):
                request.ignored.append(f"{name}={unquote(text)} (switched off anyway)")
                return
            raise _refusal(spec, f"{name}={text}")
    definitions: list[tuple[tuple[str, ...], Parameter | FileSlot]] = [(p.names, p) for p in spec.parameters]
    definitions += [(slot.flags, slot) for slot in spec.files if slot.flags]
    target = find(name, definitions)
    if isinstance(target, FileSlot):
        _put(request, target, Path(unquote(text)), name)
        return
    value = convert(target, name, text)
    request.given[target.path] = unquote(text)
    if target.effect == "honoured":
        request.values[target.path] = value
    elif target.effect == "speed":
        request.ignored.append(f"{name}={unquote(text)} (speed only)")
    elif value not in target.neutral and value != target.default:
        raise _refusal(spec, f"{name}={unquote(text)}")


def _refusal(spec: ProgramSpec, what: str) -> Sorry:
    return Sorry(f"{what} changes the result, and {spec.engine.title} cannot do it; take it out or run PHENIX itself")


def _put(request: Request, slot: FileSlot, path: Path, name: str) -> None:
    if not path.is_file():
        raise Sorry(f"Couldn't find the file {path} ({name}=)")
    if kind_of(path) not in slot.kinds:
        raise Sorry(f"{name}={path}: expected {' or '.join(slot.kinds)}")
    if request.files[slot.name] and not slot.multiple:
        raise Sorry(f"More than one file for {slot.name}: {request.files[slot.name][0]}, {path}")
    request.files[slot.name].append(path)


def _place(request: Request, path: Path) -> None:
    kind = kind_of(path)
    if kind is None:
        raise Sorry(f"File type not recognised: {path}")
    fitting = [slot for slot in request.spec.files if slot.positional and kind in slot.kinds]
    if not fitting:
        raise Sorry(f"{request.spec.name} takes no {kind} file: {path}")
    for slot in fitting:
        if slot.multiple or not request.files[slot.name]:
            request.files[slot.name].append(path)
            return
    raise Sorry(f"Too many {kind} files: {path} (already have {request.files[fitting[-1].name][0]})")


def _described(slot: FileSlot) -> str:
    kinds = " or ".join(slot.kinds)
    flag = f" ({slot.flags[0]}=FILE)" if slot.flags else ""
    return f"a {kinds} file for {slot.name}{flag}"
