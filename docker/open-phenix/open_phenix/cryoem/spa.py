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
_HALF_FSC = re.compile(r"^ *FSCaverage\((half[12])\)= *([\d.]+)")
_WEIGHT = re.compile(r"^ *Will use weight= *([\d.]+)")


@dataclass(frozen=True)
class SpaInput:
    """Constants of all runs: maps (two half maps, or one map), resolution in Angstrom, dictionaries.

    `weight` None: Servalcat estimates and adjusts it. `cross_validation`: only the first half map is refined against.
    """

    maps: tuple[Path, ...]
    resolution: float
    dictionaries: Sequence[Path] = ()
    keep_hydrogens: bool = False
    weight: float | None = None
    cross_validation: bool = False
    find_links: bool = False


@dataclass(frozen=True)
class SpaRun:
    """The refined model, FSCaverage of the last cycle, Servalcat's estimate of the weight where it made one, and of a run with
    cross-validation FSCaverage with the half map that was refined against (work) and with the other one (free)."""

    pdb: Path
    cif: Path
    log: Path
    fsc_average: float | None
    weight: float | None
    fsc_work: float | None
    fsc_free: float | None


def refine(model: Path, given: SpaInput, cycles: int, prefix: Path) -> SpaRun:
    """Run `cycles` cycles and report each as it ends. Input that Servalcat rejects raises Sorry."""
    log = prefix.with_name(prefix.name + "_servalcat.log")
    progress = _Progress()
    try:
        processes.run_logged(_command(model, given, cycles, prefix), log, progress.line, cwd=prefix.parent)
    except subprocess.CalledProcessError as problem:
        raise _explained(log, problem.returncode) from problem
    summary = json.loads(prefix.with_name(prefix.name + "_stats.json").read_text(encoding="utf-8"))[-1]
    return SpaRun(
        pdb=prefix.with_name(prefix.name + ".pdb"),
        cif=prefix.with_name(prefix.name + ".mmcif"),
        log=log,
        fsc_average=summary["data"]["summary"].get("FSCaverage"),
        weight=progress.weight,
        fsc_work=progress.final_fsc.get("half1"),
        fsc_free=progress.final_fsc.get("half2"),
    )


def _command(model: Path, given: SpaInput, cycles: int, prefix: Path) -> list[str]:
    maps = [str(path) for path in given.maps]
    command = ["refine_spa_norefmac"] + (["--halfmaps", *maps] if len(maps) == 2 else ["--map", *maps])
    command += ["--model", str(model), "-d", f"{given.resolution:g}", "-s", "electron", "--ncycle", str(cycles)]
    command += ["--hout"] if given.keep_hydrogens else []
    command += ["--cross_validation"] if given.cross_validation else []
    if given.weight is not None:  # Servalcat may lower a chosen weight, but never raise it again
        command += ["--weight", f"{given.weight:g}", "--target_bond_rmsz_range", "0", "1"]
    command += ["--find_links"] if given.find_links else []
    command += ["--ligand", *[str(path) for path in given.dictionaries]] if given.dictionaries else []
    return processes.engine_script("servalcat", *command, "-o", prefix.name)


class _Progress:
    """Reports the FSCaverage after each cycle, and stores Servalcat's weight and the cross-validated FSCaverage."""

    def __init__(self) -> None:
        self.cycle = 0
        self.weight: float | None = None
        self.final_fsc: dict[str, float] = {}

    def line(self, text: str) -> None:
        found = _CYCLE.search(text)
        if found:
            self.cycle = int(found.group(1))
        found = _FSC.match(text)
        if found and self.cycle:
            print(f"    Servalcat cycle {self.cycle}: FSCaverage = {found.group(1)}")
        found = _WEIGHT.match(text)
        if found:
            self.weight = float(found.group(1))
        found = _HALF_FSC.match(text)
        if found:
            self.final_fsc[found.group(1)] = float(found.group(2))


def _explained(log: Path, code: int) -> Sorry:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    details = [line.strip() for line in lines if "definition not found for" in line and "should remove" not in line]
    errors = [line.strip() for line in lines if re.match(r"\s*(Error|ERROR|RuntimeError|ValueError|SystemExit)", line)]
    told = "\n".join(dict.fromkeys(errors + details)) or "\n".join(lines[-5:])
    return Sorry(f"Servalcat cannot refine this model (exit code {code}):\n{told}")
