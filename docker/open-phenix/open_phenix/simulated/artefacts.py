"""The files of a stand-in, derived from the inputs and marked SIMULATED where the format has room for it."""

from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.simulated import helix
from open_phenix.simulated.helix import Vector

MARK = "SIMULATED by open-phenix, no science was done"
_FREE_ONE_IN = 20  # every twentieth reflection in the test set


def write_model(path: Path, chains: list[str], center: Vector, cell: Any, group: str, plddt: float = 90.0) -> None:
    """Ideal helices with the sequence, in that cell (gemmi.UnitCell)."""
    structure = helix.structure(chains, center, plddt)
    save_model(structure, path, cell, group)


def save_model(structure: Any, path: Path, cell: Any, group: str) -> None:
    """The structure in that cell (gemmi.UnitCell), marked."""
    structure.cell, structure.spacegroup_hm = cell, group
    _save(structure, path)


def copy_model(source: Path, path: Path) -> None:
    """A copy of an input model, marked."""
    import gemmi

    structure = gemmi.read_structure(str(source))
    if len(structure) == 0:
        raise Sorry(f"No atoms in the model {source}")
    structure.setup_entities()
    _save(structure, path)


def cell_center(cell: Any) -> Vector:
    """The middle of a gemmi.UnitCell, Angstrom."""
    import gemmi

    middle = cell.orthogonalize(gemmi.Fractional(0.5, 0.5, 0.5))
    return (middle.x, middle.y, middle.z)


def read_reflections(path: Path) -> Any:
    """The MTZ file (gemmi.Mtz)."""
    import gemmi

    if path.suffix.lower() != ".mtz":
        raise Sorry(f"{path}: the stand-in reads MTZ files only")
    try:
        return gemmi.read_mtz_file(str(path))
    except (RuntimeError, ValueError) as problem:
        raise Sorry(f"{path} cannot be read as an MTZ file: {problem}") from problem


def amplitude_label(mtz: Any) -> str:
    """The first column with amplitudes or intensities; none raises Sorry."""
    for kind in "FGJK":
        columns = mtz.columns_with_type(kind)
        if columns:
            return str(columns[0].label)
    raise Sorry("No array of observed xray data found")


def is_anomalous(mtz: Any) -> bool:
    """True if the file has Bijvoet pairs: F(+) or I(+) columns, or anomalous differences."""
    return any(mtz.columns_with_type(kind) for kind in "GKD")


def write_data(mtz: Any, path: Path) -> None:
    """The input data, with a test set added where there is none."""
    import numpy

    copy = _numbers(mtz)
    names, kinds = [c.label for c in mtz.columns], [c.type for c in mtz.columns]
    if not any("free" in name.lower() for name in names):
        flags = (numpy.arange(copy.shape[0]) % _FREE_ONE_IN == 0).astype(numpy.float32)
        copy = numpy.column_stack([copy, flags])
        names, kinds = names + ["FreeR_flag"], kinds + ["I"]
    _save_mtz(mtz, names, kinds, copy, path)


def write_map_coefficients(mtz: Any, path: Path) -> None:
    """FWT and PHWT with the input's amplitudes, all phases zero: no map of anything."""
    import numpy

    numbers = _numbers(mtz)
    names = [c.label for c in mtz.columns]
    amplitude = numpy.sqrt(numpy.abs(numpy.nan_to_num(numbers[:, names.index(amplitude_label(mtz))])))
    zero = numpy.zeros_like(amplitude)
    columns = numpy.column_stack([numbers[:, :3], amplitude, zero])
    _save_mtz(mtz, ["H", "K", "L", "FWT", "PHWT"], ["H", "H", "H", "F", "P"], columns, path)


def read_map(path: Path) -> Any:
    """The CCP4 or MRC map (gemmi.Ccp4Map)."""
    import gemmi

    try:
        return gemmi.read_ccp4_map(str(path))
    except (RuntimeError, ValueError) as problem:
        raise Sorry(f"{path} cannot be read as a CCP4 or MRC map: {problem}") from problem


def write_mean_map(first: Any, second: Any | None, path: Path) -> None:
    """The map, or the mean of two maps, with a label that says SIMULATED."""
    if second is not None:
        if first.grid.shape != second.grid.shape:
            raise Sorry("The two half maps are not on the same grid")
        first.grid.array[:] = (first.grid.array + second.grid.array) / 2
    values = first.grid.array
    for word, value in ((20, values.min()), (21, values.max()), (22, values.mean()), (55, values.std())):
        first.set_header_float(word, float(value))
    first.set_header_i32(56, 1)  # number of labels (word 56); the label itself starts at word 57
    first.set_header_str(57, MARK.ljust(80))
    first.write_ccp4_map(str(path))


def _save(structure: Any, path: Path) -> None:
    import gemmi

    structure.raw_remarks = [f"REMARK   3 {MARK}".ljust(80)]
    structure.info["_struct.title"] = MARK
    structure.write_pdb(str(path), gemmi.PdbWriteOptions(cryst1_record=structure.cell.is_crystal()))


def _numbers(mtz: Any) -> Any:
    import numpy

    return numpy.array(mtz.array, dtype=numpy.float32)


def _save_mtz(like: Any, names: list[str], kinds: list[str], numbers: Any, path: Path) -> None:
    import gemmi

    made = gemmi.Mtz(with_base=False)
    made.spacegroup, made.title = like.spacegroup, MARK[:70]
    made.set_cell_for_all(like.cell)
    made.add_dataset("SIMULATED")
    for name, kind in zip(names, kinds):
        made.add_column(name, kind, dataset_id=0)
    made.set_data(numbers)
    made.history = [MARK]
    made.write_to_file(str(path))
