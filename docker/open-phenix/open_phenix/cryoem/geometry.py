"""Geometry of a model against the restraints of the monomer library (mmtbx), and backbone statistics that need no library.

Deviations are root mean squares: bonds in Angstrom, angles in degrees. Hydrogens are left out.
Ramachandran: Lovell et al. (2003) Proteins 50, 437-450 (Top8000 contours); C-beta deviation: the same paper.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Sequence

from open_phenix.cryoem.box_model import BoxModel, without_hydrogens


@dataclass(frozen=True)
class Deviations:
    """Root mean square deviations from ideal; None where there are no such restraints."""

    bonds: Optional[float]
    angles: Optional[float]


@dataclass(frozen=True)
class Backbone:
    """Percentages of residues, and counts."""

    rama_outliers: Optional[float]
    rama_favored: Optional[float]
    cbeta_outliers: int
    cis_or_twisted: int


NOT_KNOWN = Deviations(None, None)


def restrained(model: BoxModel, dictionaries: Sequence[Path] = (), hierarchy: Optional[Any] = None) -> Any:
    """An mmtbx.model.manager (no hydrogens) with restraints; residues that no dictionary describes raise cctbx's Sorry."""
    import iotbx.pdb
    import mmtbx.model
    from iotbx import cif
    from libtbx.utils import null_out

    atoms = without_hydrogens(hierarchy or model.hierarchy)
    source = iotbx.pdb.input(source_info=None, lines=_lines(atoms, model))
    objects = [(str(path), cif.reader(file_path=str(path)).model()) for path in dictionaries] or None
    manager = mmtbx.model.manager(
        model_input=source,
        crystal_symmetry=model.box.symmetry,
        restraint_objects=objects,
        stop_for_unknowns=True,
        log=null_out(),
    )
    manager.process(make_restraints=True)
    manager.setup_scattering_dictionaries(scattering_table="electron")
    return manager


def deviations(model: BoxModel, dictionaries: Sequence[Path] = ()) -> Deviations:
    """The deviations of a model; NOT_KNOWN where restraints cannot be made (and the reason is printed)."""
    from libtbx.utils import Sorry as CctbxSorry

    try:
        manager = restrained(model, dictionaries)
    except (CctbxSorry, RuntimeError) as problem:
        print(f"  No geometry restraints: {str(problem).splitlines()[0]}")
        return NOT_KNOWN
    energies = manager.get_restraints_manager().geometry.energies_sites(
        sites_cart=manager.get_sites_cart(), compute_gradients=False
    )
    return Deviations(_rms(energies.bond_deviations()), _rms(energies.angle_deviations()))


def backbone(model: BoxModel) -> Backbone:
    """Ramachandran, C-beta deviations, cis and twisted peptides."""
    from libtbx.utils import null_out
    from mmtbx.validation import cbetadev, omegalyze, ramalyze

    hierarchy = without_hydrogens(model.hierarchy)
    rama = ramalyze.ramalyze(pdb_hierarchy=hierarchy, outliers_only=False, out=null_out(), quiet=True)
    cbeta = cbetadev.cbetadev(pdb_hierarchy=hierarchy, outliers_only=True, out=null_out(), quiet=True)
    omega = omegalyze.omegalyze(pdb_hierarchy=hierarchy, nontrans_only=True, out=null_out(), quiet=True)
    counted = rama.n_total > 0
    return Backbone(
        rama.out_percent if counted else None,
        rama.fav_percent if counted else None,
        cbeta.n_outliers,
        omega.n_outliers,
    )


def _rms(three: Any) -> Optional[float]:
    """The mean of (minimum, maximum, mean); cctbx gives zeros where there is nothing to measure."""
    value = float(three[2])
    return value if value > 0 else None


def _lines(hierarchy: Any, model: BoxModel) -> "list[str]":
    if hierarchy.fits_in_pdb_format():
        return list(hierarchy.as_pdb_string(crystal_symmetry=model.box.symmetry).splitlines())
    return list(hierarchy.as_mmcif_string(crystal_symmetry=model.box.symmetry).splitlines())
