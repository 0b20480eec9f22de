"""Validation of a model by cctbx, gemmi and Coot: each value, or the reason why it is not available."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from collections.abc import Callable, Sequence

import gemmi

from open_phenix.core.errors import is_sorry
from open_phenix.xray import clashscore, coot, geometry

import iotbx.pdb
from libtbx.utils import null_out
from mmtbx.validation import cbetadev, omegalyze, ramalyze


@dataclass(frozen=True)
class Ramachandran:
    """Percentages, the outliers one a line, and how many residues were looked at."""

    outliers: float
    allowed: float
    favored: float
    listed: Sequence[str]
    total: int


@dataclass(frozen=True)
class Rotamers:
    """Side chains that Coot assigns to none of its rotamers, of all it looked at (not MolProbity's measure)."""

    unassigned: int
    total: int


def attempt(reasons: dict[str, str], name: str, work: Callable[[], Any]) -> Any:
    """The result of `work`; if it fails, None, with the reason under `name`. An error in one value must not lose the others."""
    try:
        return work()
    except Exception as problem:  # cctbx's interpretation of odd models fails in many ways
        text = str(problem).strip().splitlines()
        kind = "" if is_sorry(problem) else f"{type(problem).__name__} "
        reasons[name] = f"{kind}{text[0] if text else ''}".strip()
        return None


def hierarchy_of(path: Path) -> Any:
    """cctbx's hierarchy of a model file."""
    return iotbx.pdb.input(str(path)).construct_hierarchy()


def ramachandran(hierarchy: Any) -> Ramachandran | None:
    """Lovell et al. (2003), Proteins 50, 437, with the Top8000 contours inside cctbx; None without any such residue."""
    result = ramalyze.ramalyze(pdb_hierarchy=hierarchy, outliers_only=False, out=null_out(), quiet=True)
    if result.n_total == 0:
        return None
    listed = [entry.as_string() for entry in result.results if entry.is_outlier()]
    share = [100.0 * count / result.n_total for count in (result.n_outliers, result.n_allowed, result.n_favored)]
    return Ramachandran(share[0], share[1], share[2], listed, result.n_total)


def ramachandran_or_none(path: Path) -> Ramachandran | None:
    """The same for a file; None also where cctbx cannot interpret the model."""
    return attempt({}, "Ramachandran", lambda: ramachandran(hierarchy_of(path)))


def c_beta(hierarchy: Any) -> Any:
    """Number of C-beta deviations of 0.25 A or more (Lovell et al. 2003)."""
    return cbetadev.cbetadev(pdb_hierarchy=hierarchy, outliers_only=True, out=null_out(), quiet=True).n_outliers


def c_beta_or_none(path: Path) -> int | None:
    """The same for a file; None also where cctbx cannot interpret the model."""
    found: int | None = attempt({}, "C-beta deviations", lambda: c_beta(hierarchy_of(path)))
    return found


def omega(hierarchy: Any) -> Any:
    """cctbx's omegalyze: cis and twisted peptides."""
    return omegalyze.omegalyze(pdb_hierarchy=hierarchy, nontrans_only=True, out=null_out(), quiet=True)


def deviations(structure: gemmi.Structure, dictionaries: Sequence[Path]) -> geometry.Deviations:
    """RMS of bonds (A) and angles (degrees)."""
    return geometry.deviations(structure, dictionaries)


def clashes(structure: gemmi.Structure, dictionaries: Sequence[Path], folder: Path) -> clashscore.Clashes:
    """The clashscore."""
    return clashscore.compute(structure, dictionaries, folder)


def clashscore_or_none(structure: gemmi.Structure, dictionaries: Sequence[Path], folder: Path) -> float | None:
    """The score alone; None, with the reason in the log, where cctbx cannot interpret the model."""
    reasons: dict[str, str] = {}
    found = attempt(reasons, "Clashscore", lambda: clashes(structure, dictionaries, folder))
    for reason in reasons.values():
        print(f"  Clashscore: not available ({reason})")
    return None if found is None else float(found.score)


def rotamers(model: Path, dictionaries: Sequence[Path], folder: Path) -> Rotamers:
    """Coot's rotamer analysis."""
    job = {"model": str(model.resolve()), "dictionaries": [str(path) for path in dictionaries]}
    rows = coot.run("rotamers", job, folder / "rotamers.log")
    return Rotamers(sum(1 for row in rows if row["probability"] <= 0), len(rows))
