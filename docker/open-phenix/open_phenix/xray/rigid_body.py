"""A model of the same crystal form put into the cell of these data: each chain as a rigid body, by PHENIX's own mmtbx.refinement."""

from typing import Any

import iotbx.pdb
import mmtbx.f_model
from cctbx.array_family import flex
from mmtbx.bulk_solvent import bulk_solvent_and_scaling
from mmtbx.refinement import rigid_body
import gemmi
import numpy as np

HIGH_RESOLUTION = 3.5  # A, and 15 A at the other end: the limits of DIMPLE's rigid body (ccp4/dimple, main.py)
LOW_RESOLUTION = 15.0


def groups(structure: gemmi.Structure) -> list[list[int]]:
    """Positions of the atoms of each rigid body: a polymer chain with the waters and ligands of its name, others with the nearest."""
    chains = []
    at = 0
    for chain in structure[0]:
        count = sum(len(residue) for residue in chain)
        chains.append((chain, list(range(at, at + count))))
        at += count
    sites = _sites(structure)
    # a chain of its own for waters or ligands belongs to the polymer that it is nearest to
    bodies: dict[str, list[int]] = {chain.name: [] for chain, _ in chains if len(chain.get_polymer())}
    if not bodies:
        return [list(range(at))]
    for chain, atoms in chains:
        if chain.name in bodies:
            bodies[chain.name] += atoms
    polymers = {name: sites[atoms] for name, atoms in bodies.items()}
    for chain, atoms in chains:
        for residue, own in _by_residue(chain, atoms) if chain.name not in bodies else ():
            nearest = min(polymers, key=lambda name: _gap(polymers[name], sites[own]))
            bodies[nearest] += own
    return [sorted(body) for body in bodies.values()]


def to_cell(structure: gemmi.Structure, cell: gemmi.UnitCell) -> float:
    """Move each body so that its centre has the fractional coordinates that it had in the model's own cell; the longest shift (A)."""
    own, sites = structure.cell, _sites(structure)
    longest = 0.0
    if not own.is_crystal():
        return longest
    for body in groups(structure):
        centre = gemmi.Position(*sites[body].mean(0))
        shift = np.array(cell.orthogonalize(own.fractionalize(centre)).tolist()) - np.array(centre.tolist())
        sites[body] += shift
        longest = max(longest, float(np.linalg.norm(shift)))
    _set_sites(structure, sites)
    return longest


def refine(structure: gemmi.Structure, amplitudes: Any, is_test: Any) -> None:
    """Fit the bodies to the data (resolution as DIMPLE's, mmtbx's zones) and say what moved; `structure` has the data's cell already."""
    data = amplitudes.resolution_filter(d_max=LOW_RESOLUTION, d_min=HIGH_RESOLUTION)
    data, flags = data.common_sets(is_test)
    text = structure.make_pdb_string()
    source = iotbx.pdb.input(source_info=None, lines=text.splitlines())
    model = mmtbx.f_model.manager(
        xray_structure=source.xray_structure_simple(crystal_symmetry=data.crystal_symmetry()), f_obs=data, r_free_flags=flags
    )
    model.update_all_scales(update_f_part1=False)
    before, bodies = model.r_work(), groups(structure)
    params = rigid_body.master_params.extract()
    params.high_resolution = HIGH_RESOLUTION
    scaling = bulk_solvent_and_scaling.master_params.extract()
    scaling.__inject__("mode", "fast")  # the manager reads it, this cctbx has no definition of it
    start = _sites(structure)
    selections = [flex.size_t(body) for body in bodies]
    rigid_body.manager(fmodel=model, selections=selections, params=params, bss=scaling, log=_Silent())
    moved = model.xray_structure.sites_cart().as_numpy_array()
    _set_sites(structure, moved)
    shift = max(float(np.linalg.norm((moved - start)[body], axis=1).mean()) for body in bodies)
    count = "1 rigid body" if len(bodies) == 1 else f"{len(bodies)} rigid bodies"
    print(f"  {count}, {data.d_max_min()[0]:.1f} - {data.d_min():.1f} A: R-work {before:.4f} -> {model.r_work():.4f}, atoms moved by "
          f"{shift:.2f} A at most (mean of a body)")


class _Silent:
    def write(self, _text: str) -> None:
        """Drop the text."""

    def flush(self) -> None:
        """Nothing to do."""


def _by_residue(chain: gemmi.Chain, atoms: list[int]) -> Any:
    at = 0
    for residue in chain:
        yield residue, atoms[at : at + len(residue)]
        at += len(residue)


def _gap(polymer: Any, some: Any) -> float:
    return float(np.linalg.norm(polymer - some.mean(0), axis=1).min())


def _sites(structure: gemmi.Structure) -> Any:
    return np.array([atom.pos.tolist() for chain in structure[0] for residue in chain for atom in residue])


def _set_sites(structure: gemmi.Structure, sites: Any) -> None:
    at = 0
    for chain in structure[0]:
        for residue in chain:
            for atom in residue:
                atom.pos = gemmi.Position(*sites[at])
                at += 1
