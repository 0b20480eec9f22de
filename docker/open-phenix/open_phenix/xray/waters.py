"""Ordered solvent: waters found by Coot in the difference map, kept only where both maps and the surroundings agree.

Limits follow phenix.refine's ordered_solvent: a water stands 1.8 to 6 A from the model (here 2.3 A at least: riding
hydrogens are not moved aside), at 3 sigma of mFo-DFc when found and at 1 sigma of 2mFo-DFc afterwards, with B below 80 A2.
"""

from collections.abc import Sequence
from pathlib import Path

import gemmi

from open_phenix.xray import coot

FIND_SIGMA = 3.0
KEEP_SIGMA = 1.0
MINIMUM_DISTANCE = 2.3  # A, to any atom of the model and to other waters
MAXIMUM_DISTANCE = 3.6  # A, to the nearest polar atom
MAXIMUM_B = 80.0  # A^2
_POLAR = ("N", "O", "S", "F", "Cl", "Br")


def add(structure: gemmi.Structure, mtz: Path, dictionaries: list[Path], scratch: Path) -> int:
    """Add the waters that Coot finds in DELFWT; returns how many."""
    model = scratch / "before_waters.pdb"
    without_hydrogens = structure.clone()  # a hydrogen of a donor stands where Coot would look for the water that it points to
    without_hydrogens.remove_hydrogens()
    without_hydrogens.write_pdb(str(model))
    found = coot.run(
        "find_waters",
        {
            "model": str(model),
            "mtz": str(mtz),
            "f": "DELFWT",
            "phi": "PHDELWT",
            "sigma": FIND_SIGMA,
            "dictionaries": [str(path) for path in dictionaries],
            "out": str(scratch / "after_waters.pdb"),
        },
        scratch / "find_waters.log",
    )
    chosen = _acceptable(structure, [gemmi.Position(*p) for p in found])
    _append(structure, chosen)
    return len(chosen)


def remove_bad(structure: gemmi.Structure, mtz: Path) -> int:
    """Remove waters with a high B, or outside of 1 sigma of 2mFo-DFc; returns how many. Other atoms stay."""
    density = gemmi.read_mtz_file(str(mtz)).transform_f_phi_to_map("FWT", "PHWT", sample_rate=3)
    density.normalize()
    removed = 0
    for chain in structure[0]:
        for index in reversed(range(len(chain))):
            residue = chain[index]
            if residue.is_water() and not _well_placed(residue, density):
                del chain[index]
                removed += 1
    structure.remove_empty_chains()
    return removed


def remove_at(structure: gemmi.Structure, residues: Sequence[tuple[str, gemmi.Residue]]) -> int:
    """Remove waters closer than MINIMUM_DISTANCE to residues that are no part of the structure (with their chain); how many."""
    if not residues:
        return 0
    apart = gemmi.Model(1)
    for name, residue in residues:
        (apart.find_chain(name) or apart.add_chain(gemmi.Chain(name))).add_residue(residue.clone())
    search = gemmi.NeighborSearch(apart, structure.cell, MINIMUM_DISTANCE).populate(include_h=False)
    removed = 0
    for chain in structure[0]:
        for index in reversed(range(len(chain))):
            if chain[index].is_water() and any(search.find_atoms(atom.pos, "\0", radius=MINIMUM_DISTANCE) for atom in chain[index]):
                del chain[index]
                removed += 1
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
