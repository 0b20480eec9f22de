"""Macro cycles of real-space refinement: a few cycles of Servalcat each, and the correlation after each.

Running Servalcat anew in every macro cycle lets it find the peptide links again, which it tells by distance. A model so
distorted that it loses them is regularised in the map once, after the first macro cycle.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from collections.abc import Sequence

from open_phenix.core.errors import Sorry
from open_phenix.cryoem import box_model, correlation, regularization, spa
from open_phenix.cryoem.box_model import BoxModel
from open_phenix.cryoem.correlation import Correlation
from open_phenix.cryoem.map_box import MapBox, write_box
from open_phenix.cryoem.numbers import shown
from open_phenix.restraints import for_model
from open_phenix.restraints.for_model import Restraints
from open_phenix.xray import geometry, models
from open_phenix.xray.geometry import Deviations

CYCLES_PER_MACRO_CYCLE = 4


@dataclass(frozen=True)
class Step:
    """The model after one macro cycle (0: as given)."""

    number: int
    correlation: Correlation
    deviations: Deviations

    def show(self) -> None:
        """One row of the table."""
        print(
            f"  macro_cycle {self.number}: CC_mask: {shown(self.correlation.mask)}  "
            f"bonds: {shown(self.deviations.bonds, '%.4f')}  angles: {shown(self.deviations.angles, '%.3f')}"
        )


@dataclass
class SpaRefinement:
    """One refinement. `box` is the map that the correlations are computed with; `maps` are what Servalcat refines against."""

    box: MapBox
    maps: Sequence[MapBox]
    resolution: float
    restraints: Restraints
    folder: Path
    steps: list[Step] = field(default_factory=list)
    engine_logs: list[Path] = field(default_factory=list)
    fsc_average: float | None = None

    def run(self, start: BoxModel, macro_cycles: int) -> Path:
        """Refine; the result is Servalcat's mmCIF in the frame of the box."""
        given = spa.SpaInput(
            self._write_maps(), self.resolution, self.restraints.dictionaries, _has_hydrogens(start),
            models.has_sugars(models.read(start.path)),
        )
        current = self._engine_model(start)
        self._record(0, start)
        distorted = (self.steps[0].deviations.bonds or 0.0) > regularization.DISTORTED_BONDS
        result = current
        for number in range(1, macro_cycles + 1):
            run = spa.refine(current, given, CYCLES_PER_MACRO_CYCLE, self.folder / f"cycle_{number}")
            self.engine_logs.append(run.log)
            self.fsc_average = run.fsc_average
            refined = box_model.read_model(run.cif, self.box, in_box_frame=True)
            self._record(number, refined)
            current = result = run.cif
            if distorted and number == 1 and macro_cycles > 1:
                current = self._regularized(refined)
        return result

    def _record(self, number: int, model: BoxModel) -> None:
        deviations = geometry.deviations(self.restraints.refined_part(models.read(model.path)), self.restraints.dictionaries)
        step = Step(number, correlation.of_model(model, self.resolution), deviations)
        step.show()
        self.steps.append(step)

    def _regularized(self, model: BoxModel) -> Path:
        print("  The start model is distorted (its peptide links are out of reach): regularised once in the map.")
        path = self.folder / "regularized.cif"
        regularization.regularize(model, self.restraints.dictionaries, path)
        return path

    def _write_maps(self) -> "tuple[Path, ...]":
        paths = []
        for number, box in enumerate(self.maps, start=1):
            paths.append(self.folder / f"map_{number}.ccp4")
            write_box(box, paths[-1])
        return tuple(paths)

    def _engine_model(self, start: BoxModel) -> Path:
        structure = self.restraints.refined_part(models.read(start.path))
        place(structure, self.box.shift, self.box.symmetry.unit_cell().parameters())
        return models.write_like(structure, start.path, self.folder / "start")


def place(structure: Any, shift: "tuple[float, ...]", cell: "tuple[float, ...]") -> None:
    """Move a gemmi structure by `shift` (Angstrom) and give it that cell, space group P1."""
    import gemmi

    structure[0].transform_pos_and_adp(gemmi.Transform(gemmi.Mat33(), gemmi.Vec3(*shift)))
    structure.cell = gemmi.UnitCell(*cell)
    structure.spacegroup_hm = "P 1"
    structure.setup_cell_images()


def write_outputs(result: Path, box: MapBox, stem: Path, beside: "Sequence[tuple[str, Any]]" = ()) -> "list[Path]":
    """Write STEM.pdb (if the model fits that format) and STEM.cif in the frame of the input map.

    `beside`: residues that were not refined, with their chain names, in that frame.
    """
    structure = models.read(result)
    whole = box.manager.unit_cell_crystal_symmetry().unit_cell().parameters()
    place(structure, tuple(-s for s in box.shift), whole)
    structure.name = stem.name
    structure.info["_entry.id"] = stem.name
    paths = [stem.with_name(stem.name + ".cif")]
    structure.make_mmcif_document().write_file(str(paths[0]))
    for_model.put_back(paths[0], beside)
    if _fits_pdb(structure):
        paths.insert(0, stem.with_name(stem.name + ".pdb"))
        structure.write_pdb(str(paths[0]))
        for_model.put_back(paths[0], beside)
    return paths


def _fits_pdb(structure: Any) -> bool:
    chains = structure[0]
    return all(len(chain.name) <= 2 for chain in chains) and structure[0].count_atom_sites() <= 99999 and all(
        len(residue.name) <= 3 for chain in chains for residue in chain
    )


def _has_hydrogens(model: BoxModel) -> bool:
    if model.hierarchy.atoms_size() == 0:
        raise Sorry("The model has no atoms")
    return any(atom.element.strip().upper() in ("H", "D") for atom in model.hierarchy.atoms())
