"""PHASER.1.pdb and PHASER.1.mtz."""

from itertools import product
from pathlib import Path
from typing import Any
from collections.abc import Sequence

from open_phenix.mr.placement import Placed

import iotbx.pdb
from cctbx import crystal
from cctbx.array_family import flex
import gemmi
import numpy as np

_CHAINS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_NAMES = list(_CHAINS) + ["".join(pair) for pair in product(_CHAINS, _CHAINS)]  # two letters fit into a PDB file too


def write_model(copies: Sequence[Placed], symmetry: Any, path: Path) -> list[list[str]]:
    """All placed copies in one model; returns the names of the chains of each.

    No two chains have the same name: a chain keeps its own while that is free, and gets the next free one else.
    """
    root = iotbx.pdb.hierarchy.root()
    model = iotbx.pdb.hierarchy.model()
    root.append_model(model)
    used: list[str] = []
    names = []
    for placed in copies:
        copy = placed.model.hierarchy.deep_copy()
        copy.atoms().set_xyz(flex.vec3_double(np.ascontiguousarray(placed.xyz)))
        names.append([])
        for chain in copy.models()[0].chains():
            detached = chain.detached_copy()
            if not detached.id.strip() or detached.id in used:
                detached.id = next(name for name in _NAMES if name not in used)
            used.append(detached.id)
            names[-1].append(detached.id)
            model.append_chain(detached)
    root.atoms().reset_serial()
    root.write_pdb_file(str(path), crystal_symmetry=symmetry)
    return names


def write_data(source: Any, chosen: Any, group: Any, path: Path) -> list[str]:
    """The data used and the free flags of the input, untouched, under their own labels, in space group `group` (a
    space_group_info); returns the labels."""
    labels = list(chosen.info().labels)
    if source.has_free_flags():
        flags, _value = source.free_flags()
        labels += [label for label in flags.info().labels if label not in labels]
    if source.file.file_type() == "ccp4_mtz":
        mtz = gemmi.read_mtz_file(str(source.path))
        for index in reversed(range(3, len(mtz.columns))):
            if mtz.columns[index].label not in labels:
                mtz.remove_column(index)
        if group.group() != source.symmetry.space_group():
            mtz.spacegroup = gemmi.SpaceGroup(str(group))
        mtz.write_to_file(str(path))
    else:
        symmetry = crystal.symmetry(unit_cell=source.symmetry.unit_cell(), space_group_info=group)
        name = "I" if chosen.is_xray_intensity_array() else "F"
        data = chosen.customized_copy(crystal_symmetry=symmetry).as_mtz_dataset(column_root_label=name)
        labels = [name]
        if source.has_free_flags():
            flags, _value = source.free_flags()
            data.add_miller_array(flags.customized_copy(crystal_symmetry=symmetry), "FreeR_flag", column_types="I")
            labels.append("FreeR_flag")
        data.mtz_object().write(str(path))
    return labels
