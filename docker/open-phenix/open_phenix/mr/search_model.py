"""The search model: one rigid body, centred; polymer alone, as waters and ligands belong to the crystal that the model comes from."""

from pathlib import Path
from typing import Any

from open_phenix.core import cctbx_session, model_input
from open_phenix.core.errors import Sorry

cctbx_session.start()

import iotbx.pdb  # noqa: E402
from cctbx import crystal, xray  # noqa: E402
from cctbx.array_family import flex  # noqa: E402
import numpy as np  # noqa: E402  (after cctbx)

_POLYMER = ("common_amino_acid", "modified_amino_acid", "common_rna_dna", "modified_rna_dna", "ccp4_mon_lib_rna_dna")
_BACKBONE = {"N", "CA", "C", "O"}
_B_RANGE = (5.0, 80.0)  # A^2: predicted or odd B values are kept within
_B_TO_U = 1.0 / (8 * np.pi**2)
RESIDUE_MASS = 110.0  # Da, mean of proteins
MINIMUM_ATOMS = 20


def _searched_part(hierarchy: Any) -> tuple[Any, list[str]]:
    """The first model's polymer without hydrogens, and in words what is left out."""
    notes = []
    if hierarchy.models_size() > 1:
        notes.append(f"{hierarchy.models_size()} models (an NMR bundle or an ensemble): the first one is searched and placed")
        for model in hierarchy.models()[1:]:
            hierarchy.remove_model(model)
    atoms = hierarchy.atoms()
    atoms.reset_i_seq()
    atoms.set_chemical_element_simple_if_necessary()
    kept = flex.bool(atoms.size(), False)
    waters, hydrogens, hetero = 0, 0, dict[str, int]()
    for group in hierarchy.atom_groups():
        light = [atom for atom in group.atoms() if atom.element.strip() in ("H", "D")]
        kind = iotbx.pdb.common_residue_names_get_class(group.resname)
        if kind == "common_water":
            waters += 1
        elif kind in _POLYMER or _BACKBONE <= {atom.name.strip() for atom in group.atoms()}:
            hydrogens += len(light)
            kept.set_selected(flex.size_t(atom.i_seq for atom in group.atoms() if atom not in light), True)
        else:
            hetero[group.resname.strip()] = hetero.get(group.resname.strip(), 0) + 1
    if waters or hydrogens:
        notes.append(f"{waters} waters and {hydrogens} hydrogen atoms are left out")
    if hetero:
        names = ", ".join(f"{name} ({count})" if count > 1 else name for name, count in sorted(hetero.items()))
        notes.append(f"hetero groups are left out: {names}")
    return hierarchy.select(kept), notes


def _single_conformer(hierarchy: Any) -> list[str]:
    """Leave the conformer with the highest occupancy of each residue, at occupancy 1, isotropic; says what was done.

    The search knows one rigid body, and anisotropic B values would have to be turned with it.
    """
    notes = []
    before = hierarchy.atoms_size()
    alternative = sum(1 for group in hierarchy.atom_groups() if group.altloc.strip())
    if alternative:
        hierarchy.remove_alt_confs(always_keep_one_conformer=True, keep_occupancy=True)
        notes.append(f"alternative conformations: the one with the highest occupancy is searched and placed, at occupancy 1; "
                     f"{before - hierarchy.atoms_size()} atoms of the others are left out")
    atoms = hierarchy.atoms()
    atoms.reset_i_seq()
    partial = int((atoms.extract_occ() < 1.0).count(True))
    if partial:
        notes.append(f"{partial} atoms with an occupancy below 1 are given 1")
    atoms.set_occ(flex.double(atoms.size(), 1.0))
    if any(atom.uij_is_defined() for atom in atoms):
        notes.append("anisotropic B values: the isotropic equivalents are placed")
        for atom in atoms:
            atom.uij_erase()
    return notes


class SearchModel:
    """Coordinates about their centre (A), B values, and structure factors of the model wherever it is put.

    `notes` list the parts of the file that the search model omits.
    """

    def __init__(self, path: Path):
        try:
            completed = model_input.completed(path)  # a parameter file names models that are not files of the command line
            source = iotbx.pdb.input(str(path)) if completed is None else iotbx.pdb.input(source_info=None, lines=completed.text.splitlines())
            hierarchy = source.construct_hierarchy()
        except (ValueError, RuntimeError) as problem:
            raise Sorry(f"Cannot read the search model {path}: {problem}") from problem
        chosen, self.notes = _searched_part(hierarchy)
        if chosen.atoms_size() < MINIMUM_ATOMS:
            raise Sorry(f"Too few atoms in the search model {path}")
        self.hierarchy = chosen
        self.notes += _single_conformer(chosen)
        atoms = chosen.atoms()
        xyz = atoms.extract_xyz().as_numpy_array()
        self.as_given = xyz
        self.xyz = xyz - xyz.mean(0)
        self.diameter = 2 * float(np.percentile(np.linalg.norm(self.xyz, axis=1), 98))
        self.b = np.clip(atoms.extract_b().as_numpy_array(), *_B_RANGE)
        self.elements: list[str] = [element.strip() for element in atoms.extract_element()]
        self.trace = np.array([atom.name.strip() in ("CA", "P") for atom in atoms])
        if not self.trace.any():
            raise Sorry(f"No CA or P atoms in the search model {path}")

    @property
    def residues(self) -> int:
        """Number of residues with a CA or P atom."""
        return int(self.trace.sum())

    def mass(self) -> float:
        """Approximate mass in Da."""
        return self.residues * RESIDUE_MASS

    def structure(self, symmetry: Any, xyz: Any) -> Any:
        """One copy at `xyz` (A) as a cctbx structure in the given crystal."""
        sites = symmetry.unit_cell().fractionalize(flex.vec3_double(np.ascontiguousarray(xyz, dtype=float)))
        scatterers = flex.xray_scatterer(
            [
                xray.scatterer(label=element, site=site, u=b * _B_TO_U, scattering_type=element)
                for element, site, b in zip(self.elements, sites, self.b)
            ]
        )
        return xray.structure(crystal.special_position_settings(symmetry), scatterers)

    def structure_factors(self, symmetry: Any, xyz: Any, d_min: float) -> Any:
        """F(calc) of one copy at `xyz` (A) in the given crystal, to `d_min` A."""
        return self.structure(symmetry, xyz).structure_factors(d_min=d_min, algorithm="fft").f_calc()
