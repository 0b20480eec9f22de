"""Atomic models inside a map's box: read, checked against the box, moved to the box frame and back."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from open_phenix.core import scattering
from open_phenix.core.errors import Sorry
from open_phenix.cryoem.map_box import MapBox

CELL_TOLERANCE = 0.01  # Angstrom and degrees


@dataclass
class BoxModel:
    """A hierarchy whose coordinates are in the frame of the box."""

    path: Path
    hierarchy: Any
    box: MapBox
    own_symmetry: Any | None

    def structure(self, hierarchy: Any | None = None) -> Any:
        """The cctbx xray.structure in the box, with electron scattering factors."""
        structure = (hierarchy or self.hierarchy).extract_xray_structure(crystal_symmetry=self.box.symmetry)
        scattering.use_table(structure, "electron")
        return structure

    def atoms_inside(self) -> int:
        """How many atoms lie in the box (the box does not wrap: a copy in the next cell is outside)."""
        edges = self.box.edges
        sites = self.hierarchy.atoms().extract_xyz()
        return sum(1 for site in sites if all(0 <= x <= edge for x, edge in zip(site, edges)))

    def conflicts(self) -> bool:
        """True if the file has a CRYST1 cell that is not the box."""
        if self.own_symmetry is None or self.own_symmetry.unit_cell() is None:
            return False
        own, box = self.own_symmetry.unit_cell().parameters(), self.box.symmetry.unit_cell().parameters()
        whole = self.box.manager.unit_cell_crystal_symmetry().unit_cell().parameters()
        return not any(all(abs(a - b) < CELL_TOLERANCE for a, b in zip(own, other)) for other in (box, whole))


def read_model(path: Path, box: MapBox, in_box_frame: bool = False) -> BoxModel:
    """Read a PDB or mmCIF model into the frame of the box (unless it is there already); several MODELs, or none, raise Sorry."""
    import iotbx.pdb

    try:
        source = iotbx.pdb.input(file_name=str(path))
        hierarchy = source.construct_hierarchy()
    except (RuntimeError, ValueError) as problem:
        raise Sorry(f"{path} cannot be read as a model: {problem}") from problem
    if hierarchy.atoms_size() == 0:
        raise Sorry(f"{path} holds no atoms")
    if hierarchy.models_size() > 1:
        raise Sorry(f"{path} holds {hierarchy.models_size()} models; one is needed")
    if not in_box_frame:
        _translate(hierarchy, box.shift)
    return BoxModel(path, hierarchy, box, source.crystal_symmetry())


def report(model: BoxModel) -> None:
    """Print the model's contents and its position in the box."""
    atoms = model.hierarchy.atoms_size()
    print(f"Model: {model.path}")
    print(f"  atoms: {atoms}   chains: {len(list(model.hierarchy.chains()))}   atoms inside the map: {model.atoms_inside()}")
    charged = sum(1 for atom in model.hierarchy.atoms() if atom.charge.strip(" 0+-"))
    if charged:
        print(f"  {scattering.neutralized_note(charged)}")
    if model.own_symmetry is None or model.own_symmetry.unit_cell() is None:
        print("  The model has no unit cell; the box of the map is used.")
    elif model.conflicts():
        print("  The unit cell of the model is not that of the map; the box of the map is used.")


def stop_if_outside(model: BoxModel) -> None:
    """PHENIX's own words: the agent reads them as proof that the model is not placed."""
    if model.atoms_inside() == 0:
        raise Sorry("Stopping as model is entirely outside map and wrapping=False")


def write_model(model: BoxModel, hierarchy: Any, path: Path, remarks: "tuple[str, ...]" = ()) -> None:
    """Write a hierarchy of the box frame in the frame of the input map, as PDB or (by extension) mmCIF."""
    moved = hierarchy.deep_copy()
    _translate(moved, tuple(-s for s in model.box.shift))
    symmetry = model.box.manager.unit_cell_crystal_symmetry()
    if path.suffix == ".cif":
        text = moved.as_mmcif_string(crystal_symmetry=symmetry)
        text = "".join(f"# {remark}\n" for remark in remarks) + text
    elif not moved.fits_in_pdb_format():
        raise Sorry(f"The model does not fit into the PDB format (long chain or residue names): {path.name}")
    else:
        text = moved.as_pdb_string(crystal_symmetry=symmetry)
        text = "".join(f"REMARK   3 {remark}"[:80] + "\n" for remark in remarks) + text
    path.write_text(text, encoding="utf-8")


def without_hydrogens(hierarchy: Any) -> Any:
    """A copy without hydrogen and deuterium."""
    copy = hierarchy.deep_copy()
    copy.remove_hd()
    copy.atoms().reset_i_seq()
    return copy


def _translate(hierarchy: Any, shift: "tuple[float, ...]") -> None:
    if any(shift):
        atoms = hierarchy.atoms()
        atoms.set_xyz(atoms.extract_xyz() + shift)
