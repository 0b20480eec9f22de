"""How far bonds, angles, backbone and contacts of a refined model may be from ideal: one table for the log and for the weights.

`TABLE` is the column `acceptable` of knowledge/metrics.yaml, by which the service judges the same numbers; a test compares them.
Bonds and angles are PHENIX's limits (cctbx, mmtbx/refinement/weights_params.py) for 1.5 A and worse. At better resolution PHENIX
allows 0.025 A and 3 degrees; 0.02 A and 2 degrees are what Jaskolski et al. (2007), Acta Cryst. D63, 611, find in good
structures. Backbone and clashscore are those of MolProbity (Williams et al. 2018, Protein Sci. 27, 293) as the PHENIX AI Agent
reads them.

The model as submitted sets limits too: data of low resolution are no reason to leave a good geometry, and a model that is
outside of the table already need not be pulled inside by refinement alone, but must not become worse. The tolerances are our own:
what two refinements of one model differ by (rnase at 1.85 A loses two of 183 residues while R-free falls by 0.01).
"""

import math
from dataclasses import dataclass

from open_phenix.xray.validation import Ramachandran

# Angstrom, then bonds (Angstrom) and angles (degrees); linear between two rows, constant beyond the ends.
TABLE = ((1.75, 0.020, 2.0), (2.25, 0.015, 2.0))
FAVORED, OUTLIERS, CLASHSCORE = 95.0, 0.5, 10.0  # per cent, per cent, overlaps in 1000 atoms
# Angstrom. From here on PHENIX's table takes R-free within 1.5 % as equal, as R-free alone decides no more.
LOW_RESOLUTION = 2.5
# Per cent of the residues (but one at least) that may leave the favoured regions, or become outliers.
RAMACHANDRAN_LOSS = 2.0
RAMACHANDRAN_LOSS_LOW = 1.0
ANGLES_LOSS = 0.5  # degrees that RMS(angles) may rise at low resolution
CLASHSCORE_LOSS = 2.0


@dataclass(frozen=True)
class Geometry:
    """RMS of bonds (Angstrom) and angles (degrees), the Ramachandran plot, and the clashscore; None where it is not known."""

    bonds: float | None = None
    angles: float | None = None
    ramachandran: Ramachandran | None = None
    clashscore: float | None = None


@dataclass(frozen=True)
class GeometryLimits:
    """Upper limits of bonds (Angstrom), angles (degrees), outliers (per cent), clashscore; lower one of favored (per cent)."""

    bonds: float
    angles: float
    favored: float | None = None
    outliers: float | None = None
    clashscore: float | None = None

    def shown(self) -> str:
        """All of them, for the log."""
        parts = [f"bonds {self.bonds:.3f} A", f"angles {self.angles:.2f} deg"]
        if self.favored is not None and self.outliers is not None:
            parts += [f"Ramachandran favored {self.favored:.1f} %", f"outliers {self.outliers:.1f} %"]
        if self.clashscore is not None:
            parts.append(f"clashscore {self.clashscore:.1f}")
        return ", ".join(parts)


def limits(d_min: float, start: Geometry = Geometry()) -> GeometryLimits:
    """Of a model that began as `start`, at that resolution (Angstrom)."""
    bonds, angles = _of_table(d_min)
    if start.angles is not None and d_min >= LOW_RESOLUTION:
        angles = min(angles, start.angles + ANGLES_LOSS)
    favored = outliers = clashscore = None
    if start.ramachandran is not None:
        percent = RAMACHANDRAN_LOSS_LOW if d_min >= LOW_RESOLUTION else RAMACHANDRAN_LOSS
        loss = max(percent, 100.0 / start.ramachandran.total)
        favored = start.ramachandran.favored - loss
        outliers = max(OUTLIERS, start.ramachandran.outliers + loss)
    if start.clashscore is not None:
        clashscore = max(CLASHSCORE, start.clashscore + CLASHSCORE_LOSS)
    return GeometryLimits(bonds, angles, favored, outliers, clashscore)


def tolerated(d_min: float, start: Geometry) -> GeometryLimits:
    """What the service still calls no worse than the model as submitted (knowledge/metrics.yaml, `geometry`)."""
    _, angles = _of_table(d_min)
    plot, clashscore = start.ramachandran, start.clashscore
    return GeometryLimits(
        math.inf,
        max(angles, start.angles or 0.0) + ANGLES_LOSS,
        None if plot is None else min(FAVORED, plot.favored) - RAMACHANDRAN_LOSS,
        None if plot is None else max(OUTLIERS, plot.outliers) + RAMACHANDRAN_LOSS,
        None if clashscore is None else max(CLASHSCORE, clashscore) + CLASHSCORE_LOSS,
    )


def faults(geometry: Geometry, within: GeometryLimits) -> list[str]:
    """What is outside of the limits, in words."""
    found = []
    if geometry.bonds is not None and geometry.bonds > within.bonds:
        found.append(f"bonds above {within.bonds:.3f} A")
    if geometry.angles is not None and geometry.angles > within.angles:
        found.append(f"angles above {within.angles:.2f} deg")
    plot = geometry.ramachandran
    if plot is not None and within.favored is not None and plot.favored < within.favored:
        found.append(f"Ramachandran favored below {within.favored:.1f} %")
    if plot is not None and within.outliers is not None and plot.outliers > within.outliers:
        found.append(f"Ramachandran outliers above {within.outliers:.1f} %")
    if geometry.clashscore is not None and within.clashscore is not None and geometry.clashscore > within.clashscore:
        found.append(f"clashscore above {within.clashscore:.1f}")
    return found


def _of_table(d_min: float) -> "tuple[float, float]":
    first, last = TABLE[0], TABLE[-1]
    if d_min <= first[0]:
        return first[1:]
    for below, above in zip(TABLE, TABLE[1:]):
        if d_min < above[0]:
            share = (d_min - below[0]) / (above[0] - below[0])
            return (below[1] + share * (above[1] - below[1]), below[2] + share * (above[2] - below[2]))
    return last[1:]
