"""How values are printed: what could not be computed is `not available`, never zero."""

from typing import Optional

NOT_AVAILABLE = "not available"


def shown(value: Optional[float], pattern: str = "%.4f") -> str:
    """The value in that format, or `not available`."""
    return NOT_AVAILABLE if value is None else pattern % value
