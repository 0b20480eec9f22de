"""R values of a model as it stands: mmtbx.f_model with bulk solvent and anisotropic scaling."""

from pathlib import Path
from typing import Any

from open_phenix.core import scattering
from open_phenix.xray.reflections import ReflectionFile

import iotbx.pdb
import mmtbx.f_model
from cctbx.array_family import flex


def make(
    model_path: Path,
    source: ReflectionFile,
    amplitudes: Any,
    flags: Any,
    test_value: Any,
    twin_law: str | None = None,
    scattering_table: str = "n_gaussian",
) -> Any:
    """The scaled f_model; `flags` None means that all reflections are work reflections."""
    if flags is None:
        is_test = amplitudes.array(data=flex.bool(amplitudes.size(), False))
    else:
        is_test = flags.customized_copy(data=flags.data() == test_value).map_to_asu()
        if not is_test.is_unique_set_under_symmetry():
            is_test = is_test.merge_equivalents().array()
        if is_test.anomalous_flag():
            is_test = is_test.average_bijvoet_mates()
        amplitudes, is_test = amplitudes.common_sets(is_test)
    structure = iotbx.pdb.input(str(model_path)).xray_structure_simple(crystal_symmetry=source.symmetry)
    neutralized = scattering.use_table(structure, scattering_table, amplitudes.d_min())
    if neutralized:
        print(f"  {scattering.neutralized_note(neutralized)}")
    model = mmtbx.f_model.manager(
        xray_structure=structure, f_obs=amplitudes, r_free_flags=is_test, twin_law=twin_law
    )
    model.update_all_scales(update_f_part1=twin_law is None)
    return model


def free_flags_or_none(source: ReflectionFile, label: str | None = None) -> Any:
    """(flags, test value), or (None, None) if the file has no usable ones and none were requested by name."""
    if label is None and not source.has_free_flags():
        for column in source.unusable_free_flags():
            print(f"  WARNING: the column {column} is named as R-free flags are, but marks no test set: there is no R-free")
        return None, None
    return source.free_flags(label)
