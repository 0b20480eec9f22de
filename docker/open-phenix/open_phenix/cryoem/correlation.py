"""Real-space correlation of a model with a map, and of a map with a map.

Definitions of CC_mask, CC_volume, CC_peaks and CC_box: Afonine et al. (2018) Acta Cryst. D74, 814-840,
"New tools for the analysis and validation of cryo-EM maps and atomic models"; computed by mmtbx.maps.
"""

from dataclasses import dataclass
from typing import Any

from open_phenix.cryoem.box_model import BoxModel
from open_phenix.cryoem.numbers import shown


@dataclass(frozen=True)
class Correlation:
    """The four correlations; an undefined one is None (for a flat selection, for example)."""

    mask: float | None
    volume: float | None
    peaks: float | None
    box: float | None

    def show(self) -> None:
        """PHENIX's own lines."""
        print("Map-model CC (overall):")
        print(f"  CC_mask  : {shown(self.mask)}")
        print(f"  CC_volume: {shown(self.volume)}")
        print(f"  CC_peaks : {shown(self.peaks)}")
        print(f"  CC_box   : {shown(self.box)}")


def of_model(model: BoxModel, resolution: float, hierarchy: Any | None = None) -> Correlation:
    """The correlations of a model (box frame) with the map of its box, at that resolution (Angstrom)."""
    return of_structure(model.box.data, model.structure(hierarchy), resolution)


def of_structure(map_data: Any, structure: Any, resolution: float) -> Correlation:
    """As of_model, for a cctbx xray.structure in P1."""
    from mmtbx.maps.correlation import five_cc

    result = five_cc(map=map_data, xray_structure=structure, d_min=resolution, compute_cc_box=True).result
    return Correlation(*(_defined(cc) for cc in (result.cc_mask, result.cc_volume, result.cc_peaks, result.cc_box)))


def by_chain(model: BoxModel, resolution: float) -> list[tuple[str, float | None, float, int]]:
    """Chain, its CC within the masking radius, mean B (A**2), number of atoms."""
    from mmtbx.maps.correlation import from_map_and_xray_structure_or_fmodel
    from mmtbx.maps.mtriage import get_atom_radius
    from scitbx.array_family import flex

    structure = model.structure()
    radius = get_atom_radius(xray_structure=structure, resolution=resolution)
    calculator = from_map_and_xray_structure_or_fmodel(
        xray_structure=structure, map_data=model.box.data, d_min=resolution
    )
    rows = []
    model.hierarchy.atoms().reset_i_seq()
    for chain in model.hierarchy.chains():
        atoms = chain.atoms()
        cc = calculator.cc(selection=atoms.extract_i_seq(), atom_radius=radius)
        rows.append((chain.id, _defined(cc), flex.mean(atoms.extract_b()), atoms.size()))
    return rows


def map_with_map(first: Any, second: Any) -> float | None:
    """Pearson correlation over all grid points of two maps on the same grid."""
    from cctbx.array_family import flex

    correlation = flex.linear_correlation(x=first.as_1d(), y=second.as_1d())
    return correlation.coefficient() if correlation.is_well_defined() else None


def _defined(value: float | None) -> float | None:
    return None if value is None or value != value else float(value)
