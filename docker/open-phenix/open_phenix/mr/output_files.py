"""PHASER.1.pdb and PHASER.1.mtz."""

from pathlib import Path
from typing import Any

import iotbx.pdb
from cctbx.array_family import flex
import gemmi
import numpy as np

_CHAINS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def write_model(hierarchy: Any, copies: list[Any], symmetry: Any, path: Path) -> list[str]:
    """All placed copies in one model; the chains of each copy get names of their own, which are returned."""
    root = iotbx.pdb.hierarchy.root()
    model = iotbx.pdb.hierarchy.model()
    root.append_model(model)
    names = iter(_CHAINS)
    used = []
    for xyz in copies:
        copy = hierarchy.deep_copy()
        copy.atoms().set_xyz(flex.vec3_double(np.ascontiguousarray(xyz)))
        for chain in copy.models()[0].chains():
            detached = chain.detached_copy()
            detached.id = next(names)
            used.append(detached.id)
            model.append_chain(detached)
    root.write_pdb_file(str(path), crystal_symmetry=symmetry)
    return used


def write_data(source: Any, chosen: Any, path: Path) -> list[str]:
    """The data used and the free flags of the input, untouched, under their own labels; returns the labels."""
    labels = list(chosen.info().labels)
    if source.has_free_flags():
        flags, _value = source.free_flags()
        labels += [label for label in flags.info().labels if label not in labels]
    if source.file.file_type() == "ccp4_mtz":
        mtz = gemmi.read_mtz_file(str(source.path))
        for index in reversed(range(3, len(mtz.columns))):
            if mtz.columns[index].label not in labels:
                mtz.remove_column(index)
        mtz.write_to_file(str(path))
    else:
        chosen.as_mtz_dataset(column_root_label=labels[0]).mtz_object().write(str(path))
    return labels
