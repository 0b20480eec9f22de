"""Ordered solvent as phenix.refine's ordered_solvent: peaks of mFo-DFc beside the model become waters, bad waters leave.

The peaks are found and brought next to the model by PHENIX's own code (mmtbx.find_peaks), and its limits hold
(mmtbx/solvent/ordered_solvent.py): 3 sigma in mFo-DFc when found, 1 sigma in 2mFo-DFc then and afterwards, B of 80 A2 at most,
a polar atom or water within hydrogen-bond distance. Two differ: a water stands 2.3 A at least from any other atom (1.8 A in
PHENIX, which moves riding hydrogens aside), and 3.4 A at most from the polar one (3.2 A), as peaks lie off by a few tenths at
low resolution.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gemmi

FIND_SIGMA = 3.0
KEEP_SIGMA = 1.0
MINIMUM_DISTANCE = 2.3  # A, to any atom of the model and to other waters
MAXIMUM_DISTANCE = 3.4  # A, to the nearest polar atom
MAXIMUM_B = 80.0  # A^2
_POLAR = ("N", "O", "S", "F", "Cl", "Br")


def add(structure: gemmi.Structure, mtz: Path, scratch: Path) -> int:
    """Add waters at the peaks of DELFWT, the highest first; returns how many."""
    density = _density(mtz)
    peaks = [site for site in _peaks(structure, mtz, scratch) if density.interpolate_value(site) >= KEEP_SIGMA]
    chosen = _acceptable(structure, peaks)
    _append(structure, chosen)
    return len(chosen)


def _peaks(structure: gemmi.Structure, mtz: Path, scratch: Path) -> list[gemmi.Position]:
    """Peaks of the difference map next to the model, the highest first."""
    import iotbx.mtz
    import iotbx.pdb
    from libtbx.utils import null_out
    from mmtbx import find_peaks

    heavy = structure.clone()
    heavy.remove_hydrogens()
    heavy.make_mmcif_document().write_file(str(scratch / "before_waters.cif"))
    arrays = iotbx.mtz.object(str(mtz)).as_miller_arrays()
    difference = next(array for array in arrays if "DELFWT" in array.info().labels)
    atoms = iotbx.pdb.input(str(scratch / "before_waters.cif")).xray_structure_simple(
        crystal_symmetry=difference.crystal_symmetry()
    )
    settings = find_peaks.master_params.extract()
    settings.map_next_to_model.min_model_peak_dist = MINIMUM_DISTANCE
    settings.map_next_to_model.max_model_peak_dist = MAXIMUM_DISTANCE
    settings.map_next_to_model.min_peak_peak_dist = MINIMUM_DISTANCE
    settings.peak_search.min_cross_distance = MINIMUM_DISTANCE
    finder = find_peaks.manager(FIND_SIGMA, atoms, settings, log=null_out(), map_coeffs=difference)
    found: Any = finder.peaks_mapped()
    if found is None:
        return []
    cell = atoms.unit_cell()
    ranked = sorted(zip(found.heights, found.sites), key=lambda peak: -peak[0])
    return [gemmi.Position(*cell.orthogonalize(site)) for _height, site in ranked]


def _density(mtz: Path) -> gemmi.FloatGrid:
    density = gemmi.read_mtz_file(str(mtz)).transform_f_phi_to_map("FWT", "PHWT", sample_rate=3)
    density.normalize()
    return density


def remove_bad(structure: gemmi.Structure, mtz: Path) -> int:
    """Remove waters with a high B, or outside of 1 sigma of 2mFo-DFc; returns how many. Other atoms stay."""
    density = _density(mtz)
    removed = 0
    for chain in structure[0]:
        for index in reversed(range(len(chain))):
            residue = chain[index]
            if residue.is_water() and not _well_placed(residue, density):
                del chain[index]
                removed += 1
    structure.remove_empty_chains()
    return removed


def remove_at(structure: gemmi.Structure, residues: Sequence[tuple[str, gemmi.Residue]]) -> list[str]:
    """Remove waters closer than MINIMUM_DISTANCE to residues outside the structure (with their chain); their names (`W 22`)."""
    if not residues:
        return []
    apart = gemmi.Model(1)
    for name, residue in residues:
        (apart.find_chain(name) or apart.add_chain(gemmi.Chain(name))).add_residue(residue.clone())
    search = gemmi.NeighborSearch(apart, structure.cell, MINIMUM_DISTANCE).populate(include_h=False)
    removed = []
    for chain in structure[0]:
        hit = [
            index
            for index, residue in enumerate(chain)
            if residue.is_water() and any(search.find_atoms(atom.pos, "\0", radius=MINIMUM_DISTANCE) for atom in residue)
        ]
        removed += [f"{chain.name} {chain[index].seqid}" for index in hit]
        for index in reversed(hit):
            del chain[index]
    structure.remove_empty_chains()
    return removed


def _well_placed(residue: gemmi.Residue, density: gemmi.FloatGrid) -> bool:
    oxygen = next((atom for atom in residue if atom.element.name == "O"), None)
    if oxygen is None:
        return False
    return oxygen.b_iso <= MAXIMUM_B and density.interpolate_value(oxygen.pos) >= KEEP_SIGMA


def _acceptable(structure: gemmi.Structure, positions: list[gemmi.Position]) -> list[gemmi.Position]:
    """Positions with enough room (symmetry copies included) and a polar neighbour, no two too close together."""
    search = gemmi.NeighborSearch(structure[0], structure.cell, MAXIMUM_DISTANCE + 0.5).populate(include_h=False)
    chosen: list[gemmi.Position] = []
    for position in positions:
        close = search.find_atoms(position, "\0", radius=MAXIMUM_DISTANCE)
        nearest = [(mark.pos.dist(position), mark) for mark in close]
        if any(distance < MINIMUM_DISTANCE for distance, _ in nearest):
            continue
        if not any(mark.element.name in _POLAR for _, mark in nearest):
            continue
        if all(_distance(structure.cell, position, other) >= MINIMUM_DISTANCE for other in chosen):
            chosen.append(position)
    return chosen


def _distance(cell: gemmi.UnitCell, first: gemmi.Position, second: gemmi.Position) -> float:
    return cell.find_nearest_image(first, second, gemmi.Asu.Any).dist()


def _append(structure: gemmi.Structure, positions: list[gemmi.Position]) -> None:
    if not positions:
        return
    chain, number = _water_chain(structure)
    b_start = _median_b(structure)
    for offset, position in enumerate(positions, start=1):
        residue = gemmi.Residue()
        residue.name = "HOH"
        residue.seqid = gemmi.SeqId(number + offset, " ")
        residue.het_flag = "H"
        oxygen = gemmi.Atom()
        oxygen.name, oxygen.element, oxygen.pos = "O", gemmi.Element("O"), position
        oxygen.b_iso, oxygen.occ = b_start, 1.0
        residue.add_atom(oxygen)
        chain.add_residue(residue)
    structure.setup_entities()
    structure.assign_serial_numbers()


def _water_chain(structure: gemmi.Structure) -> tuple[gemmi.Chain, int]:
    """The chain that holds only waters and its last number; a new one (S, as PHENIX, or the next free) if there is none."""
    for chain in structure[0]:
        if len(chain) and all(residue.is_water() for residue in chain):
            return chain, max(residue.seqid.num for residue in chain)
    names = {chain.name for chain in structure[0]}
    free = next(name for name in "SWXYZTUVRQPONMLKJIHGFEDCBA0123456789" if name not in names)
    structure[0].add_chain(gemmi.Chain(free))
    return structure[0][free], 0


def _median_b(structure: gemmi.Structure) -> float:
    values = sorted(site.atom.b_iso for site in structure[0].all())
    return values[len(values) // 2]
