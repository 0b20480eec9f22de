"""Coot's jobs, each in a process of its own: `python -m open_phenix.coot_worker JOB JSON`.

Coot and cctbx bring two copies of the same C++ libraries, so they never share a process.
The last line of the output is `RESULT ` and JSON.
"""

import json
import sys
from typing import Any

ANY_MOLECULE = -999999  # Coot's IMOL_ENC_ANY
REFINE_CYCLES = 2000


def main() -> None:
    """Run the job named by the first argument with the JSON arguments of the second."""
    import coot_headless_api

    coot = coot_headless_api.molecules_container_t(False)
    coot.set_max_number_of_threads(1)
    result = JOBS[sys.argv[1]](coot, json.loads(sys.argv[2]))
    print("RESULT " + json.dumps(result), flush=True)


def fit_ligand(coot: Any, job: dict[str, Any]) -> list[dict[str, Any]]:
    """Fit one residue type into the map; the solutions, best first, each written to its own file."""
    model = _read_model(coot, job)
    density = coot.read_mtz(job["mtz"], job["f"], job["phi"], "", False, False)
    ligand = coot.get_monomer(job["code"])
    if ligand < 0:
        return []
    flexible = bool(job["conformers"])
    fits = coot.fit_ligand(model, density, ligand, job["n_rmsd"], flexible, job["conformers"])
    solutions = []
    for number, fit in enumerate(_best_of_each_cluster(fits)[: job["refine"]]):
        _refine_alone(coot, fit.imol, density)
        path = f"{job['out']}_{number}.pdb"
        coot.write_coordinates(fit.imol, path)
        solutions.append({"path": path, "score": fit.get_fitting_score(), "volume": fit.get_cluster_volume()})
    return sorted(solutions, key=lambda solution: -solution["score"])


def _best_of_each_cluster(fits: Any) -> list[Any]:
    """The best-fitting conformer of each density cluster (conformers name its volume), best cluster first."""
    best: dict[float, Any] = {}
    for fit in sorted(fits, key=lambda one: -one.get_fitting_score()):
        best.setdefault(fit.get_cluster_volume(), fit)
    return list(best.values())


def _refine_alone(coot: Any, molecule: int, density: int) -> None:
    """Real-space refinement of a fitted ligand by itself."""
    coot.set_imol_refinement_map(density)
    coot.refine_residues_using_atom_cid(molecule, "//", "ALL", REFINE_CYCLES)


def rotamers(coot: Any, job: dict[str, Any]) -> list[dict[str, Any]]:
    """Rotamer probability (percent) per side chain, as Coot tabulates it."""
    model = _read_model(coot, job)
    rows = []
    for chain in coot.rotamer_analysis(model).cviv:
        for item in chain.rviv:
            spec = item.residue_spec
            rows.append({"chain": spec.chain_id, "number": spec.res_no, "probability": item.function_value})
    return rows


def _read_model(coot: Any, job: dict[str, Any]) -> int:
    for dictionary in job.get("dictionaries", []):
        coot.import_cif_dictionary(dictionary, ANY_MOLECULE)
    return coot.read_coordinates(job["model"]) if hasattr(coot, "read_coordinates") else coot.read_pdb(job["model"])


def rebuild(coot: Any, job: dict[str, Any]) -> dict[str, Any]:
    """One round of rebuilding."""
    from open_phenix import coot_rebuilding

    return coot_rebuilding.rebuild(coot, job)


JOBS = {"fit_ligand": fit_ligand, "rotamers": rotamers, "rebuild": rebuild}

if __name__ == "__main__":
    main()
