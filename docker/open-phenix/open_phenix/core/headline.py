"""The lines at the top of each log: the engine that does the work, and requested parameters without effect."""

from open_phenix import __version__
from open_phenix.core.arguments import Request
from open_phenix.core.registry import version_of
from open_phenix.core.spec import ProgramSpec


def engine_text(spec: ProgramSpec) -> str:
    """`Servalcat 0.4.142 with Coot 1.3.3rc1`."""
    first, *others = [f"{e.title} {version_of(e) or '(not installed)'}" for e in (spec.engine,) + spec.also]
    return first + (f" with {' and '.join(others)}" if others else "")


def engine_line(spec: ProgramSpec) -> str:
    """The line that names the engine."""
    if spec.simulated:
        return f"open-phenix {__version__}: {spec.name} is SIMULATED here: nothing is computed, the numbers are scripted"
    return f"open-phenix {__version__}: {spec.name} is run here by {engine_text(spec)} (an open program, not PHENIX)"


def ignored_line(request: Request) -> str:
    """The line that names the parameters without effect."""
    return f"open-phenix: parameters not honoured: {', '.join(request.ignored) or 'none'}"
