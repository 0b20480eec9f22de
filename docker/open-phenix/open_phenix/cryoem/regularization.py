"""A short minimisation in the map with tight geometry, for models so distorted that their links are not recognised.

cctbx's own real-space refinement (mmtbx.refinement.real_space.individual_sites), the weight found by its line search.
"""

from pathlib import Path
from typing import Any, Sequence

from open_phenix.cryoem.box_model import BoxModel
from open_phenix.cryoem.geometry import restrained

DISTORTED_BONDS = 0.10  # Angstrom rms: above it Servalcat loses peptide links (it tells them by distance)
_BONDS, _ANGLES = 0.015, 1.6  # limits of the weight search, Angstrom and degrees
_ITERATIONS = 100


def regularize(model: BoxModel, dictionaries: Sequence[Path], output: Path) -> None:
    """Minimise and write an mmCIF file in the frame of the box."""
    from mmtbx.refinement.real_space import individual_sites
    from scitbx.array_family import flex

    manager = restrained(model, dictionaries)
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


def _silent() -> Any:
    from libtbx.utils import null_out

    return null_out()
