"""Formats values for the log: a value that could not be computed is `not available`, never zero."""


NOT_AVAILABLE = "not available"


def shown(value: float | None, pattern: str = "%.4f") -> str:
    """The value in that format, or `not available`."""
    return NOT_AVAILABLE if value is None else pattern % value
