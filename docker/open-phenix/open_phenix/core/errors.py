"""Errors that a user can act on."""


class Sorry(Exception):
    """A user error: printed as `Sorry: <message>` (PHENIX's wording), exit code 1, no traceback."""
