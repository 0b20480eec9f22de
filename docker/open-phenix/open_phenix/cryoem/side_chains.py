"""Side chains that were caught in a shape which refinement cannot leave, rebuilt with ideal bonds and angles.

A planar group may be turned inside out, like a carboxylate whose oxygens are folded back onto the carbon before it (71 instead
of 118 degrees): each restraint holds the others where they are, whatever the weight of the data. Seen with a model shaken by
0.8 A, where one such group kept RMS(angles) at 2.4 degrees with every weight.
"""

import math
from pathlib import Path
from collections.abc import Sequence

import gemmi

from open_phenix.core.environment import monomer_library

CAUGHT = 10.0  # estimated deviations of an angle; refinement that works leaves none so far off; our own limit
_BACKBONE = ("N", "CA", "C", "O", "OXT", "H", "HA", "HA2", "HA3")
_FRAME = ("N", "CA", "C", "CB")
_FRAME_RMSD = 0.2  # Angstrom; above it the backbone is distorted too, or of the other hand


def straighten(structure: gemmi.Structure, dictionaries: Sequence[Path]) -> list[str]:
    """Rebuild them in the first model of `structure`, with the torsion angles that they have, and return their names."""
    library = _library(structure, dictionaries)
    found = []
    for chain in structure[0]:
        for residue in chain:
            if residue.name not in library.monomers or not gemmi.find_tabulated_residue(residue.name).is_amino_acid():
                continue
            component = library.monomers[residue.name]
            if _is_caught(residue, component) and _rebuild(residue, component):
                found.append(f"{chain.name} {residue.seqid} {residue.name}")
    return found


def _library(structure: gemmi.Structure, dictionaries: Sequence[Path]) -> gemmi.MonLib:
    library = gemmi.MonLib()
    for path in dictionaries:
        library.read_monomer_cif(str(path))
    library.read_monomer_lib(f"{monomer_library()}/", structure[0].get_all_residue_names())
    return library


def _is_caught(residue: gemmi.Residue, component: gemmi.ChemComp) -> bool:
    placed = _positions(residue)
    for angle in component.rt.angles:
        names = (angle.id1.atom, angle.id2.atom, angle.id3.atom)
        if angle.id2.atom in _BACKBONE or any(name not in placed or component.get_atom(name).is_hydrogen() for name in names):
            continue
        seen = math.degrees(gemmi.calculate_angle(*(placed[name] for name in names)))
        if abs(seen - angle.value) > CAUGHT * angle.esd:
            return True
    return False


def _rebuild(residue: gemmi.Residue, component: gemmi.ChemComp) -> bool:
    """False if the residue has alternative conformations or no sound frame, or its dictionary no coordinates."""
    placed = _positions(residue)
    ideal = {atom.id: gemmi.Position(atom.xyz) for atom in component.atoms}
    if any(atom.has_altloc() for atom in residue) or any(name not in placed for name in _FRAME):
        return False
    if any(math.isnan(position.x) for position in ideal.values()):
        return False
    for torsion in component.rt.torsions:
        names = (torsion.id1.atom, torsion.id2.atom, torsion.id3.atom, torsion.id4.atom)
        if torsion.label.startswith("chi") and all(name in placed for name in names):
            turn = gemmi.calculate_dihedral(*(placed[n] for n in names)) - gemmi.calculate_dihedral(*(ideal[n] for n in names))
            _turn(ideal, _beyond(component, names[1], names[2]), ideal[names[1]], ideal[names[2]], turn)
    onto = gemmi.superpose_positions([placed[name] for name in _FRAME], [ideal[name] for name in _FRAME])
    if onto.rmsd > _FRAME_RMSD:
        return False
    for atom in residue:
        if atom.name in ideal and atom.name not in _BACKBONE:
            atom.pos = gemmi.Position(onto.transform.apply(ideal[atom.name]))
    return True


def _positions(residue: gemmi.Residue) -> dict[str, gemmi.Position]:
    return {atom.name: atom.pos for atom in residue}


def _beyond(component: gemmi.ChemComp, near: str, far: str) -> set[str]:
    """Atoms that turn with `far` about the bond between the two; none where a ring holds the bond."""
    found, left = {far}, [far]
    while left:
        atom = left.pop()
        for bond in component.rt.bonds:
            ends = {bond.id1.atom, bond.id2.atom}
            if atom not in ends or ends == {near, far}:
                continue
            (other,) = ends - {atom}
            if other == near:
                return set()
            if other not in found:
                found.add(other)
                left.append(other)
    return found


def _turn(ideal: dict[str, gemmi.Position], moving: set[str], near: gemmi.Position, far: gemmi.Position, angle: float) -> None:
    """About the bond, in radians."""
    from scitbx.matrix import rotate_point_around_axis

    for name in moving:
        turned = rotate_point_around_axis(near.tolist(), far.tolist(), ideal[name].tolist(), angle)
        ideal[name] = gemmi.Position(*turned)
