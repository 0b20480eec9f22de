"""Sequence files: FASTA or bare letters."""

import re
from pathlib import Path

from open_phenix.core.errors import Sorry

_LETTERS = re.compile(r"[A-Z]+\*?")


def read(path: Path) -> list[str]:
    """The sequences of the file, upper case, one per chain; anything that is not a sequence raises Sorry."""
    chains: list[str] = []
    fresh = True
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        text = re.sub(r"\s", "", line).upper()
        if line.startswith((">", ";")) or not text:
            fresh = True
            continue
        if not _LETTERS.fullmatch(text):
            raise Sorry(f"{path} is not a sequence file: {line.strip()[:40]}")
        if fresh:
            chains.append("")
        chains[-1] += text.rstrip("*")
        fresh = False
    if not chains:
        raise Sorry(f"No sequence found in {path}")
    return chains
