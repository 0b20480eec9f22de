"""Observed data and free flags, chosen and read by cctbx with PHENIX's own rules and messages."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from collections.abc import Sequence

from open_phenix.core.errors import Sorry, is_sorry

from cctbx import crystal, sgtbx, uctbx
from iotbx import crystal_symmetry_from_any, reflection_file_reader, reflection_file_utils

RELATIVE_LENGTH_TOLERANCE = 0.01  # of a cell edge, as phenix.refine
ABSOLUTE_ANGLE_TOLERANCE = 1.0  # degrees
_INTEGRATE = b"!OUTPUT_FILE=INTEGRATE.HKL"


@dataclass(frozen=True)
class Symmetry:
    """The user's settings for the crystal; None: take them from the files."""

    unit_cell: tuple[float, ...] | None = None
    space_group: str | None = None


class ReflectionFile:
    """One reflection file and its crystal symmetry; its free flags may be in a file of their own."""

    def __init__(
        self, path: Path, symmetry: Symmetry = Symmetry(), fallback: Any = None, flags_path: Path | None = None
    ):
        self.path = path
        self.file = _read(path)
        self.flags_file = self.file if flags_path is None else _read(flags_path)
        own = crystal_symmetry_from_any.extract_from(str(path))
        self.symmetry = _combined(own, symmetry, fallback, path)
        self.arrays = self.file.as_miller_arrays(crystal_symmetry=self.symmetry, force_symmetry=True)
        if flags_path is not None:
            check_same_crystal(self.symmetry, model_symmetry(flags_path), path, flags_path)

    def full_label(self, text: str | None) -> str | None:
        """`F` becomes `F,SIGF` where it names one data array; other texts stay as cctbx knows them (substrings)."""
        return full_label(self.arrays, text)

    def observed(self, labels: str | None, scope: str) -> Any:
        """The observed data: cctbx's choice, its errors (ambiguous arrays, no matching array) and its wording."""
        wanted = self.full_label(labels)
        return self._server().get_xray_data(
            file_name=None,
            labels=None if wanted is None else [wanted],
            ignore_all_zeros=True,
            parameter_scope=scope,
        )

    def free_flags(
        self, label: str | None = None, test_value: int | None = None, messages: Any = sys.stdout
    ) -> tuple[Any, int]:
        """The array of free flags as it stands in the file, and the value that marks the test set."""
        return self._server(messages, self.flags_file).get_r_free_flags(
            file_name=None,
            label=label,
            test_flag_value=test_value,
            disable_suitability_test=False,
            parameter_scope="xray_data.r_free_flags",
        )

    def has_free_flags(self) -> bool:
        """True if the file has one usable array of free flags."""
        try:
            self.free_flags(messages=io.StringIO())
        except Exception as problem:  # cctbx raises its own Sorry for none, several or unsuitable arrays
            if not is_sorry(problem):
                raise
            return False
        return True

    def suitable_free_flags(self) -> list[Any]:
        """All arrays that could be free flags; more than one of the same standing makes `free_flags` ask for a label."""
        found = self._server(io.StringIO(), self.flags_file).get_r_free_flags(
            file_name=None,
            label=None,
            test_flag_value=None,
            disable_suitability_test=False,
            parameter_scope="xray_data.r_free_flags",
            return_all_valid_arrays=True,
        )
        return [array for array, _value in found]

    def unusable_free_flags(self) -> list[str]:
        """Columns with names of free flags that mark no test set, each with its problem."""
        labels = {array.info().label_string() for array in self.suitable_free_flags()}
        odd = []
        for array in self.flags_file.as_miller_arrays(crystal_symmetry=self.symmetry, force_symmetry=True):
            label = array.info().label_string()
            if label in labels or not reflection_file_utils.looks_like_r_free_flags_info(array.info()):
                continue
            values = sorted(set(array.data()))
            same = f"all {array.size()} values are {values[0]}" if len(values) == 1 else f"{len(values)} different values"
            odd.append(f"{label} ({same})")
        return odd

    def _server(self, messages: Any = sys.stdout, file: Any = None) -> Any:
        return reflection_file_utils.reflection_file_server(
            crystal_symmetry=self.symmetry, force_symmetry=True, reflection_files=[file or self.file], err=messages
        )


def _read(path: Path) -> Any:
    with path.open("rb") as opened:
        is_integrated = opened.read(len(_INTEGRATE)) == _INTEGRATE
    file = reflection_file_reader.any_reflection_file(str(path))
    if is_integrated or _is_unscaled_mtz(file):
        raise Sorry(f"The data are integrated, but not scaled: scale and merge them first ({path})")
    if file.file_type() is None:
        raise Sorry(f"Not a reflection file that can be read: {path}")
    return file


def check_scaled(path: Path) -> None:
    """Sorry where nothing has scaled the intensities, and for a file that is unreadable."""
    _read(path)


def _is_unscaled_mtz(file: Any) -> bool:
    """As MOSFLM and DIALS integrate: by profile fitting (IPR) beside sums. A test compares this with the fleet's inspection."""
    if file.file_type() != "ccp4_mtz":
        return False
    labels = set(file.file_content().column_labels())
    return {"BATCH", "IPR"} <= labels and "SCALEUSED" not in labels


def full_label(arrays: Sequence[Any], text: str | None) -> str | None:
    """The complete label string of the one array whose labels begin with `text`; else `text` itself."""
    if text is None:
        return None
    strings = [array.info().label_string() for array in arrays]
    if text in strings:
        return text
    starts = [s for s in strings if s.split(",")[: text.count(",") + 1] == text.split(",")]
    return starts[0] if len(starts) == 1 else text


def _combined(own: Any, given: Symmetry, fallback: Any, path: Path) -> Any:
    cell = uctbx.unit_cell(given.unit_cell) if given.unit_cell else None
    try:
        group = sgtbx.space_group_info(given.space_group) if given.space_group else None
    except RuntimeError as problem:
        raise Sorry(f"Not a space group: {given.space_group}") from problem
    for source in (own, fallback):
        if source is not None:
            cell = cell or source.unit_cell()
            group = group or source.space_group_info()
    if cell is None or group is None:
        raise Sorry(f"No unit cell info available for {path}: give the unit cell and the space group")
    return crystal.symmetry(unit_cell=cell, space_group_info=group)


def check_same_crystal(data: Any, model: Any, data_path: Path, model_path: Path) -> None:
    """Sorry (PHENIX's wording) unless cell (1 %, 1 degree) and space group of data and model agree."""
    if model is None or model.unit_cell() is None or model.space_group_info() is None:
        return
    similar = data.unit_cell().is_similar_to(model.unit_cell(), RELATIVE_LENGTH_TOLERANCE, ABSOLUTE_ANGLE_TOLERANCE)
    if similar and data.space_group() == model.space_group():
        return
    listed = "\n".join(
        f"{s.unit_cell().parameters()} {s.space_group_info()} ({p})" for s, p in ((model, model_path), (data, data_path))
    )
    raise Sorry(f"Crystal symmetry mismatch between different files.\n{listed}")


def model_symmetry(path: Path) -> Any:
    """The crystal symmetry written in a model file, or None."""
    return crystal_symmetry_from_any.extract_from(str(path))
