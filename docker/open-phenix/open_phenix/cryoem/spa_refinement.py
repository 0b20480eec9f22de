"""Macro cycles of real-space refinement: a few cycles of Servalcat each, correlation and geometry after each.

The first macro cycle searches for the weight of the data (open_phenix.weighting): against one map its best trial is the first
macro cycle; with two half maps the trials refine against the first one and are judged by the second, and the macro cycle is then
against both. The geometry of the model as submitted is the limit, and a later macro cycle that leaves it is taken back. If all
have torn the geometry of a model that fits, that model is the result.

Running Servalcat again in every macro cycle lets it find the peptide links again, which it detects by distance. A model so
distorted that it loses them is regularised in the map, after a first macro cycle without trials and as long as links are lost.
Side chains that no refinement can straighten are rebuilt before each macro cycle (side_chains.py).
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from collections.abc import Sequence

from open_phenix.core.errors import Sorry
from open_phenix.cryoem import box_model, correlation, regularization, side_chains, spa
from open_phenix.cryoem.box_model import BoxModel
from open_phenix.cryoem.correlation import Correlation
from open_phenix.cryoem.map_box import MapBox, write_box
from open_phenix.cryoem.numbers import shown
from open_phenix.restraints import for_model
from open_phenix.restraints.for_model import Restraints
from open_phenix.weighting import geometry_limits, weight_search
from open_phenix.weighting.geometry_limits import Geometry, GeometryLimits
from open_phenix.weighting.trials import UNKNOWN, Fit, Setting, State, Trial, map_limits, map_settings
from open_phenix.xray import geometry, models, validation

CYCLES_PER_MACRO_CYCLE = 4
FITS = 0.6  # CC_mask, column `poor` of knowledge/metrics.yaml


@dataclass(frozen=True)
class Step:
    """The model after one macro cycle (0: as given)."""

    number: int
    model: Path
    correlation: Correlation
    geometry: Geometry
    fsc_average: float | None = None

    def show(self) -> None:
        """One row of the table."""
        print(
            f"  macro_cycle {self.number}: CC_mask: {shown(self.correlation.mask)}  "
            f"bonds: {shown(self.geometry.bonds, '%.4f')}  angles: {shown(self.geometry.angles, '%.3f')}"
        )


@dataclass
class SpaRefinement:
    """One refinement. `box` is the map that the correlations are computed with; `maps` are what Servalcat refines against.

    `weight` None: it is searched for. `with_clashscore` False saves the time that contacts take.
    """

    box: MapBox
    maps: Sequence[MapBox]
    resolution: float
    restraints: Restraints
    folder: Path
    weight: float | None = None
    with_clashscore: bool = True
    steps: list[Step] = field(default_factory=list)
    engine_logs: list[Path] = field(default_factory=list)
    within: GeometryLimits = field(default_factory=lambda: GeometryLimits(0.0, 0.0), init=False)

    def run(self, start: BoxModel, macro_cycles: int) -> Path:
        """Refine; the result is Servalcat's mmCIF in the frame of the box."""
        given = spa.SpaInput(
            self._write_maps(), self.resolution, self.restraints.dictionaries, _has_hydrogens(start),
            find_links=models.has_sugars(models.read(start.path)), weight=self.weight,
        )
        current = self._engine_model(start)
        self._record(0, current, start)
        self.steps[0] = self._with_contacts(self.steps[0])
        self.within = geometry_limits.limits(self.resolution, self.steps[0].geometry)
        distorted = (self.steps[0].geometry.bonds or 0.0) > regularization.DISTORTED_BONDS
        searched = self.weight is not None
        for number in range(1, macro_cycles + 1):
            if not (distorted and number == 1):
                current = self._straightened(current, number)
            first_trial: spa.SpaRun | None = None
            if not searched and not (distorted and number == 1 and macro_cycles > 1):
                searched = True
                best = self._search(current, given)
                given = replace(given, weight=None if best.setting.automatic else best.setting.weight)
                first_trial = best.result if len(self.maps) == 1 else None
            run = first_trial or spa.refine(current, given, CYCLES_PER_MACRO_CYCLE, self.folder / f"cycle_{number}")
            self.engine_logs.append(run.log)
            current = run.cif
            self._record(number, run.cif, box_model.read_model(run.cif, self.box, in_box_frame=True), run.fsc_average)
            if number < macro_cycles and (distorted if number == 1 else regularization.lost_links(models.read(run.cif))):
                current = self._regularized(box_model.read_model(run.cif, self.box, in_box_frame=True))
        return self._best().model if macro_cycles else current

    def faults(self) -> list[str]:
        """Geometry of the result outside the limits, in words."""
        return geometry_limits.faults(self.steps[-1].geometry, self.within)

    def _search(self, model: Path, given: spa.SpaInput) -> Trial:
        halves = len(self.maps) == 2
        fit_of_start = UNKNOWN if halves else self._fit_of_map(self.steps[-1])
        start = State(fit_of_start, self.steps[-1].geometry)
        estimates: list[float] = []

        def attempt(number: int, setting: Setting) -> Trial:
            if estimates:
                setting = map_settings(estimates[0])[number - 1]
            weight = None if setting.automatic else setting.weight
            settings = replace(given, weight=weight, cross_validation=halves)
            run = spa.refine(model, settings, CYCLES_PER_MACRO_CYCLE, self.folder / f"trial_{number}")
            if not estimates:
                estimates.append(_estimate(run))
                setting = map_settings(estimates[0])[0]
            step = self._measured(number, run.cif, box_model.read_model(run.cif, self.box, in_box_frame=True))
            fit = _fit_of_halves(run) if halves else self._fit_of_map(step)
            return Trial(setting, start, State(fit, self._with_contacts(step, only_if_sound=True).geometry), run)

        within = map_limits(self.resolution, self.steps[0].geometry)
        wording = weight_search.HALF_MAPS if halves else weight_search.ONE_MAP
        search = weight_search.WeightSearch(map_settings(), attempt, lambda _: within, wording, self.resolution, every=halves)
        return search.run()

    def _fit_of_map(self, step: Step) -> Fit:
        cc = step.correlation.mask or 0.0
        return weight_search.fit_of_correlations(cc, cc)

    def _measured(self, number: int, path: Path, model: BoxModel) -> Step:
        deviations = geometry.deviations(self.restraints.refined_part(models.read(path)), self.restraints.dictionaries)
        plot = validation.ramachandran_or_none(path)
        measured = Geometry(deviations.bonds, deviations.angles, plot)
        return Step(number, path, correlation.of_model(model, self.resolution), measured)

    def _record(self, number: int, path: Path, model: BoxModel, fsc_average: float | None = None) -> None:
        step = replace(self._measured(number, path, model), fsc_average=fsc_average)
        step.show()
        self.steps.append(step)

    def _with_contacts(self, step: Step, only_if_sound: bool = False) -> Step:
        """The geometry with the clashscore, which takes seconds; skipped if other values are outside the limits already."""
        known = step.geometry.clashscore is not None or not self.with_clashscore
        if known or (only_if_sound and geometry_limits.faults(step.geometry, self.within)):
            return step
        model = self.restraints.refined_part(models.read(step.model))
        found = validation.clashscore_or_none(model, self.restraints.dictionaries, self.folder)
        return replace(step, geometry=replace(step.geometry, clashscore=found))

    def _best(self) -> Step:
        """The last macro cycle whose geometry is within the limits. If none is: the last, or the model as submitted."""
        for step in reversed(self.steps[1:]):
            candidate = self._with_contacts(step, only_if_sound=True)
            if geometry_limits.faults(candidate.geometry, self.within):
                continue
            if candidate.number != self.steps[-1].number:
                print(f"  The geometry has left the limits since macro cycle {step.number}: its model is taken")
            self.steps.append(candidate)
            return candidate
        last = self._with_contacts(self.steps[-1])
        if self._tore(last):
            last = self.steps[0]
            print("  Each macro cycle has made the geometry worse, and the model as submitted fits the map: that one is written")
        self.steps.append(last)
        return last

    def _tore(self, last: Step) -> bool:
        """Refinement has torn the geometry of a model that was sound and fitted the map."""
        first = self.steps[0]
        was_good = (first.correlation.mask or 0.0) >= FITS and not geometry_limits.faults(first.geometry, self.within)
        tolerated = geometry_limits.tolerated(self.resolution, first.geometry)
        return was_good and bool(geometry_limits.faults(last.geometry, tolerated))

    def _regularized(self, model: BoxModel) -> Path:
        print("  The model is distorted (peptide links are out of reach): regularised in the map.")
        path = self.folder / f"regularized_{len(self.steps)}.cif"
        regularization.regularize(model, self.restraints.dictionaries, path)
        return path

    def _straightened(self, path: Path, number: int) -> Path:
        structure = models.read(path)
        rebuilt = side_chains.straighten(structure, self.restraints.dictionaries)
        if not rebuilt:
            return path
        print(f"  Rebuilt with ideal bonds and angles, as refinement cannot straighten them: {', '.join(rebuilt)}")
        return models.write_like(structure, path, self.folder / f"straightened_{number}")

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


def _estimate(run: spa.SpaRun) -> float:
    if run.weight is None:
        raise Sorry("Servalcat told no weight of the data; see its log")
    return run.weight


def _fit_of_halves(run: spa.SpaRun) -> Fit:
    if run.fsc_work is None or run.fsc_free is None:
        raise Sorry("Servalcat told no FSC with the half maps; see its log")
    return weight_search.fit_of_correlations(run.fsc_work, run.fsc_free)
