"""The columns of reflection data, judged by their values and not by the header: observations, map coefficients, phases."""

import re
from dataclasses import dataclass

import numpy as np


@dataclass
class Column:
    """One column of reflection data; `kind` is its type in the MTZ format (CCP4 `mtzformat`)."""

    label: str
    kind: str
    values: np.ndarray

    def holds_data(self) -> bool:
        """Whether it was measured: a column without values, or with one constant value, was filled in by a program."""
        known = self.values[np.isfinite(self.values)]
        return known.size > 0 and (known.size == 1 or bool(known.min() != known.max()))

    def holds_sigmas(self) -> bool:
        """Whether it holds standard uncertainties: some programs set all to one value, but zeros are none."""
        return bool((self.values[np.isfinite(self.values)] > 0).any())


# Column types that form observations, in file order; the longest match counts. Types, kind, anomalous.
ARRAYS = [
    ("GLGL", "amplitude", True),
    ("KMKM", "intensity", True),
    ("FQDQY", "amplitude", True),
    ("FQDQ", "amplitude", True),
    ("FQ", "amplitude", False),
    ("JQ", "intensity", False),
]
# Columns that a map program writes beside its coefficients, after scaling and outlier rejection: not observations.
CALCULATED = re.compile(r"model|calc(?!ium)|^fc(_|$)", re.I)
DERIVED = re.compile(rf"filtered|{CALCULATED.pattern}", re.I)
# REFMAC's combined phases (PHCOMB, HLACOMB) depend on the model too.
MODEL_PHASES = re.compile(r"^phic|phif?.?model|phase_calc|^(ph|hl[a-d])comb", re.I)
FREE_NAMES = re.compile(r"free|^r?test|cross.?val|_refln\.status$", re.I)
MOST_FLAGS = 100  # CCP4 creates 20 sets; a column with more values than this is not a test set


def _anomalous(columns: list[Column]) -> bool:
    """Whether Friedel mates, or their difference, were measured separately."""
    if len(columns) == 4 and columns[0].kind in "GK":
        plus, minus = columns[0].values, columns[2].values
        both = np.isfinite(plus) & np.isfinite(minus)
        return bool(both.any() and (plus[both] != minus[both]).any())
    return columns[2].holds_data()


def observations(columns: list[Column]) -> list[dict]:
    """Arrays of observations with their standard uncertainties; an array with an empty anomalous part without that part."""
    found, at = [], 0
    types = "".join(column.kind for column in columns)
    while at < len(columns):
        array = next((array for array in ARRAYS if types.startswith(array[0], at)), None)
        if array is None:
            at += 1
            continue
        letters, kind, anomalous = array
        parts = columns[at : at + len(letters)]
        at += len(letters)
        mates = letters[0] in "GK"
        measured = parts[0].holds_data() or (mates and parts[2].holds_data())
        known = parts[1].holds_sigmas() or (mates and parts[3].holds_sigmas())
        if DERIVED.search(parts[0].label) or not measured or not known:
            continue
        apart = anomalous and _anomalous(parts)
        if anomalous and not apart and letters[0] == "F":
            parts = parts[:2]
        found.append({"labels": ",".join(part.label for part in parts), "kind": kind, "anomalous": apart})
    return found


def _pairs(columns: list[Column], first: str, second: str):
    return [(one, two) for one, two in zip(columns, columns[1:]) if one.kind == first and two.kind == second]


def map_coefficients(columns: list[Column]) -> list[str]:
    """Pairs of amplitude and phase from which a map can be calculated; not from calculated structure factors only."""
    return [
        f"{one.label},{two.label}"
        for one, two in _pairs(columns, "F", "P")
        if not CALCULATED.search(one.label) and one.holds_data()
    ]


# DM and Parrot in CCP4, RESOLVE: phases after density modification start from those of the model if there is one.
MODIFIED_PHASES = re.compile(r"^(ph|phi|hl[a-d])_?dm|^parrot\.|^(phim|hl[a-d]m)$|denmod", re.I)
# A file with a difference map was written by a refinement or a search, whose other map has the phases of the model too.
DIFFERENCE_MAP = re.compile(r"^(del|fo_?fc|m?fo-?d?fc)", re.I)
SAME_PHASE = 2.0  # degrees: phases that a program wrote twice differ by rounding


def _phase_sets(columns: list[Column]) -> list[tuple[list[str], np.ndarray]]:
    """Labels and phases in degrees of each phase without a map, and of each four Hendrickson-Lattman coefficients."""
    of_maps = {two.label for _, two in _pairs(columns, "F", "P")}
    single = [([one.label], one.values) for one in columns if one.kind == "P" and one.label not in of_maps and one.holds_data()]
    coefficients = [one for one in columns if one.kind == "A"]
    fours = [coefficients[at : at + 4] for at in range(0, len(coefficients), 4)]
    known = [four for four in fours if any(one.holds_data() for one in four)]
    return [*single, *(([one.label for one in four if one.holds_data()], _best_phase(four)) for four in known)]


def _best_phase(four: list[Column]) -> np.ndarray:
    """Where the probability of Hendrickson-Lattman coefficients is highest, without their second-order terms."""
    if len(four) < 2:
        return np.full(len(four[0].values), np.nan)
    a, b = (one.values.astype(np.float64) for one in four[:2])
    return np.where((a == 0) & (b == 0), np.nan, np.degrees(np.arctan2(b, a)))


def _model_phases(columns: list[Column]) -> list[Column]:
    """Phases that were calculated from a model, by their names or because of a difference map beside them."""
    pairs = _pairs(columns, "F", "P")
    has_difference = any(DIFFERENCE_MAP.search(one.label) for one, _ in pairs)
    of_pairs = [two for one, two in pairs if has_difference or CALCULATED.search(one.label)]
    named = [one for one in columns if one.kind == "P" and MODEL_PHASES.search(one.label)]
    return list({one.label: one for one in [*named, *of_pairs]}.values())


def _are_same_phases(one: np.ndarray, other: np.ndarray) -> bool:
    apart = np.abs((one - other + 180) % 360 - 180)
    known = apart[np.isfinite(apart)]
    return known.size > 0 and bool(np.median(known) < SAME_PHASE)


def phases(columns: list[Column]) -> tuple[list[str], list[str]]:
    """
    Labels of experimental phases, and of those of a model: by their names, because their values are those of phases that were calculated
    from a model, or because density modification began from such phases.
    """
    measured, of_model = [], []
    calculated = _model_phases(columns)
    for labels, values in _phase_sets(columns):
        names = [MODEL_PHASES, MODIFIED_PHASES] if calculated else [MODEL_PHASES]
        is_named = any(name.search(label) for name in names for label in labels)
        is_model = is_named or any(_are_same_phases(values, one.values) for one in calculated)
        (of_model if is_model else measured).extend(labels)
    return measured, of_model


def is_test_set(column: Column) -> bool:
    if column.kind != "I" or not FREE_NAMES.search(column.label):
        return False
    known = column.values[np.isfinite(column.values)]
    return 2 <= np.unique(known[: 1_000_000]).size <= MOST_FLAGS


def _equal_mates(columns: list[Column], found: list[dict]) -> list[str]:
    """Labels of arrays whose Friedel mates stand apart without a difference."""
    kinds = {one.label: one.kind for one in columns}
    labels = [one["labels"].split(",") for one in found if not one["anomalous"]]
    return [",".join(four) for four in labels if len(four) == 4 and kinds[four[0]] in "GK"]


def column_notes(columns: list[Column], found: list[dict]) -> list[str]:
    """Sentences about columns that seem to be observations, phases or flags, and that are not what they seem."""
    of_maps = {one.label for one, _ in _pairs(columns, "F", "P")}
    measured = [one for one in columns if one.kind in "FJGK" and one.label not in of_maps and one.holds_data()]
    bare = [one.label for one in measured if not DERIVED.search(one.label)]
    flags = [one.label for one in columns if one.kind == "I" and FREE_NAMES.search(one.label) and not is_test_set(one)]
    experimental, of_model = phases(columns)
    equal = _equal_mates(columns, found)
    told = {
        "Observations without standard uncertainties, which programs need": [] if found else bare,
        "No test set, because the flags are missing or all equal": flags,
        "No anomalous signal, because the Friedel mates are equal everywhere, or only one of each is there": equal,
        "Phases that count as experimental, because they are not those of a model in this file": experimental,
        "Phases of a model, and not used as experimental phases": [label for label in of_model if not MODEL_PHASES.search(label)],
    }
    return [f"{what}: {', '.join(labels)}." for what, labels in told.items() if labels]
