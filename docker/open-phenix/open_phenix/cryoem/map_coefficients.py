"""Map coefficients in an MTZ file: a map of the unit cell, and a model's correlation with it."""

from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.cryoem.correlation import Correlation, of_structure

GRID_FACTOR = 0.25  # grid spacing over resolution


def read(path: Path, labels: str | None) -> Any:
    """The first map coefficients of the file (amplitude and phase), or those with the given labels."""
    from iotbx import reflection_file_reader

    reader = reflection_file_reader.any_reflection_file(str(path))
    if reader.file_type() is None:
        raise Sorry(f"{path} cannot be read as a reflection file")
    arrays = [array for array in reader.as_miller_arrays() if array.is_complex_array()]
    if labels is not None:
        arrays = [array for array in arrays if array.info().label_string().replace(" ", "") == labels]
    if not arrays:
        raise Sorry(f"No map coefficients {'' if labels is None else labels + ' '}found in {path}")
    info = arrays[0].info()
    return arrays[0].map_to_asu().set_info(info)


def correlate_model(path: Path, coefficients: Any, resolution: float | None, ignore_conflicts: bool) -> Correlation:
    """The model, expanded to P1, against the map of the coefficients; resolution (Angstrom) from the data if not given."""
    import iotbx.pdb

    source = iotbx.pdb.input(file_name=str(path))
    own, data = source.crystal_symmetry(), coefficients.crystal_symmetry()
    if own is not None and own.unit_cell() is not None and not ignore_conflicts and not own.is_similar_symmetry(data):
        raise Sorry("Crystal symmetry mismatch between different files (ignore_symmetry_conflicts=True takes that of the data)")
    d_min = resolution or coefficients.d_min()
    structure = source.construct_hierarchy().extract_xray_structure(crystal_symmetry=data).expand_to_p1()
    structure.scattering_type_registry(table="n_gaussian", d_min=min(1.0, d_min))
    whole = coefficients.resolution_filter(d_min=d_min).expand_to_p1()
    return of_structure(_map(whole, d_min), structure, d_min)


def maps_on_one_grid(first: Any, second: Any, resolution: float | None) -> tuple[Any, Any]:
    """Two maps on the grid of the first, both to the same resolution."""
    if not first.is_similar_symmetry(second):
        raise Sorry("Crystal symmetry mismatch between different files")
    d_min = resolution or max(first.d_min(), second.d_min())
    grids = [_map(array.resolution_filter(d_min=d_min).expand_to_p1(), d_min) for array in (first, second)]
    return grids[0], grids[1]


def _map(coefficients: Any, d_min: float) -> Any:
    from cctbx import maptbx

    gridding = maptbx.crystal_gridding(
        unit_cell=coefficients.unit_cell(),
        space_group_info=coefficients.space_group_info(),
        d_min=d_min,
        resolution_factor=GRID_FACTOR,
    )
    transform = coefficients.fft_map(crystal_gridding=gridding)
    transform.apply_sigma_scaling()
    return transform.real_map_unpadded()
