"""The table "Geometry" of a refinement's log: as submitted, and at the end. The service reads both columns."""

from collections.abc import Sequence

from open_phenix.weighting.geometry_limits import Geometry

_NOT_AVAILABLE = "not available"


def show(start: Geometry, end: Geometry, faults: Sequence[str], c_beta: "tuple[int | None, int | None] | None" = None) -> None:
    """Print it with unavailable values marked, and a warning for values outside the limits."""
    plots = (start.ramachandran, end.ramachandran)
    print("\nGeometry:               start     final")
    _row("RMS(bonds)", (start.bonds, end.bonds), "8.4f")
    _row("RMS(angles)", (start.angles, end.angles), "8.3f")
    _row("Ramachandran favored", [plot and plot.favored for plot in plots], "5.2f", " %")
    _row("Ramachandran outliers", [plot and plot.outliers for plot in plots], "5.2f", " %")
    if (start.clashscore, end.clashscore) != (None, None):
        _row("Clashscore", (start.clashscore, end.clashscore), "8.2f")
    if c_beta is not None and None not in c_beta:
        _row("C-beta deviations", c_beta, "8d")
    if faults:
        print(f"WARNING: geometry outside of the limits for this resolution and model: {'; '.join(faults)}")


def _row(name: str, values: "Sequence[float | None]", form: str, unit: str = "") -> None:
    print(f"  {name:<22s}" + "  ".join(_NOT_AVAILABLE if value is None else f"{value:{form}}{unit}" for value in values))
