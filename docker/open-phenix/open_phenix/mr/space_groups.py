"""The space groups that the data can have, if their label is only one of several possibilities."""

from typing import Any

from cctbx import sgtbx


def alternatives(info: Any, select: str) -> list[Any]:
    """Space groups to try besides `info`, as Phaser's sgalternative.select: none, hand (the enantiomorph), or all.

    `all`: every group without mirrors of the same point group and centring on the same axes; a few absences do not
    determine screw axes.
    """
    if select == "hand":
        other = info.change_hand()
        return [other] if other.group() != info.group() else []
    if select == "all":
        return [other for other in _same_point_group(info) if other.group() != info.group()]
    return []


def _same_point_group(info: Any) -> list[Any]:
    wanted = _skeleton(info.group())
    found = []
    for symbols in sgtbx.space_group_symbol_iterator():
        group = sgtbx.space_group(symbols)
        if group.order_z() == info.group().order_z() and group.is_chiral() and _skeleton(group) == wanted:
            found.append(sgtbx.space_group_info(group=group))
    return found


def _skeleton(group: Any) -> Any:
    """Rotation parts and centring vectors."""
    identity = sgtbx.space_group().all_ops()[0].r().as_hkl()
    operators = group.all_ops()
    centring = {str(op.t()) for op in operators if op.r().as_hkl() == identity}
    return {op.r().as_hkl() for op in operators}, centring
