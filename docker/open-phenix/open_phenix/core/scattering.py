"""Scattering tables: what an xray.structure of cctbx scatters X-rays or electrons with."""

import re
from typing import Any

_NOT_LETTERS = re.compile("[^A-Za-z]")


def use_table(structure: Any, table: str, d_min: float | None = None) -> int:
    """Give every atom its scattering factor; how many charged atoms were neutralized for it.

    The electron table has no ions, so `O1-` scatters as O, as in PHENIX (`neutralize_scatterers` of mmtbx/model/model.py).
    """
    neutralized = 0
    if table == "electron":
        for scatterer in structure.scatterers():
            neutral = _NOT_LETTERS.sub("", scatterer.scattering_type)
            neutralized += neutral != scatterer.scattering_type
            scatterer.scattering_type = neutral
        structure.discard_scattering_type_registry()
    structure.scattering_type_registry(table=table, d_min=d_min)
    return neutralized


def neutralized_note(count: int) -> str:
    """A line for the log."""
    return f"{count} charged atoms scatter as neutral ones: the table for electrons has no ions"
