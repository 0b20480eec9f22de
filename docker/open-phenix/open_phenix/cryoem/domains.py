"""Docking in parts: a model of several chains or compact domains whose arrangement is not that of the map."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from open_phenix.cryoem import correlation, docking
from open_phenix.cryoem.box_model import BoxModel
from open_phenix.cryoem.docking import Placement
from open_phenix.cryoem.powerfit import SearchOptions

SMALLEST = 30  # residues: a smaller part has no shape of its own at the resolutions of docking
RADIUS = 3.0  # A around each atom that is placed already: its density is not searched again


def parts_of(model: BoxModel) -> list[Any]:
    """Atom selections (flex.bool), the largest first: chains, or the compact domains of a single chain; empty for one part only.

    Domains are those of process_predicted_model (mmtbx.process_predicted_model.split_model_into_compact_units).
    """
    chains = {chain.id for chain in model.hierarchy.chains()}
    labels = [atom.parent().parent().parent().id for atom in model.hierarchy.atoms()] if len(chains) > 1 else _domains(model)
    sizes = {label: sum(1 for a, l in zip(model.hierarchy.atoms(), labels) if l == label and a.name.strip() in ("CA", "P"))
             for label in set(labels)}
    kept = sorted((label for label, size in sizes.items() if size >= SMALLEST), key=lambda label: -sizes[label])
    return [_selection(labels, label) for label in kept] if len(kept) > 1 else []


def _selection(labels: list[Any], label: Any) -> Any:
    from scitbx.array_family import flex

    return flex.bool([other == label for other in labels])


def _domains(model: BoxModel) -> list[int]:
    from libtbx.utils import null_out
    from mmtbx.model import manager
    from mmtbx.process_predicted_model import split_model_into_compact_units

    source = manager(model_input=None, pdb_hierarchy=model.hierarchy.deep_copy(), crystal_symmetry=model.box.symmetry,
                     log=null_out())
    found = split_model_into_compact_units(source, log=null_out())
    return list(found.full_regions_list) if found else [0] * model.hierarchy.atoms_size()


def dock(
    model: BoxModel, parts: list[Any], resolution: float, passes: list[SearchOptions], folder: Path, min_cc: float
) -> tuple[Placement | None, list[str]]:
    """Dock each part in turn in the remaining density; returns the placed parts as one hierarchy, and a sentence for each."""
    placed: list[Any] = []
    said = []
    for number, selection in enumerate(parts, start=1):
        part = model.hierarchy.select(selection, copy_atoms=True)
        box = _without(model, placed)
        print(f"\nPart {number} of {len(parts)}: {_name(part)}")
        found = docking.dock(BoxModel(model.path, part, box, None), resolution, passes, folder / f"part_{number}")
        good = found is not None and found.cc_mask >= min_cc
        said.append(f"{_name(part)}: {'placed' if good else 'not placed'}, CC_mask {found.cc_mask if found else -1:.3f}")
        if found is not None and good:
            placed.append(found.hierarchy)
    if not placed:
        return None, said
    whole = placed[0].deep_copy()
    for other in placed[1:]:
        for chain in other.only_model().chains():
            whole.only_model().append_chain(chain.detached_copy())
    whole.sort_chains_by_id()
    whole.atoms().reset_i_seq()
    whole.atoms().reset_serial()
    return Placement(whole, correlation.of_model(model, resolution, whole)), said


def _without(model: BoxModel, placed: list[Any]) -> Any:
    """The box with the density around the placed parts set to the mean of the map."""
    from cctbx import maptbx
    from scitbx.array_family import flex

    if not placed:
        return model.box
    data = model.box.data.deep_copy()
    mean = flex.mean(data.as_1d())
    for hierarchy in placed:
        sites = hierarchy.atoms().extract_xyz()
        around = maptbx.grid_indices_around_sites(
            unit_cell=model.box.symmetry.unit_cell(), fft_n_real=data.all(), fft_m_real=data.all(), sites_cart=sites,
            site_radii=flex.double(sites.size(), RADIUS),
        )
        data.as_1d().set_selected(around, mean)
    return replace(model.box, manager=model.box.manager.customized_copy(map_data=data))


def _name(part: Any) -> str:
    groups = list(part.residue_groups())
    chains = ", ".join(sorted({chain.id for chain in part.chains()}))
    return f"chain {chains}, residues {groups[0].resseq.strip()} to {groups[-1].resseq.strip()} ({len(groups)} residues)"
