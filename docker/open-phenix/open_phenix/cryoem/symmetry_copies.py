"""Copies of a docked model by the symmetry of the map."""

from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.cryoem import correlation
from open_phenix.cryoem.box_model import BoxModel

TOO_CLOSE = 3.0  # A between CA (or P) atoms of two copies
MOST_CLASHES = 0.08  # of the trace of a copy, as phenix.phaser here; more is the same place, or a model that holds all copies already
_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def operators(path: Path, shift: "tuple[float, float, float]") -> list[tuple[Any, Any]]:
    """Rotation and translation (box frame, Angstrom) of each copy, the identity first; Sorry for a file without operators."""
    from mmtbx.ncs.ncs import ncs

    source = ncs()
    source.read_ncs(file_name=str(path), quiet=True, log=_Silent())
    if len(source.ncs_groups()) != 1 or source.max_operators() < 2:
        raise Sorry(f"{path} holds no symmetry operators (one group of two or more is needed)")
    group = source.coordinate_offset(coordinate_offset=shift).ncs_groups()[0]
    return list(zip(group.rota_matrices_inv(), group.translations_orth_inv()))


def complete(model: BoxModel, placed: Any, resolution: float, found: list[tuple[Any, Any]], min_cc: float) -> tuple[Any, int]:
    """The hierarchy with all copies that have room and are in density (CC_mask of `min_cc` each), and their number."""
    import numpy
    from scipy.spatial import cKDTree

    whole, traces = placed.deep_copy(), [_trace(placed)]
    for rotation, translation in found:
        copy = placed.deep_copy()
        copy.atoms().set_xyz(rotation.elems * placed.atoms().extract_xyz() + translation.elems)
        trace = _trace(copy)
        distances, _ = cKDTree(numpy.concatenate(traces)).query(trace, distance_upper_bound=TOO_CLOSE)
        if numpy.isfinite(distances).mean() > MOST_CLASHES:
            continue
        cc = correlation.of_model(model, resolution, copy).mask
        if cc is None or cc < min_cc:
            print(f"  a copy by symmetry has a CC_mask of {'none' if cc is None else format(cc, '.3f')}: left out")
            continue
        _add(whole, copy)
        traces.append(trace)
    whole.atoms().reset_i_seq()
    whole.atoms().reset_serial()
    return whole, len(traces)


def _trace(hierarchy: Any) -> Any:
    import numpy

    sites = [atom.xyz for atom in hierarchy.atoms() if atom.name.strip() in ("CA", "P")]
    return numpy.array(sites or list(hierarchy.atoms().extract_xyz()))


def _add(whole: Any, copy: Any) -> None:
    """Append the chains of the copy, each under the next free name (two letters once the single ones are used up)."""
    used = {chain.id for chain in whole.chains()}
    free = iter([name for name in [*_NAMES, *(a + b for a in _NAMES for b in _NAMES)] if name not in used])
    names: dict[str, str] = {}
    for chain in copy.only_model().chains():
        moved = chain.detached_copy()
        moved.id = names.setdefault(chain.id, next(free) if chain.id not in names else "")
        whole.only_model().append_chain(moved)


class _Silent:
    def write(self, _text: str) -> None:
        """Drop the text."""
