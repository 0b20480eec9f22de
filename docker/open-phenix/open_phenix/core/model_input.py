"""Completes model files before any program reads them: adds chemical elements that a PDB file lacks in columns 77 and 78.

Older programs left these columns empty or wrote a line number there; cctbx, Servalcat and Coot each fail differently on them.
"""

import gzip
from dataclasses import dataclass
from pathlib import Path

from open_phenix.core import cctbx_session
from open_phenix.core.arguments import Request

_EXTENSIONS = (".pdb", ".ent", ".pdb.gz", ".ent.gz")
_ATOMS = ("ATOM  ", "HETATM")
_NAME, _ELEMENT = slice(12, 16), slice(76, 78)
_CHARGE_END = 80
_SHOWN = 5  # atoms that are named in a note


@dataclass(frozen=True)
class Completed:
    """The text of a PDB file with its elements, how many were inferred, and atoms whose name shows none."""

    text: str
    inferred: int
    unknown: tuple[str, ...]

    def note(self, name: str) -> str:
        """A sentence for the head of the log."""
        text = f"{name}: the elements of {self.inferred} atoms are missing in columns 77 and 78 and inferred from the atom names"
        if not self.unknown:
            return text
        more = f" and {len(self.unknown) - _SHOWN} more" if len(self.unknown) > _SHOWN else ""
        return f"{text}; WARNING: the names of {', '.join(self.unknown[:_SHOWN])}{more} show no element"


def completed(path: Path) -> Completed | None:
    """The PDB file with its missing elements, or None if nothing is missing (or the file is not a PDB file)."""
    if not path.name.lower().endswith(_EXTENSIONS):
        return None
    with (gzip.open if path.suffix.lower() == ".gz" else open)(path, "rt", encoding="utf-8", errors="surrogateescape") as stream:
        lines = stream.read().splitlines()
    unknown: list[str] = []
    inferred = 0
    for index, line in enumerate(lines):
        if line.startswith(_ATOMS) and not _has_element(line):
            element = _inferred(line)
            lines[index] = f"{line[:_ELEMENT.start]:<76}{element or '':>2}  {line[_CHARGE_END:]}".rstrip()
            inferred += bool(element)
            if not element:
                unknown.append(line[_NAME.start : 27].strip())
    return Completed("\n".join(lines) + "\n", inferred, tuple(unknown)) if inferred else None


def complete(request: Request, folder: Path) -> list[str]:
    """Replace the incomplete models of the request by copies of the same name below `folder`; a note for each."""
    notes = []
    for slot, paths in request.files.items():
        for index, path in enumerate(paths):
            found = completed(path)
            if found is None:
                continue
            copy = folder / f"{slot}_{index}" / (path.name[:-3] if path.name.lower().endswith(".gz") else path.name)
            copy.parent.mkdir()
            copy.write_text(found.text, encoding="utf-8", errors="surrogateescape")
            paths[index] = copy
            notes.append(found.note(path.name))
    return notes


def _has_element(line: str) -> bool:
    return line[_ELEMENT].strip().isalpha()


def _inferred(line: str) -> str:
    """The element that gemmi infers from the four columns of the name, as the PDB format defines them; empty if unknown."""
    cctbx_session.start()  # before gemmi, which brings numpy
    import gemmi

    structure = gemmi.read_pdb_string(f"{line[:54]:<54}  1.00  0.00\nEND\n")
    name = structure[0][0][0][0].element.name.upper() if len(structure) else "X"
    return "" if name == "X" else name
