"""PowerFit: exhaustive rigid-body search of a model in a map (van Zundert & Bonvin (2015) AIMS Biophysics 2, 73-87)."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from open_phenix.core import processes
from open_phenix.core.errors import Sorry
from open_phenix.cryoem import mrc_file
from open_phenix.cryoem.box_model import BoxModel

_FOLDER = "fits"
_TOLD = ("Shape after", "Real rotational", "Requested number", "Starting search", "Time for search", "Using")


@dataclass(frozen=True)
class Fit:
    """One placement: rank and PowerFit's own correlation score, and the atoms' new coordinates (box frame, Angstrom)."""

    rank: int
    score: float
    sites: Any


@dataclass(frozen=True)
class SearchOptions:
    """Angular step in degrees, processors, number of solutions to keep, GPU (None: CPU; "": the first one)."""

    step: float
    processors: int
    solutions: int
    gpu: str | None = None


def search(model: BoxModel, resolution: float, options: SearchOptions, folder: Path) -> list[Fit]:
    """All placements that PowerFit reports, best score first; prints progress lines during the search."""
    folder.mkdir(parents=True)
    target, template = folder / "target.mrc", folder / "template.pdb"
    mrc_file.write(model.box, target)
    template.write_text(model.hierarchy.as_pdb_string(crystal_symmetry=model.box.symmetry), encoding="utf-8")
    try:
        processes.run_logged(_command(target, template, resolution, options, folder), folder / "powerfit.out", _echo)
    except subprocess.CalledProcessError as problem:
        raise _explained(folder / "powerfit.out", problem.returncode) from problem
    return _fits(model, folder / _FOLDER)


def _command(target: Path, template: Path, resolution: float, options: SearchOptions, folder: Path) -> list[str]:
    command = [str(target), f"{resolution:g}", str(template), "-a", f"{options.step:g}", "-n", str(options.solutions)]
    command += ["-d", str(folder / _FOLDER)]
    if options.gpu is None:
        command += ["-p", str(options.processors)]
    else:
        command += ["-g"] + ([options.gpu] if options.gpu else [])
    return processes.engine_script("powerfit", *command)


def _echo(line: str) -> None:
    if line.startswith(_TOLD):
        print(f"  PowerFit: {line.strip()}")


def _fits(model: BoxModel, folder: Path) -> list[Fit]:
    table = folder / "solutions.out"
    if not table.is_file():
        return []
    fits = []
    for line in table.read_text(encoding="utf-8").splitlines()[1:]:
        rank, score = line.split()[:2]
        path = folder / f"fit_{rank}.pdb"
        if path.is_file():
            fits.append(Fit(int(rank), float(score), _moved_sites(model, path)))
    return fits


def _moved_sites(model: BoxModel, path: Path) -> Any:
    """PowerFit's file has no elements and its own atom records: only the rigid movement is taken from it."""
    from scitbx.array_family import flex
    from scitbx.math import superpose

    moved = flex.vec3_double()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(("ATOM", "HETATM")):
            moved.append((float(line[30:38]), float(line[38:46]), float(line[46:54])))
    original = model.hierarchy.atoms().extract_xyz()
    if moved.size() != original.size():
        raise Sorry(f"PowerFit read {moved.size()} of the {original.size()} atoms of {model.path}")
    movement = superpose.least_squares_fit(reference_sites=moved, other_sites=original)
    return movement.r.elems * original + movement.t.elems


def _explained(log: Path, code: int) -> Sorry:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    if any("requires either the cuda or opencl extra" in line for line in lines):
        return Sorry("gpu=True: PowerFit is installed here without CUDA and OpenCL; leave gpu out to search on the CPU")
    return Sorry(f"PowerFit ended with code {code}:\n" + "\n".join(lines[-3:]))
