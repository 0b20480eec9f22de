"""Servalcat's refine_spa_norefmac: refinement of a model against half maps, or against one map.

Yamashita, Palmer, Burnley & Murshudov (2021) Acta Cryst. D77, 1282-1291; Yamashita et al. (2023) Acta Cryst. D79, 368-373.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from collections.abc import Sequence

from open_phenix.core import processes
from open_phenix.core.errors import Sorry

_CYCLE = re.compile(r"====== CYCLE\s+(\d+) ======")
_FSC = re.compile(r"^FSCaverage = *([\d.]+)")


@dataclass(frozen=True)
class SpaInput:
    """What stays the same in all runs: maps (two half maps, or one map), resolution in Angstrom, dictionaries."""

    maps: tuple[Path, ...]
    resolution: float
    dictionaries: Sequence[Path] = ()
    keep_hydrogens: bool = False
    find_links: bool = False


@dataclass(frozen=True)
class SpaRun:
    """The refined model, FSCaverage of the last cycle, and rms deviations of bonds (Angstrom) and angles (degrees)."""

    pdb: Path
    cif: Path
    log: Path
    fsc_average: float | None
    bonds: float | None
    angles: float | None


def refine(model: Path, given: SpaInput, cycles: int, prefix: Path) -> SpaRun:
    """Run `cycles` cycles; each is told as it ends. What Servalcat cannot take raises Sorry."""
    log = prefix.with_name(prefix.name + "_servalcat.log")
    progress = _Progress()
    try:
        processes.run_logged(_command(model, given, cycles, prefix), log, progress.line, cwd=prefix.parent)
    except subprocess.CalledProcessError as problem:
        raise _explained(log, problem.returncode) from problem
    summary = json.loads(prefix.with_name(prefix.name + "_stats.json").read_text(encoding="utf-8"))[-1]
    rmsd = summary.get("geom", {}).get("summary", {}).get("r.m.s.d.", {})
    return SpaRun(
        pdb=prefix.with_name(prefix.name + ".pdb"),
        cif=prefix.with_name(prefix.name + ".mmcif"),
        log=log,
        fsc_average=summary["data"]["summary"].get("FSCaverage"),
        bonds=rmsd.get("Bond distances, non H"),
        angles=rmsd.get("Bond angles, non H"),
    )


def _command(model: Path, given: SpaInput, cycles: int, prefix: Path) -> list[str]:
    maps = [str(path) for path in given.maps]
    command = ["refine_spa_norefmac"] + (["--halfmaps", *maps] if len(maps) == 2 else ["--map", *maps])
    command += ["--model", str(model), "-d", f"{given.resolution:g}", "-s", "electron", "--ncycle", str(cycles)]
    command += ["--hout"] if given.keep_hydrogens else []
    command += ["--find_links"] if given.find_links else []
    command += ["--ligand", *[str(path) for path in given.dictionaries]] if given.dictionaries else []
    return processes.engine_script("servalcat", *command, "-o", prefix.name)


class _Progress:
    """Tells the FSCaverage after each cycle."""

    def __init__(self) -> None:
        self.cycle = 0

    def line(self, text: str) -> None:
        found = _CYCLE.search(text)
        if found:
            self.cycle = int(found.group(1))
        found = _FSC.match(text)
        if found and self.cycle:
            print(f"    Servalcat cycle {self.cycle}: FSCaverage = {found.group(1)}")


def _explained(log: Path, code: int) -> Sorry:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    details = [line.strip() for line in lines if "definition not found for" in line and "should remove" not in line]
    errors = [line.strip() for line in lines if re.match(r"\s*(Error|ERROR|RuntimeError|ValueError|SystemExit)", line)]
    told = "\n".join(dict.fromkeys(errors + details)) or "\n".join(lines[-5:])
    return Sorry(f"Servalcat cannot refine this model (exit code {code}):\n{told}")
