"""A short minimisation in the map with tight geometry, because models so distorted that their links are not recognised.

cctbx's own real-space refinement (mmtbx.refinement.real_space.individual_sites), the weight found by its line search.
"""

from pathlib import Path
from typing import Any
from collections.abc import Sequence

from open_phenix.cryoem.box_model import BoxModel, without_hydrogens

DISTORTED_BONDS = 0.10  # Angstrom rms: above it Servalcat loses peptide links (it detects them by distance)
# Angstrom between C and N: gemmi links two residues up to 1.5 times the ideal length (1.34); beyond _GAP there are residues missing.
_LINKED, _GAP = 2.0, 3.5
_BONDS, _ANGLES = 0.015, 1.6  # limits of the weight search, Angstrom and degrees
_ITERATIONS = 100


def lost_links(structure: Any) -> int:
    """Peptide bonds of a gemmi structure that are too long to be recognised, between neighbours that are not far apart."""
    found = 0
    for chain in structure[0]:
        residues = [residue for residue in chain.get_polymer() if residue.find_atom("CA", "*") is not None]
        for one, other in zip(residues, residues[1:]):
            carbon, nitrogen = one.find_atom("C", "*"), other.find_atom("N", "*")
            if carbon is None or nitrogen is None or other.seqid.num != one.seqid.num + 1:
                continue
            found += _LINKED < carbon.pos.dist(nitrogen.pos) < _GAP
    return found


def regularize(model: BoxModel, dictionaries: Sequence[Path], output: Path) -> None:
    """Minimise and write an mmCIF file in the frame of the box."""
    from mmtbx.refinement.real_space import individual_sites
    from scitbx.array_family import flex

    manager = _restrained(model, dictionaries)
    data = model.box.data - flex.mean(model.box.data)
    data = data / data.as_1d().sample_standard_deviation()
    result = individual_sites.easy(
        map_data=data,
        xray_structure=manager.get_xray_structure(),
        pdb_hierarchy=manager.get_hierarchy(),
        geometry_restraints_manager=manager.get_restraints_manager(),
        max_iterations=_ITERATIONS,
        rms_bonds_limit=_BONDS,
        rms_angles_limit=_ANGLES,
        log=_silent(),
    )
    manager.set_sites_cart(result.xray_structure.sites_cart())
    hierarchy = manager.get_hierarchy()
    text = hierarchy.as_mmcif_string(crystal_symmetry=model.box.symmetry)
    output.write_text(text, encoding="utf-8")


def _restrained(model: BoxModel, dictionaries: Sequence[Path]) -> Any:
    """An mmtbx.model.manager (no hydrogens) with restraints; residues that no dictionary describes raise cctbx's Sorry."""
    import iotbx.pdb
    import mmtbx.model
    from iotbx import cif
    from libtbx.utils import null_out

    atoms = without_hydrogens(model.hierarchy)
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


def _lines(hierarchy: Any, model: BoxModel) -> list[str]:
    if hierarchy.fits_in_pdb_format():
        return list(hierarchy.as_pdb_string(crystal_symmetry=model.box.symmetry).splitlines())
    return list(hierarchy.as_mmcif_string(crystal_symmetry=model.box.symmetry).splitlines())


def _silent() -> Any:
    from libtbx.utils import null_out

    return null_out()
