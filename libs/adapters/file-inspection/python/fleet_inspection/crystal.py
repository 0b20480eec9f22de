"""Cell and space group as facts."""

import math

import gemmi

from .faults import bounded


def cell_facts(cell: gemmi.UnitCell) -> dict:
    """a, b, c in Å, alpha, beta, gamma in degrees; empty for a dummy cell such as 1 1 1 90 90 90."""
    six = list(cell.parameters)
    if not all(math.isfinite(value) and value > 0 for value in six) or all(edge <= 1 for edge in six[:3]):
        return {}
    return {"cell": [round(value, 4) for value in six]}


def space_group_named(name: str, cell: gemmi.UnitCell | None = None) -> gemmi.SpaceGroup | None:
    """A group by its name in any notation; `cell` decides between the settings of R groups."""
    angles = {} if cell is None else {"alpha": cell.alpha, "gamma": cell.gamma}
    return gemmi.find_spacegroup_by_name(name.strip(), **angles)


def group_facts(name: str | None, group: gemmi.SpaceGroup | None) -> dict:
    """The Hermann-Mauguin symbol, in one notation for every file (P 43 21 2, R 3:H); the file's own name of an unknown group."""
    written = (name or "").strip()
    if group is not None:
        return {"spaceGroup": group.xhm()}
    return {"spaceGroup": bounded([written], 1, "space groups")[0]} if written else {}


def agreed_group(
    name: str | None, number: int | None, operators: list[str], cell: gemmi.UnitCell
) -> tuple[dict, gemmi.SpaceGroup | None, list[str]]:
    """
    The space group of a header, which contains it up to three times. Programs calculate with the operators, so these take precedence,
    then the name, then the number. Returns its facts, the group, and a sentence if the three disagree.
    """
    sources = {
        "operators": gemmi.find_spacegroup_by_ops(gemmi.GroupOps([gemmi.Op(text) for text in operators])) if operators else None,
        "name": space_group_named(name, cell) if name else None,
        "number": gemmi.find_spacegroup_by_number(number) if number else None,
    }
    known = {what: group for what, group in sources.items() if group is not None}
    group = next(iter(known.values()), None)
    notes = []
    if group is not None and any(other.number != group.number for other in known.values()):
        words = ", ".join(f"by {what} {other.xhm()}" for what, other in known.items())
        notes.append(f"Its header tells different space groups: {words}. The first is used.")
    return group_facts(name, group), group, notes
