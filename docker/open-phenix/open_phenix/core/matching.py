"""Finds the definition for a command-line name: PHENIX accepts any unique trailing part of the full path."""

from typing import TypeVar
from collections.abc import Iterable

from open_phenix.core.errors import Sorry

T = TypeVar("T")


def fits(given: str, full: str) -> bool:
    """True if `given` is `full` or a trailing part of it at a dot."""
    return full == given or full.endswith("." + given)


def find(given: str, candidates: Iterable[tuple[tuple[str, ...], T]]) -> T:
    """The one candidate that `given` names. An exact name wins over trailing parts; none or several raise Sorry."""
    trailing: list[tuple[str, T]] = []
    for names, target in candidates:
        if given in names:
            return target
        match = next((name for name in names if fits(given, name)), None)
        if match is not None:
            trailing.append((match, target))
    if not trailing:
        raise Sorry(f"Unknown command line parameter definition: {given}")
    if len(trailing) > 1:
        listed = "\n".join(f"  {name}" for name, _ in trailing)
        raise Sorry(f"Ambiguous command line parameter definition: {given}\nBest matches:\n{listed}")
    return trailing[0][1]
