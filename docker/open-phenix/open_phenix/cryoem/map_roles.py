"""Assigns the maps on the command line to the roles full map and half maps.

`full_map=` and `half_map=` assign explicitly. A positional map is a half map if its name holds the word "half", or if another
positional map has the same name but for its last character (1 and 2, or a and b); any other is a full map. A positional
half map that is the only map is treated as a full map, as PHENIX's agent does.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from collections.abc import Sequence

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import FileSlot

POSITIONAL = "maps"
FULL = "full_map"
HALF = "half_map"
_PARTNERS = {"1": "2", "2": "1", "a": "b", "b": "a"}


def map_slots() -> tuple[FileSlot, ...]:
    """The three slots that every program with full and half maps has."""
    return (
        FileSlot(FULL, ("map",), positional=False, flags=("map_model.full_map", "input_files.map_file"), help="full map"),
        FileSlot(HALF, ("map",), multiple=True, positional=False, flags=("map_model.half_map",), help="write it twice"),
        FileSlot(POSITIONAL, ("map",), multiple=True, help="full map, or half maps told by their names"),
    )


@dataclass(frozen=True)
class MapFiles:
    """A full map, a pair of half maps, or both."""

    full: Path | None
    halves: tuple[Path, Path] | None


def map_files(request: Request) -> MapFiles:
    """Sort the maps of a request; one half map alone, three of them, or two full maps raise Sorry."""
    loose = request.all_files(POSITIONAL)
    halves = list(request.all_files(HALF)) + [path for path in loose if is_half_map(path, loose)]
    full = list(request.all_files(FULL)) + [path for path in loose if not is_half_map(path, loose)]
    if len(full) > 1:
        raise Sorry(f"More than one full map: {', '.join(map(str, full))} (name half maps with half_map=)")
    if len(halves) == 1 and not full and halves[0] in loose:
        print(f"{halves[0]} is the only map: it is taken as the full map, whatever its name says")
        return MapFiles(halves[0], None)
    if halves and len(halves) != 2:
        raise Sorry(f"Two half maps are needed, not {len(halves)}: {', '.join(map(str, halves))}")
    if halves and halves[0].resolve() == halves[1].resolve():
        raise Sorry(f"The two half maps are the same file: {halves[0]}")
    return MapFiles(full[0] if full else None, (halves[0], halves[1]) if halves else None)


def is_half_map(path: Path, others: Sequence[Path]) -> bool:
    """Whether the name marks a half map: the word half, or a partner."""
    stem = path.stem.lower()
    if re.search(r"half", stem) and not re.search(r"sharpen|denmod|density_modified", stem):
        return True
    partner = _PARTNERS.get(stem[-1:])
    stems: list[str] = [other.stem.lower() for other in others]
    return partner is not None and stem[:-1] != "" and stem[:-1] + partner in stems
