"""Adds the density of a ligand beside a model to its map: MAP MODEL DICTIONARY FOLDER.

Writes FOLDER/map.ccp4, and FOLDER/map_coeffs.mtz with the same map as FWT and PHWT. Run by the Python of the open programs.
"""

import sys
from pathlib import Path

import gemmi
import numpy

RESOLUTION = 3.0
FREE = 3.6  # Angstrom between the ligand and the model: beside it, not in it


def ligand(dictionary: str, model: gemmi.Structure) -> gemmi.Residue:
    """The ligand of the dictionary as it is drawn there, without hydrogens, placed beside the model."""
    block = next(one for one in gemmi.cif.read(dictionary) if one.find("_chem_comp_atom.", ["atom_id"]))
    rows = block.find("_chem_comp_atom.", ["atom_id", "type_symbol", "x", "y", "z"])
    residue = gemmi.Residue()
    residue.name = block.name.removeprefix("comp_")
    for name, element, *where in rows:
        if element.strip('"') == "H":
            continue
        atom = gemmi.Atom()
        atom.name, atom.element, atom.b_iso = name.strip('"'), gemmi.Element(element.strip('"')), 40.0
        atom.pos = gemmi.Position(*map(float, where))
        residue.add_atom(atom)
    place(residue, model)
    return residue


def place(residue: gemmi.Residue, model: gemmi.Structure) -> None:
    """Along x from the middle of the model outwards, until nothing is near."""
    protein = numpy.array([a.pos.tolist() for c in model[0] for r in c for a in r])
    atoms = numpy.array([a.pos.tolist() for a in residue])
    middle = protein.mean(axis=0)
    atoms -= atoms.mean(axis=0)
    for distance in numpy.arange(0.0, 60.0, 0.25):
        there = atoms + middle + numpy.array([distance, 0.0, 0.0])
        if numpy.linalg.norm(protein[:, None] - there[None], axis=2).min() > FREE:
            break
    for atom, position in zip(residue, there):
        atom.pos = gemmi.Position(*position)


def density(structure: gemmi.Structure, grid: gemmi.FloatGrid) -> numpy.ndarray:
    """Electron scattering density of the structure on the points of the grid."""
    calculator = gemmi.DensityCalculatorE()
    calculator.d_min, calculator.blur = RESOLUTION, 60.0
    calculator.grid.unit_cell, calculator.grid.spacegroup = grid.unit_cell, gemmi.SpaceGroup("P 1")
    calculator.grid.set_size(grid.nu, grid.nv, grid.nw)
    calculator.add_model_density_to_grid(structure[0])
    return numpy.array(calculator.grid, copy=True)


def main(map_path: str, model_path: str, dictionary: str, folder: str) -> None:
    volume = gemmi.read_ccp4_map(map_path, setup=True)
    model = gemmi.read_structure(model_path)
    model.cell = volume.grid.unit_cell
    alone = gemmi.Structure()
    alone.cell = volume.grid.unit_cell
    alone.add_model(gemmi.Model("1"))
    chain = gemmi.Chain("L")
    chain.add_residue(ligand(dictionary, model))
    alone[0].add_chain(chain)
    protein = density(model, volume.grid)
    values = numpy.array(volume.grid, copy=False)
    centred = protein - protein.mean()
    scale = float((values * centred).sum() / (centred**2).sum())
    values += scale * density(alone, volume.grid)
    volume.update_ccp4_header()
    volume.write_ccp4_map(str(Path(folder) / "map.ccp4"))
    factors = gemmi.transform_map_to_f_phi(volume.grid, half_l=True)
    data = factors.prepare_asu_data(dmin=RESOLUTION)
    mtz = gemmi.Mtz(with_base=True)
    mtz.spacegroup = gemmi.SpaceGroup("P 1")
    mtz.set_cell_for_all(volume.grid.unit_cell)
    mtz.add_dataset("map")
    mtz.add_column("FWT", "F")
    mtz.add_column("PHWT", "P")
    numbers = data.value_array
    mtz.set_data(numpy.column_stack([data.miller_array, numpy.abs(numbers), numpy.degrees(numpy.angle(numbers))]))
    mtz.write_to_file(str(Path(folder) / "map_coeffs.mtz"))


main(*sys.argv[1:])
