"""Errors that a user can act on."""


class Sorry(Exception):
    """A user error: printed as `Sorry: <message>` (PHENIX's wording), exit code 1, no traceback."""


def is_sorry(problem: BaseException) -> bool:
    """True for our own Sorry, and for cctbx's Sorry and its subclasses (recognized by name, as cctbx may not be imported)."""
    return any(kind.__name__ == "Sorry" for kind in type(problem).__mro__)
