"""From a reflection file to the input of refinement: merged amplitudes and a test set, which stays the same in later runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.xray.reflections import ReflectionFile

from cctbx import french_wilson
from cctbx.array_family import flex

TEST_VALUE = 1  # PHENIX's own convention in the data files written here: 1 = test set, 0 = work set


@dataclass
class RefinementData:
    """Amplitudes (F, sigma) and the test set (True = free) on the same reflections, within the resolution limits.

    `all_amplitudes` and `all_flags` know no limits: they go into the data file for the next run.
    """

    amplitudes: Any
    is_test: Any
    all_amplitudes: Any
    all_flags: Any
    label: str
    from_intensities: bool
    flags_origin: str

    @property
    def test_fraction(self) -> float:
        """Share of the test set among the observed reflections."""
        return self.is_test.data().count(True) / max(1, self.is_test.size())


def prepare(
    source: ReflectionFile,
    labels: str | None,
    flag_label: str | None,
    test_value: int | None,
    generate: bool,
    fraction: float = 0.10,
    max_free: int = 2000,
    d_min: float | None = None,
    d_max: float | None = None,
) -> RefinementData:
    """Choose the arrays, merge, turn intensities into amplitudes (French & Wilson 1978), find or make the test set."""
    chosen = source.observed(labels, "xray_data")
    label = chosen.info().label_string()
    from_intensities = chosen.is_xray_intensity_array()
    everything = merged_amplitudes(chosen)
    flags, origin = _test_set(source, everything, flag_label, test_value, generate, fraction, max_free)
    amplitudes = everything.resolution_filter(d_min=d_min or 0, d_max=d_max or 0)
    if amplitudes.size() == 0:
        raise Sorry("No reflections left after the resolution limits")
    amplitudes, is_test = amplitudes.common_sets(flags)
    if is_test.data().count(True) == 0:
        raise Sorry("The R-free flags mark no observed reflection as test set")
    return RefinementData(amplitudes, is_test, everything, flags, label, from_intensities, origin)


def merged_amplitudes(chosen: Any) -> Any:
    """Unique, non-anomalous, positive amplitudes without systematic absences; sigmas kept where they are sensible."""
    array = chosen.eliminate_sys_absent(log=None).map_to_asu()
    if not array.is_unique_set_under_symmetry():
        array = array.merge_equivalents().array()
    if array.anomalous_flag():
        array = array.average_bijvoet_mates()
    if array.sigmas() is not None:
        array = array.select(array.sigmas() > 0)
    if chosen.is_xray_intensity_array():
        array = array.set_observation_type_xray_intensity()
        array = french_wilson.french_wilson_scale(miller_array=array, log=_Silent())
        if array is None:
            raise Sorry("The intensities could not be turned into amplitudes (French & Wilson)")
    array = array.select(array.data() > 0)
    return array.set_observation_type_xray_amplitude()


class _Silent:
    def write(self, _text: str) -> None:
        """Drop the text."""

    def flush(self) -> None:
        """Nothing to do."""


def _test_set(
    source: ReflectionFile,
    amplitudes: Any,
    label: str | None,
    value: int | None,
    generate: bool,
    fraction: float,
    max_free: int,
) -> Any:
    suitable = source.suitable_free_flags()
    if label is None and not suitable:
        for column in source.unusable_free_flags():
            followed = "another test set is made in its place" if generate else "it cannot be used"
            print(f"\nWARNING: the column {column} is named as R-free flags are, but marks no test set: {followed}")
    if label is not None or not generate or suitable:
        flags, value, found = _read_flags(source, label, value)
        is_test = flags.customized_copy(data=flags.data() == value)
        missing = amplitudes.lone_set(is_test).size()
        left_out = f"; {missing} reflections without a flag are left out" if missing else ""
        return is_test, f"{found}, test value {value}{left_out}"
    made = amplitudes.generate_r_free_flags(fraction=fraction, max_free=max_free)
    if made.data().count(True) == 0:
        raise Sorry("Too few reflections to make a test set")
    return made, f"generated here ({100 * fraction:g} %, at most {max_free})"


def _read_flags(source: ReflectionFile, label: str | None, value: int | None) -> Any:
    flags, value = source.free_flags(label, value)
    found = flags.info().label_string()
    if not flags.is_unique_set_under_symmetry():
        flags = flags.merge_equivalents().array()
    flags = flags.map_to_asu()
    if flags.anomalous_flag():
        flags = flags.average_bijvoet_mates()
    return flags, value, found


def write_data_file(data: RefinementData, path: Path) -> None:
    """PREFIX_data.mtz: F, SIGF and R-free-flags (1 = test); every later refinement reads its test set from here."""
    mtz = data.all_amplitudes.as_mtz_dataset(column_root_label="F")
    flags = data.all_flags.customized_copy(data=_as_integers(data.all_flags.data(), TEST_VALUE))
    mtz.add_miller_array(flags, column_root_label="R-free-flags", column_types="I")
    mtz.mtz_object().write(str(path))


def write_engine_file(data: RefinementData, path: Path) -> None:
    """The file given to Servalcat: F, SIGF, FREE, with 0 = test (CCP4's convention)."""
    array = data.amplitudes
    if array.sigmas() is None:
        array = array.customized_copy(sigmas=flex.double(array.size(), 1.0))
    mtz = array.as_mtz_dataset(column_root_label="F")
    flags = data.is_test.customized_copy(data=_as_integers(~data.is_test.data(), 1))
    mtz.add_miller_array(flags, column_root_label="FREE", column_types="I")
    mtz.mtz_object().write(str(path))


def _as_integers(marks: Any, true_value: int) -> Any:
    values = flex.int(marks.size(), 0)
    values.set_selected(marks, true_value)
    return values


def write_limited_file(data: RefinementData, path: Path) -> None:
    """F, SIGF, R-free-flags (1 = test) within the resolution limits, for programs that take whole files."""
    mtz = data.amplitudes.as_mtz_dataset(column_root_label="F")
    flags = data.is_test.customized_copy(data=_as_integers(data.is_test.data(), TEST_VALUE))
    mtz.add_miller_array(flags, column_root_label="R-free-flags", column_types="I")
    mtz.mtz_object().write(str(path))


def write_without_flags(chosen: Any, limits: Any, path: Path) -> None:
    """F, SIGF within the resolution limits (high, low; Angstrom or None)."""
    amplitudes = merged_amplitudes(chosen).resolution_filter(d_min=limits[0] or 0, d_max=limits[1] or 0)
    amplitudes.as_mtz_dataset(column_root_label="F").mtz_object().write(str(path))
