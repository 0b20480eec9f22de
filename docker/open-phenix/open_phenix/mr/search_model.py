"""The search model: one rigid body, centred, without waters and hydrogens."""

from pathlib import Path
from typing import Any

from open_phenix.core import cctbx_session
from open_phenix.core.errors import Sorry

cctbx_session.start()

import iotbx.pdb  # noqa: E402
from cctbx import crystal, xray  # noqa: E402
from cctbx.array_family import flex  # noqa: E402
import numpy as np  # noqa: E402  (after cctbx)

_SELECTION = "not water and not element H and not element D and (altloc ' ' or altloc A)"
_B_RANGE = (5.0, 80.0)  # A^2: predicted or odd B values are kept within
_B_TO_U = 1.0 / (8 * np.pi**2)
RESIDUE_MASS = 110.0  # Da, mean of proteins
MINIMUM_ATOMS = 20


class SearchModel:
    """Coordinates about their centre (A), B values, and structure factors of the model wherever it is put."""

    def __init__(self, path: Path):
        try:
            hierarchy = iotbx.pdb.input(str(path)).construct_hierarchy()
        except (ValueError, RuntimeError) as problem:
            raise Sorry(f"Cannot read the search model {path}: {problem}") from problem
        chosen = hierarchy.select(hierarchy.atom_selection_cache().selection(_SELECTION))
        if chosen.atoms_size() < MINIMUM_ATOMS:
            raise Sorry(f"Too few atoms in the search model {path}")
        chosen.atoms().reset_i_seq()
        self.hierarchy = chosen
        atoms = chosen.atoms()
        xyz = atoms.extract_xyz().as_numpy_array()
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

    def structure_factors(self, symmetry: Any, xyz: Any, d_min: float) -> Any:
        """F(calc) of one copy at `xyz` (A) in the given crystal, to `d_min` A."""
        sites = symmetry.unit_cell().fractionalize(flex.vec3_double(np.ascontiguousarray(xyz, dtype=float)))
        scatterers = flex.xray_scatterer(
            [
                xray.scatterer(label=element, site=site, u=b * _B_TO_U, scattering_type=element)
                for element, site, b in zip(self.elements, sites, self.b)
            ]
        )
        structure = xray.structure(crystal.special_position_settings(symmetry), scatterers)
        return structure.structure_factors(d_min=d_min, algorithm="fft").f_calc()
