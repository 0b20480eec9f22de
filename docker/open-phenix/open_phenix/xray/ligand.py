"""A ligand in its density: dictionary, placement by Coot, correlation with the map."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gemmi

from open_phenix.core.errors import Sorry

from cctbx import maptbx, miller
from cctbx.array_family import flex
import iotbx.pdb

_PREFERRED = (("2FOFCWT", "PH2FOFCWT"), ("FWT", "PHWT"), ("FP", "PHIM"), ("FWT_nofill", "PHWT_nofill"))
_DIFFERENCE = (("FOFCWT", "PHFOFCWT"), ("DELFWT", "PHDELWT"))
ATOM_RADIUS = 1.5  # A, around each non-hydrogen atom, for the correlation


@dataclass(frozen=True)
class MapColumns:
    """Amplitude and phase columns of one map in an MTZ file."""

    amplitude: str
    phase: str


def choose_map(mtz: gemmi.Mtz, wanted: str | None, path: Path) -> MapColumns:
    """The columns asked for (`2FOFCWT,PH2FOFCWT` or the amplitude alone), else the first 2mFo-DFc pair present."""
    labels = [column.label for column in mtz.columns]
    pairs = _pairs(mtz)
    if wanted:
        parts = wanted.split(",")
        for amplitude, phase in pairs:
            if parts[0] == amplitude and (len(parts) == 1 or parts[1] == phase):
                return MapColumns(amplitude, phase)
        raise Sorry(f"No matching array: file_info.input_labels={wanted}; in {path}: {_listed(pairs)}")
    for amplitude, phase in _PREFERRED:
        if amplitude in labels and phase in labels:
            return MapColumns(amplitude, phase)
    raise Sorry(f"No map coefficients (2FOFCWT, FWT) in {path}; it has {_listed(pairs)}. Use file_info.input_labels")


def difference_map(mtz: gemmi.Mtz) -> MapColumns | None:
    """The mFo-DFc columns, if there are any."""
    labels = [column.label for column in mtz.columns]
    return next((MapColumns(a, p) for a, p in _DIFFERENCE if a in labels and p in labels), None)


def without_waters(mtz: Path, difference: MapColumns, model: Path, out: Path) -> MapColumns | None:
    """Write the difference map of the model without its waters; None if there are none, or the file lacks F-model.

    What the waters contribute to F-model is added to mFo-DFc, on the scale that the whole model has there at each resolution.
    """
    hierarchy = iotbx.pdb.input(str(model)).construct_hierarchy()
    waters = hierarchy.select(hierarchy.atom_selection_cache().selection("water"))
    arrays = {tuple(array.info().labels): array for array in miller_arrays(mtz) if array.is_complex_array()}
    modelled = arrays.get(("F-model", "PHIF-model"))
    if modelled is None or not waters.atoms_size():
        return None

    def calculated(part: Any) -> Any:
        structure = part.extract_xray_structure(crystal_symmetry=modelled.crystal_symmetry())
        return modelled.structure_factors_from_scatterers(xray_structure=structure).f_calc()

    whole, of_waters = calculated(hierarchy), calculated(waters)
    scaled = modelled.multiscale(whole, reflections_per_bin=500)
    of_waters = of_waters.customized_copy(data=of_waters.data() * (flex.abs(scaled.data()) / flex.abs(whole.data())))
    columns = MapColumns("FOFCWT", "PHIFOFCWT")
    left, right = arrays[(difference.amplitude, difference.phase)].common_sets(of_waters)
    summed = left.customized_copy(data=left.data() + right.data())
    summed.as_mtz_dataset(column_root_label=columns.amplitude).mtz_object().write(str(out))
    return columns


def _pairs(mtz: gemmi.Mtz) -> list[tuple[str, str]]:
    columns = list(mtz.columns)
    return [(a.label, b.label) for a, b in zip(columns, columns[1:]) if a.type == "F" and b.type == "P"]


def _listed(pairs: list[tuple[str, str]]) -> str:
    return "; ".join(",".join(pair) for pair in pairs) or "none"


def correlation(mtz_path: Path, columns: MapColumns, atoms_pdb: Path) -> float:
    """Local map correlation of some atoms: their own calculated density against the map, within ATOM_RADIUS of them.

    The calculated density ends at the resolution of the map, as the map does.
    """
    coefficients = next(
        array
        for array in miller_arrays(mtz_path)
        if array.is_complex_array() and array.info().labels[:2] == [columns.amplitude, columns.phase]
    )
    hierarchy = iotbx.pdb.input(str(atoms_pdb)).construct_hierarchy()
    heavy = hierarchy.select(hierarchy.atom_selection_cache().selection("not element H"))
    structure = heavy.extract_xray_structure(crystal_symmetry=coefficients.crystal_symmetry())
    calculated = coefficients.structure_factors_from_scatterers(xray_structure=structure).f_calc()
    observed_map = coefficients.fft_map(resolution_factor=0.25)
    gridding = observed_map
    calculated_map = miller.fft_map(crystal_gridding=gridding, fourier_coefficients=calculated)
    around = maptbx.grid_indices_around_sites(
        unit_cell=structure.unit_cell(),
        fft_n_real=gridding.n_real(),
        fft_m_real=gridding.n_real(),
        sites_cart=structure.sites_cart(),
        site_radii=flex.double(structure.scatterers().size(), ATOM_RADIUS),
    )
    first = observed_map.real_map_unpadded().as_1d().select(around)
    second = calculated_map.real_map_unpadded().as_1d().select(around)
    return flex.linear_correlation(first, second).coefficient()


def miller_arrays(path: Path) -> Any:
    """All arrays of an MTZ file."""
    from iotbx import reflection_file_reader

    return reflection_file_reader.any_reflection_file(str(path)).as_miller_arrays()


def atoms_in_density(mtz: gemmi.Mtz, columns: MapColumns, ligand: gemmi.Structure, sigma: float = 1.0) -> tuple[int, int]:
    """How many of the non-hydrogen atoms stand above `sigma` rms of the map, and how many there are."""
    grid = mtz.transform_f_phi_to_map(columns.amplitude, columns.phase, sample_rate=3)
    grid.normalize()
    heavy = [site.atom for site in ligand[0].all() if not site.atom.is_hydrogen()]
    return sum(1 for atom in heavy if grid.interpolate_value(atom.pos) >= sigma), len(heavy)


def as_own_chain(ligand: gemmi.Structure, model: gemmi.Structure, code: str) -> tuple[str, int]:
    """Give the fitted ligand a free chain name, number 1, the model's crystal and a B like its surroundings."""
    used = {chain.name for chain in model[0]}
    name = next(letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" if letter not in used)
    residue = next(residue for chain in ligand[0] for residue in chain if residue.name == code)
    kept = gemmi.Chain(name)
    copy = residue.clone()
    copy.seqid, copy.het_flag = gemmi.SeqId(1, " "), "H"
    b_near = _b_nearby(model, copy)
    for atom in copy:
        atom.b_iso, atom.occ = b_near, 1.0
    kept.add_residue(copy)
    while len(ligand[0]):
        ligand[0].remove_chain(ligand[0][0].name)
    ligand[0].add_chain(kept)
    ligand.cell, ligand.spacegroup_hm = model.cell, model.spacegroup_hm
    ligand.setup_entities()
    return name, 1


def _b_nearby(model: gemmi.Structure, residue: gemmi.Residue, radius: float = 6.0) -> float:
    """Mean B (A^2) of the model's atoms within `radius` A of the residue; of the whole model if there are none."""
    search = gemmi.NeighborSearch(model[0], model.cell, radius + 1).populate(include_h=False)
    seen: dict[Any, float] = {}
    for atom in residue:
        for mark in search.find_neighbors(atom, 0.1, radius):
            cra = mark.to_cra(model[0])
            seen[cra.atom.serial] = cra.atom.b_iso
    values = list(seen.values()) or [site.atom.b_iso for site in model[0].all()]
    return sum(values) / len(values)
