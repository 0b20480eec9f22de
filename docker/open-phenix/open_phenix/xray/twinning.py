"""Checks that the engine found the requested twin operator."""

from collections.abc import Sequence

from open_phenix.core.errors import Sorry

from cctbx import sgtbx


def check_operator(text: str) -> str:
    """The operator in lower case without blanks; Sorry if it cannot be read."""
    cleaned = text.replace(" ", "").lower()
    try:
        _matrix(cleaned)
    except (RuntimeError, ValueError) as problem:
        raise Sorry(f"refinement.twinning.twin_law={text}: not an operator such as h,-k,-l") from problem
    return cleaned


def require(asked: str, found: Sequence[str], space_group: sgtbx.space_group) -> str:
    """The operator of `found` that is `asked` times a rotation of the crystal's Laue group; Sorry if there is none."""
    laue = space_group.build_derived_laue_group()
    for operator in found:
        difference = _matrix(operator).multiply(_matrix(asked).inverse())
        if operator != "h,k,l" and any(difference.r() == op.r().transpose() for op in laue.all_ops()):
            return operator
    others = ", ".join(operator for operator in found if operator != "h,k,l") or "none"
    raise Sorry(f"The twin law {asked} is not among those possible for these data: {others}")


def _matrix(operator: str) -> sgtbx.rt_mx:
    """h,k,l as a rotation matrix acting on indices (written x,y,z for cctbx)."""
    return sgtbx.rt_mx(operator.replace("h", "x").replace("k", "y").replace("l", "z")).new_denominators(1, 12)
