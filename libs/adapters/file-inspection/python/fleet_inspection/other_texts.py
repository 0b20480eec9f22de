"""Texts that no program here reads, although people bring them as data: what they are, and what to give instead."""

import re

INDEX = r"[-+]?\d{1,4}"
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
# Indices, a value and its uncertainty, which is not a whole number in a table of reflections.
REFLECTION = re.compile(rf"\s*(?:{INDEX}\s+){{3}}{NUMBER}\s+{NUMBER}(?:\s+{NUMBER})*\s*")
ENOUGH_LINES = 5  # a table of fewer lines may be anything

CONVERT = "Give an MTZ file made of it, for example by phenix.reflection_file_converter"
SYMMETRY = "with --unit_cell, --space_group and --mtz"
LIGAND = "Give restraints (CIF) made of it, for example by phenix.elbow or AceDRG."


def _is_shelx(line: str) -> bool:
    """Whether a line has the fields of SHELX, of 4 and 8 columns, between which blanks may be missing."""
    fields = [line[at : at + width].strip() for at, width in ((0, 4), (4, 4), (8, 4), (12, 8), (20, 8))]
    return all(re.fullmatch(INDEX, field) for field in fields[:3]) and all(re.fullmatch(NUMBER, field) for field in fields[3:])


def _is_reflection_table(lines: list[str]) -> bool:
    written = [line[:80] for line in lines if line.strip()][:50]
    has_points = all("." in line for line in written)
    return len(written) >= ENOUGH_LINES and has_points and all(_is_shelx(line) or REFLECTION.fullmatch(line) for line in written)


def _reflections(lines: list[str]) -> str | None:
    head = "\n".join(lines[:100])
    if re.search(r"^\s*(NREF\w*\s*=|INDEX?\s+-?\d+\s+-?\d+\s+-?\d+)", head, re.M | re.I):
        return f"Reflections of CNS or X-PLOR, without a cell and a space group. {CONVERT} FILE {SYMMETRY}."
    if _is_reflection_table(lines):
        return (
            "Reflections in columns, as SHELX has them, without a cell and a space group; whether they are amplitudes or intensities is not "
            f"written. {CONVERT} FILE=hklf4 (intensities) or FILE=hklf3 (amplitudes) {SYMMETRY}."
        )
    return None


def _ligand(lines: list[str], extension: str) -> str | None:
    counts = lines[3] if len(lines) > 3 else ""
    if re.search(r"V[23]000\s*$", counts):
        return f"Coordinates of a ligand (MOL or SDF). {LIGAND}"
    if any(line.startswith("@<TRIPOS>MOLECULE") for line in lines[:100]):
        return f"Coordinates of a ligand (MOL2). {LIGAND}"
    return f"SMILES of a ligand. {LIGAND}" if extension in {".smi", ".smiles"} else None


def other_text_note(lines: list[str], extension: str) -> str | None:
    """A sentence about a text that is known, but not read here; None for any other text."""
    found = _reflections(lines) or _ligand(lines, extension)
    if found is None and (extension in {".eff", ".phil", ".def"} or any(re.match(r"\s*[a-z][\w.]*\s*\{\s*$", line[:80]) for line in lines[:20])):
        return "Parameters of PHENIX (PHIL). They are not read: give settings in the advice or as directives."
    return found
