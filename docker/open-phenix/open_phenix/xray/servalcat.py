"""Servalcat's refine_xtal_norefmac: one run of some cycles, followed live, its statistics read afterwards."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from collections.abc import Callable, Sequence

from open_phenix.core import processes
from open_phenix.core.errors import Sorry

_R_LINE = re.compile(r"R1?work = ([\d.]+) R1?free = ([\d.]+)")
_OPERATOR_LINE = re.compile(r"^ *\d+ +([-+hkl/2]+,[-+hkl/2]+,[-+hkl/2]+) +[\d.]+ +[\d.]+")
_CYCLE_LINE = re.compile(r"====== CYCLE\s+(\d+) ======")


@dataclass(frozen=True)
class Cycle:
    """Statistics after one cycle; rmsd of bonds in Angstrom and of angles in degrees, hydrogens left out."""

    r_work: float
    r_free: float
    bonds: float | None
    angles: float | None


@dataclass(frozen=True)
class RunOptions:
    """Constants of all runs of one refinement. `weight` None: Servalcat estimates and adjusts it."""

    reflections: Path
    dictionaries: Sequence[Path] = ()
    anisotropic: bool = False
    twin: bool = False
    local_ncs: bool = False
    d_min: float | None = None
    d_max: float | None = None
    weight: float | None = None
    jelly_body: bool = False
    write_hydrogens: bool = False
    find_links: bool = False
    check_operators: Callable[[list[str]], None] | None = None


@dataclass
class RunResult:
    """Files and statistics of one run; `cycles[0]` describes the model as given."""

    pdb: Path
    cif: Path
    mtz: Path
    log: Path
    cycles: list[Cycle] = field(default_factory=list)
    twin_fractions: dict[str, float] = field(default_factory=dict)

    def model_like(self, given: Path) -> Path:
        """The refined model in the format of `given`."""
        return self.pdb if given.suffix == ".pdb" else self.cif


def refine(
    model: Path, options: RunOptions, cycles: int, prefix: Path, on_cycle: Callable[[int, float, float], None]
) -> RunResult:
    """Run `cycles` cycles from `model`; all files start with `prefix`. Input that Servalcat rejects raises Sorry."""
    log = prefix.with_name(prefix.name + "_servalcat.log")
    counter = _Progress(on_cycle, options.check_operators if options.twin else None)
    try:
        processes.run_logged(_command(model, options, cycles, prefix), log, counter.line)
    except subprocess.CalledProcessError as problem:
        raise _explained(log, problem.returncode) from problem
    result = RunResult(
        pdb=prefix.with_name(prefix.name + ".pdb"),
        cif=prefix.with_name(prefix.name + ".mmcif"),
        mtz=prefix.with_name(prefix.name + ".mtz"),
        log=log,
    )
    stats = json.loads(prefix.with_name(prefix.name + "_stats.json").read_text(encoding="utf-8"))
    result.cycles = [_cycle(entry) for entry in stats]
    if options.twin:
        result.twin_fractions = _twin_fractions(log)
    return result


def _command(model: Path, options: RunOptions, cycles: int, prefix: Path) -> list[str]:
    command = ["refine_xtal_norefmac", "--hklin", str(options.reflections), "--labin", "F,SIGF,FREE", "--free", "0"]
    command += ["--model", str(model), "-s", "xray", "--ncycle", str(cycles), "-o", str(prefix)]
    command += ["--adp", "aniso" if options.anisotropic else "iso"]
    if options.dictionaries:
        command += ["--ligand", *[str(path) for path in options.dictionaries]]
    more = (("--jellybody", options.jelly_body), ("--hout", options.write_hydrogens), ("--find_links", options.find_links))
    for flag, wanted in (("--twin", options.twin), ("--ncsr", options.local_ncs), *more):
        command += [flag] if wanted else []
    for flag, number in (("-d", options.d_min), ("--d_max", options.d_max), ("--weight", options.weight)):
        command += [flag, f"{number:g}"] if number is not None else []
    if options.weight is not None:
        command += ["--target_bond_rmsz_range", "0", "1"]  # Servalcat may lower a chosen weight, but never raise it again
    return processes.engine_script("servalcat", *command)


class _Progress:
    """Reads the log as it grows: cycles, R values, and the twin operators (which `check` may refuse by raising)."""

    def __init__(self, on_cycle: Callable[[int, float, float], None], check: Callable[[list[str]], None] | None):
        self.cycle = 0
        self.on_cycle = on_cycle
        self.check = check
        self.operators: list[str] = []

    def line(self, text: str) -> None:
        found = _CYCLE_LINE.search(text)
        if found:
            self.cycle = int(found.group(1))
        found = _R_LINE.search(text)
        if found:
            self.on_cycle(self.cycle, float(found.group(1)), float(found.group(2)))
        if self.check is not None:
            self._operator_line(text, self.check)

    def _operator_line(self, text: str, check: Callable[[list[str]], None]) -> None:
        found = _OPERATOR_LINE.match(text)
        if found:
            self.operators.append(found.group(1))
        elif "reflections for refinement" in text:
            check(self.operators)


def _cycle(entry: dict[str, Any]) -> Cycle:
    data = entry["data"]["summary"]
    rmsd = entry.get("geom", {}).get("summary", {}).get("r.m.s.d.", {})
    return Cycle(
        data.get("Rwork", data.get("R1work")),
        data.get("Rfree", data.get("R1free")),
        rmsd.get("Bond distances, non H"),
        rmsd.get("Bond angles, non H"),
    )


def _twin_fractions(log: Path) -> dict[str, float]:
    """Operator (h,k,l first) to fraction, from the table of operators and the last estimate."""
    text = log.read_text(encoding="utf-8")
    table = re.search(r"Operator\s+Obliquity.*\n((?: *\d+ +\S+,\S+,\S+ .*\n)+)", text)
    operators = re.findall(r"^ *\d+ +(\S+,\S+,\S+) ", table.group(1), re.MULTILINE) if table else []
    estimates = re.findall(r"Final twin fraction estimate: ([\d. ]+)", text)
    fractions = [float(number) for number in estimates[-1].split()] if estimates else []
    return dict(zip(operators, fractions))


def _explained(log: Path, code: int) -> Sorry:
    """Servalcat's own complaint, with the residue or atom that it is about."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    details = [line.strip() for line in lines if "definition not found for" in line]
    errors = [line.strip() for line in lines if re.match(r"\s*(Error|ERROR|RuntimeError|ValueError|SystemExit)", line)]
    told = "\n".join(dict.fromkeys(errors + details)) or "\n".join(lines[-5:])
    return Sorry(f"Servalcat cannot refine this model (exit code {code}):\n{told}")

