"""From PowerFit's placements to one docked model: refines each as a rigid body and takes the best CC_mask."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from open_phenix.cryoem import correlation
from open_phenix.cryoem.box_model import BoxModel
from open_phenix.cryoem.correlation import Correlation
from open_phenix.cryoem.numbers import shown
from open_phenix.cryoem.powerfit import Fit, SearchOptions, search

SURE_CC_MASK = 0.60  # a coarse search that reaches this needs no finer one


@dataclass(frozen=True)
class Placement:
    """A placed copy of the model (box frame) and its correlations."""

    hierarchy: Any
    correlation: Correlation

    @property
    def cc_mask(self) -> float:
        """CC_mask, or -1 where it is not defined: for sorting only, never printed."""
        return -1.0 if self.correlation.mask is None else self.correlation.mask


def dock(model: BoxModel, resolution: float, passes: list[SearchOptions], folder: Path) -> Placement | None:
    """Search with each set of options in turn until a placement is unambiguous; returns the best of all, or None."""
    best: Placement | None = None
    for number, options in enumerate(passes, start=1):
        print(f"\nSearch {number}: rotations every {options.step:g} degrees")
        fits = search(model, resolution, options, folder / f"search_{number}")
        print(f"  {len(fits)} placements; rigid-body refinement of each:")
        for fit in fits:
            placement = refine_rigid_body(model, fit, resolution)
            print(f"  placement {fit.rank}: PowerFit score {fit.score:.3f}   CC_mask after rigid body: "
                  f"{shown(placement.correlation.mask)}")
            if best is None or placement.cc_mask > best.cc_mask:
                best = placement
        if best is not None and best.cc_mask >= SURE_CC_MASK:
            break
    return best


def refine_rigid_body(model: BoxModel, fit: Fit, resolution: float) -> Placement:
    """Real-space rigid-body refinement in zones of resolution (mmtbx.refinement.real_space.rigid_body)."""
    from libtbx.utils import null_out
    from mmtbx.refinement.real_space import rigid_body

    hierarchy = model.hierarchy.deep_copy()
    hierarchy.atoms().set_xyz(fit.sites)
    structure = model.structure(hierarchy)
    rigid_body.refine_mz(
        map_data=model.box.data, pdb_hierarchy=hierarchy, xray_structure=structure, d_min=resolution, log=null_out()
    )
    return Placement(hierarchy, correlation.of_model(model, resolution, hierarchy))
