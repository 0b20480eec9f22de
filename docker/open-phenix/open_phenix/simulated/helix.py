"""Ideal helices threaded with a sequence: N, CA, C, O and CB only. A shape to look at, not a prediction.

Backbone from internal coordinates (Engh & Huber (1991) Acta Cryst. A47, 392-400; Angstrom and degrees), phi -57.8 and psi -47.0
(Pauling helix), atom by atom with the natural extension reference frame (Parsons et al. (2005) J. Comput. Chem. 26, 1063-1068).
"""

import math
from typing import Any

Vector = tuple[float, float, float]

PHI, PSI, OMEGA = -57.8, -47.0, 180.0
SEGMENT = 18  # residues per helix; longer sequences become several helices side by side
SPACING = 10.0  # Angstrom between the axes of neighbouring helices
_THREE = {
    "A": "ALA", "R": "ARG", "N": "ASN", "D": "ASP", "C": "CYS", "Q": "GLN", "E": "GLU", "G": "GLY", "H": "HIS", "I": "ILE",
    "L": "LEU", "K": "LYS", "M": "MET", "F": "PHE", "P": "PRO", "S": "SER", "T": "THR", "W": "TRP", "Y": "TYR", "V": "VAL",
}


def structure(chains: list[str], center: Vector, plddt: float) -> Any:
    """A gemmi structure with one chain per sequence, its centre at `center`; B values are `plddt`, less at the ends."""
    import gemmi

    result = gemmi.Structure()
    result.name = "SIMULATED"
    model = gemmi.Model(1) if _takes_number() else gemmi.Model("1")
    column = 0
    for number, sequence in enumerate(chains):
        chain = gemmi.Chain(_chain_name(number))
        for start in range(0, len(sequence), SEGMENT):
            part = sequence[start : start + SEGMENT]
            _add_segment(chain, part, start, len(sequence), column, plddt)
            column += 1
        model.add_chain(chain)
    result.add_model(model)
    _center(result, center)
    result.setup_entities()
    return result


def backbone(length: int) -> list[list[Vector]]:
    """N, CA, C, O, CB of each residue of one ideal helix along an arbitrary axis."""
    n, ca = (0.0, 0.0, 0.0), (1.458, 0.0, 0.0)
    c = (1.458 + 1.525 * math.cos(math.radians(69.0)), 1.525 * math.sin(math.radians(69.0)), 0.0)
    residues = []
    for _ in range(length):
        following = _extend(n, ca, c, 1.329, 116.2, PSI)
        oxygen = _extend(n, ca, c, 1.231, 120.8, PSI + 180.0)
        residues.append([n, ca, c, oxygen, _extend(c, n, ca, 1.530, 110.5, PHI - 122.6 + 57.8)])
        next_ca = _extend(ca, c, following, 1.458, 121.7, OMEGA)
        next_c = _extend(c, following, next_ca, 1.525, 111.0, PHI)
        n, ca, c = following, next_ca, next_c
    return residues


def _add_segment(chain: Any, part: str, start: int, total: int, column: int, plddt: float) -> None:
    import gemmi

    offset = (SPACING * (column % 4), SPACING * (column // 4), 0.0)
    for index, (letter, atoms) in enumerate(zip(part, _upright(backbone(len(part))))):
        residue = gemmi.Residue()
        residue.name = _THREE.get(letter, "UNK")
        residue.seqid = gemmi.SeqId(str(start + index + 1))
        from_end = min(start + index, total - 1 - start - index)
        for name, position in zip(("N", "CA", "C", "O", "CB"), atoms):
            if name == "CB" and letter == "G":
                continue
            atom = gemmi.Atom()
            atom.name, atom.element = name, gemmi.Element(name[0])
            atom.pos = gemmi.Position(*(p + o for p, o in zip(position, offset)))
            atom.b_iso, atom.occ = max(0.0, plddt - 10.0 * max(0, 3 - from_end)), 1.0
            residue.add_atom(atom)
        chain.add_residue(residue)


def _upright(residues: list[list[Vector]]) -> list[list[Vector]]:
    """Turn the helix so that it runs along z, centred on the origin (first to last CA)."""
    first, last = residues[0][1], residues[-1][1]
    axis = _unit(_minus(last, first)) if len(residues) > 4 else (0.0, 0.0, 1.0)
    side = _unit(_cross(axis, (0.0, 1.0, 0.0) if abs(axis[1]) < 0.9 else (1.0, 0.0, 0.0)))
    other = _cross(axis, side)
    count = sum(len(atoms) for atoms in residues)
    middle = tuple(sum(a[k] for atoms in residues for a in atoms) / count for k in range(3))
    turned = []
    for atoms in residues:
        centred = [_minus(a, middle) for a in atoms]  # type: ignore[arg-type]
        turned.append([(_dot(a, side), _dot(a, other), _dot(a, axis)) for a in centred])
    return turned


def _extend(a: Vector, b: Vector, c: Vector, length: float, angle: float, torsion: float) -> Vector:
    """The atom bonded to c: bond `length`, angle b-c-d, torsion a-b-c-d."""
    bc = _unit(_minus(c, b))
    normal = _unit(_cross(_minus(b, a), bc))
    inplane = _cross(normal, bc)
    bend, turn = math.radians(angle), math.radians(torsion)
    local = (-length * math.cos(bend), length * math.sin(bend) * math.cos(turn), length * math.sin(bend) * math.sin(turn))
    return tuple(  # type: ignore[return-value]
        c[k] + local[0] * bc[k] + local[1] * inplane[k] + local[2] * normal[k] for k in range(3)
    )


def _center(result: Any, center: Vector) -> None:
    import gemmi

    middle = result[0].calculate_center_of_mass()
    shift = gemmi.Vec3(center[0] - middle.x, center[1] - middle.y, center[2] - middle.z)
    result[0].transform_pos_and_adp(gemmi.Transform(gemmi.Mat33(), shift))


def _takes_number() -> bool:
    """gemmi 0.7 numbers its models, earlier versions name them."""
    import gemmi

    return not isinstance(getattr(gemmi.Model, "name", None), property)


def _chain_name(number: int) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return letters[number] if number < 26 else letters[number // 26 - 1] + letters[number % 26]


def _minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(a: Vector) -> Vector:
    size = math.sqrt(_dot(a, a))
    return (a[0] / size, a[1] / size, a[2] / size)
