"""Rebuilding in place: rounds of Coot (types, side chains, peptides, loops, ends) and Servalcat, then a whole refinement.

A round is kept if it lowers R-free, or if it gives residues the types of the sequence. After the first, one that does not lower it ends
the rounds, as the next one would do the same again.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from collections.abc import Sequence

import gemmi

from open_phenix import coot_rebuilding
from open_phenix.weighting import trials
from open_phenix.xray import coot, models, sequence_fit, servalcat
from open_phenix.xray.sequence_fit import ChainFit
from open_phenix.xray.servalcat import RunOptions, RunResult

CYCLES = 5  # of Servalcat, after each round
NO_DENSITY = 0.8  # rms of 2mFo-DFc over the main chain: a residue below it goes. The lowest of 633 in three good models has 1.3
WEAK_SIDE_CHAIN = 1.0  # rms: in later rounds only such side chains are fitted again
_WITHOUT_ROTAMERS = ("GLY", "ALA")


@dataclass
class State:
    """A refined model and its maps."""

    structure: gemmi.Structure
    result: RunResult
    r_work: float
    r_free: float


@dataclass
class Report:
    """Changes of all accepted rounds."""

    fits: list[ChainFit] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    mutated: int = 0
    closed: list[str] = field(default_factory=list)
    flipped: list[str] = field(default_factory=list)
    added: int = 0
    deleted: list[str] = field(default_factory=list)

    def take(self, done: dict[str, Any]) -> None:
        """Count the changes of a round."""
        self.mutated += done["mutated"]
        self.flipped += done["flipped"]
        self.closed += [_name(gap) for gap in done["closed"]]
        self.added += sum(count for _, count in done["added"]) + sum(gap["last"] - gap["first"] + 1 for gap in done["closed"])
        self.deleted += done["deleted"]


def stripped(structure: gemmi.Structure) -> gemmi.Structure:
    """A copy without waters, hydrogens and all but the first conformer: what AutoBuild starts from too."""
    bare = structure.clone()
    bare.remove_waters()
    bare.remove_hydrogens()
    bare.remove_alternative_conformations()
    bare.remove_empty_chains()
    bare.setup_entities()
    return bare


def residues_built(structure: gemmi.Structure) -> tuple[int, int]:
    """Protein residues, and those of them with a side chain beyond CB where their type has one (AutoBuild's "placed")."""
    every = [residue for _, residue in protein_residues(structure)]
    return len(every), sum(1 for residue in every if residue.name in _WITHOUT_ROTAMERS or _has_side_chain(residue))


def protein_residues(structure: gemmi.Structure) -> list[tuple[str, gemmi.Residue]]:
    """Chain name and residue, for all amino acids of peptide chains."""
    return [
        (chain.name, residue)
        for chain in structure[0]
        for residue in chain.get_polymer()
        if gemmi.find_tabulated_residue(residue.name).is_amino_acid()
    ]


def _has_side_chain(residue: gemmi.Residue) -> bool:
    return any(atom.name not in (*coot_rebuilding.BACKBONE, "CB", "OXT") for atom in residue)


class Rebuilding:
    """Runs the rounds in a scratch folder, and reports each as it ends."""

    def __init__(self, original: Path, options: RunOptions, sequences: Sequence[str], rounds: int, scratch: Path, d_min: float):
        """The weight is that of phenix.refine's first trial: at low resolution Servalcat's own overfits (beta_blip: R-free 0.385
        after 5 cycles, 0.368 with jelly-body restraints), which no rebuilding makes up for."""
        setting = trials.xray_settings(d_min)[0]
        weight = None if setting.automatic else setting.weight
        self.original = original
        self.options = replace(options, weight=weight, jelly_body=setting.jelly_body)
        self.sequences = sequences
        self.rounds = rounds
        self.scratch = scratch
        self.report = Report()

    def run(self, given: gemmi.Structure) -> tuple[State, State]:
        """The model as given (refined, for its maps), and the best one of the rounds."""
        start = self._refined(given, "given")
        print(f"Model as given: R/Rfree={start.result.cycles[0].r_work:.4f}/{start.result.cycles[0].r_free:.4f}; "
              f"after {CYCLES} cycles {start.r_work:.4f}/{start.r_free:.4f}", flush=True)
        best = start
        for number in range(1, self.rounds + 1):
            found, changes = self._round(number, best)
            self._show(number, found)
            worse = found.r_free >= best.r_free
            if worse and number > 1:
                print("R-free does not fall any more: this round is not kept, and no further ones follow")
                break
            if worse and not changes["mutated"]:
                print("R-free does not fall: this round is not kept")
                continue
            best = found
            self.report.take(changes)
        return start, best

    def _refined(self, structure: gemmi.Structure, name: str) -> State:
        model = models.write_like(structure, self.original, self.scratch / f"{name}_in")
        result = servalcat.refine(model, self.options, CYCLES, self.scratch / name, lambda *_: None)
        last = result.cycles[-1]
        return State(models.read(result.model_like(model)), result, last.r_work, last.r_free)

    def _round(self, number: int, state: State) -> tuple[State, dict[str, Any]]:
        structure = stripped(state.structure)
        fits, left = sequence_fit.fit(structure, self.sequences)
        if number == 1:
            self.report.fits, self.report.left = fits, left
            self._show_fits()
        built, done = self._by_coot(number, state, structure, fits)
        found = self._refined(built, f"round_{number}")
        done["deleted"] = self._delete_without_density(found)
        if done["deleted"]:
            print(f"  deleted, as there is no density: {', '.join(done['deleted'])}")
        return found, done

    def _by_coot(
        self, number: int, state: State, structure: gemmi.Structure, fits: list[ChainFit]
    ) -> tuple[gemmi.Structure, dict[str, Any]]:
        suffix = ".pdb" if self.original.name.lower().endswith((".pdb", ".ent", ".pdb.gz", ".ent.gz")) else ".cif"
        given, out = self.scratch / f"coot_{number}_in{suffix}", self.scratch / f"coot_{number}{suffix}"
        _write(_without_links(structure), given)
        job = {
            "model": str(given),
            "out": str(out),
            "mtz": str(state.result.mtz),
            "folder": str(self.scratch),
            "suffix": suffix,
            "dictionaries": [str(path) for path in self.options.dictionaries],
            "mutations": [[fit.chain, *mutation] for fit in fits for mutation in fit.mutations],
            "side_chains": self._side_chains(number, state, structure),
            "flip": number > 1,
            "gaps": [[vars(gap) for gap in tries] for fit in fits for tries in fit.gaps] if number > 1 else [],
            "ends": [end for fit in fits for end in _ends(fit)] if number > 1 else [],
            "chains": sorted({chain for chain, _ in protein_residues(structure)}),
        }
        done = coot.run("rebuild", job, self.scratch / f"coot_{number}.log")
        _show_work(done)
        built = models.read(out)
        built.cell, built.spacegroup_hm = structure.cell, structure.spacegroup_hm
        built.setup_cell_images()
        for link in structure.connections:
            if all(built[0].find_cra(partner).atom is not None for partner in (link.partner1, link.partner2)):
                built.connections.append(link)
        return built, done

    def _side_chains(self, number: int, state: State, structure: gemmi.Structure) -> list[list[Any]]:
        grid = coot_rebuilding.normalized(str(state.result.mtz))
        return [
            [chain, residue.seqid.num]
            for chain, residue in protein_residues(structure)
            if number == 1 or coot_rebuilding.mean_density(grid, residue, side_chain=True) < WEAK_SIDE_CHAIN
        ]

    def _delete_without_density(self, state: State) -> list[str]:
        grid = coot_rebuilding.normalized(str(state.result.mtz))
        gone = []
        for chain in state.structure[0]:
            polymer = {str(residue.seqid) for residue in chain.get_polymer()}
            for index in reversed(range(len(chain))):
                residue = chain[index]
                if str(residue.seqid) in polymer and coot_rebuilding.mean_density(grid, residue) < NO_DENSITY:
                    gone.append(f"{chain.name} {residue.seqid}")
                    del chain[index]
        state.structure.remove_empty_chains()
        return gone

    def _show_fits(self) -> None:
        for fit in self.report.fits:
            changes = [f"{len(fit.mutations)} residue types to change", f"{fit.missing} residues to build"]
            changes += [f"{fit.removed} residues removed that the sequence lacks"] if fit.removed else []
            changes += ["renumbered by the sequence"] if fit.renumbered else []
            print(f"Chain {fit.chain}: {fit.aligned} residues aligned, {100 * fit.identity:.0f} % identical; {', '.join(changes)}")
        for sentence in self.report.left:
            print(f"WARNING: {sentence}")

    def _show(self, number: int, state: State) -> None:
        built, placed = residues_built(state.structure)
        print(f"Cycle {number}  R/Rfree={state.r_work:.4f}/{state.r_free:.4f}  Built={built}  Placed={placed}", flush=True)


def _show_work(done: dict[str, Any]) -> None:
    closed = [_name(gap) for gap in done["closed"]]
    print(f"  Coot: residues mutated {done['mutated']}, side chains fitted {done['rotamers']}, "
          f"peptides flipped {len(done['flipped'])}{_listed(done['flipped'])}, loops closed {len(closed)}{_listed(closed)}, "
          f"residues added to ends {sum(count for _, count in done['added'])}", flush=True)


def _name(gap: dict[str, Any]) -> str:
    return f"{gap['chain']} {gap['first']}-{gap['last']}"


def _ends(fit: ChainFit) -> list[dict[str, Any]]:
    ends: list[dict[str, Any]] = []
    if fit.before is not None:
        ends.append({"chain": fit.chain, "step": -1, "anchor": fit.before.last + 1, "types": list(reversed(fit.before.types))})
    if fit.after is not None:
        ends.append({"chain": fit.chain, "step": 1, "anchor": fit.after.first - 1, "types": list(fit.after.types)})
    return ends


def _without_links(structure: gemmi.Structure) -> gemmi.Structure:
    """A copy without LINK and SSBOND records: Coot crashes if it refines only one end of such a link."""
    bare = structure.clone()
    bare.connections.clear()
    return bare


def _write(structure: gemmi.Structure, path: Path) -> None:
    if path.suffix == ".pdb":
        structure.write_pdb(str(path))
    else:
        structure.make_mmcif_document().write_file(str(path))


def _listed(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})" if names else ""
