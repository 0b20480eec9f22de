"""One round of rebuilding by Coot; only the worker process imports it (Coot and cctbx never share a process)."""

from pathlib import Path
from typing import Any

import gemmi

REFINE_CYCLES = 4000
FLIP_SIGMA = 4.0  # of mFo-DFc at the oxygen's flipped position; Coot's own default for this search
BACKBONE = ("N", "CA", "C", "O")
WORST_BACKBONE = 0.8  # rms of 2mFo-DFc, mean over N, CA, C, O: no added residue stands lower
MEAN_BACKBONE = 1.0  # rms, mean over the residues added in one step
MOST_AT_AN_END = 8  # residues a round
FARTHEST_ENDS = 4.5  # A between C and N of the two halves of a loop that real-space refinement may still join
PEPTIDE_BOND = 1.33  # A
LONGEST_BOND = 1.6  # A, after real-space refinement


def rebuild(coot: Any, job: dict[str, Any]) -> dict[str, Any]:
    """Run one round: residue types, side chains, peptides, loops, ends, then real-space refinement; returns the changes."""
    for dictionary in job["dictionaries"]:
        coot.import_cif_dictionary(dictionary, -999999)
    coot.set_make_backups(False)
    maps = _Maps(coot, job["mtz"])
    work = _Work(coot, coot.read_coordinates(job["model"]), maps, Path(job["folder"]), job["suffix"])
    done: dict[str, Any] = {"mutated": work.mutate(job["mutations"]), "rotamers": work.side_chains(job["side_chains"])}
    done["flipped"] = work.flip_peptides() if job["flip"] else []
    done["closed"] = [loop for loop in map(work.close, job["gaps"]) if loop is not None]
    done["added"] = [[end["chain"], work.extend(end)] for end in job["ends"]]
    for chain in job["chains"]:
        coot.refine_residues_using_atom_cid(work.model, f"//{chain}", "CHAIN", REFINE_CYCLES)
    coot.write_coordinates(work.model, job["out"])
    return done


class _Maps:
    """2mFo-DFc and mFo-DFc of Servalcat, in Coot and (for reading values, in rms) in gemmi."""

    def __init__(self, coot: Any, mtz: str):
        self.density = coot.read_mtz(mtz, "FWT", "PHWT", "", False, False)
        self.difference = coot.read_mtz(mtz, "DELFWT", "PHDELWT", "", False, True)
        coot.set_imol_refinement_map(self.density)
        self.grid = normalized(mtz)

    def backbone(self, residue: gemmi.Residue) -> float:
        """Mean density (rms) over the main-chain atoms of a residue."""
        return mean_density(self.grid, residue)


def normalized(mtz: str) -> gemmi.FloatGrid:
    """2mFo-DFc in rms."""
    grid = gemmi.read_mtz_file(mtz).transform_f_phi_to_map("FWT", "PHWT", sample_rate=3)
    grid.normalize()
    return grid


def mean_density(grid: gemmi.FloatGrid, residue: gemmi.Residue, side_chain: bool = False) -> float:
    """Mean density (rms) over main-chain or, with `side_chain`, the other atoms of a residue (0 without any)."""
    values = [grid.interpolate_value(atom.pos) for atom in residue if (atom.name in BACKBONE) != side_chain]
    return sum(values) / len(values) if values else 0.0


class _Work:
    """The model as it grows."""

    def __init__(self, coot: Any, model: int, maps: _Maps, folder: Path, suffix: str):
        self.coot, self.model, self.maps, self.folder, self.suffix = coot, model, maps, folder, suffix

    def mutate(self, wanted: list[list[Any]]) -> int:
        """Set residue types by the sequence, then complete residues; returns the number of changed types."""
        changed = sum(self.coot.mutate(self.model, f"//{chain}/{number}", name) for chain, number, name in wanted)
        self.coot.fill_partial_residues(self.model)
        return int(changed)

    def side_chains(self, wanted: list[list[Any]]) -> int:
        """Set the best-fitting rotamer of each of these residues."""
        return sum(self.coot.auto_fit_rotamer(self.model, chain, number, "", "", self.maps.density) for chain, number in wanted)

    def flip_peptides(self) -> list[str]:
        """Flip peptides that the difference map shows the other way round, and refine each with its neighbours."""
        flipped = []
        for place in self.coot.pepflips_using_difference_map(self.model, self.maps.difference, FLIP_SIGMA):
            spec = place.residue_spec
            cid = f"//{spec.chain_id}/{spec.res_no}"
            self.coot.flip_peptide_using_cid(self.model, f"{cid}/O", "")
            self.coot.refine_residues_using_atom_cid(self.model, cid, "TRIPLE", REFINE_CYCLES)
            flipped.append(f"{spec.chain_id} {spec.res_no}")
        return flipped

    def close(self, tries: list[dict[str, Any]]) -> dict[str, Any] | None:
        """Build the first possible of these loops: the gap itself, then wider ones with residues at its ends rebuilt too."""
        return next((gap for gap in tries if self._close(gap)), None)

    def _close(self, gap: dict[str, Any]) -> bool:
        """Build the loop from both ends and join the halves; kept only if it is complete and in density."""
        chain, first, last = gap["chain"], gap["first"], gap["last"]
        opened = self.coot.copy_molecule(self.model)
        for number in range(first, last + 1):
            self.coot.delete_residue(opened, chain, number, "")
        structure = self._structure(opened)
        if None in [_residue(structure, chain, number) for number in (first - 2, first - 1, last + 1, last + 2)]:
            self.coot.close_molecule(opened)  # beside another gap: Coot dies without a residue to grow from, and takes
            return False  # a lone one for the end of a chain in either direction
        forward = self._grown(opened, chain, [number - 1 for number in range(first, last + 1)])
        backward = self._grown(opened, chain, [number + 1 for number in range(last, first - 1, -1)])
        self.coot.close_molecule(opened)
        joined = _joined(forward, backward, chain, first, last)
        if joined is None:
            return False
        trial = self._read(joined, "trial")
        self.coot.refine_residue_range(trial, chain, first - 2, last + 2, REFINE_CYCLES)
        if not self._is_good(trial, chain, first, last):
            self.coot.close_molecule(trial)
            return False
        self._take(trial)
        self._name(chain, first, gap["types"])
        self.coot.refine_residue_range(self.model, chain, first - 2, last + 2, REFINE_CYCLES)
        return True

    def extend(self, end: dict[str, Any]) -> int:
        """Add residues to an end of a chain, one at a time, while they are in density; returns their number."""
        chain, step, anchor = end["chain"], end["step"], end["anchor"]
        types = end["types"][:MOST_AT_AN_END]
        added = 0
        for name in types:
            number = anchor + step * (added + 1)
            trial = self.coot.copy_molecule(self.model)
            done = self.coot.add_terminal_residue_directly(trial, chain, number - step, "")[0] == 1
            if done:
                low, high = sorted((number, number - step))
                self.coot.refine_residue_range(trial, chain, low, high, REFINE_CYCLES)
            if not done or not self._stands(trial, chain, number):
                self.coot.close_molecule(trial)
                break
            self._take(trial)
            self._name(chain, number, [name])
            added += 1
        return added

    def _grown(self, opened: int, chain: str, anchors: list[int]) -> gemmi.Structure:
        """A copy with residues added to these ends one after the other, as far as Coot can."""
        copy = self.coot.copy_molecule(opened)
        for anchor in anchors:
            if self.coot.add_terminal_residue_directly(copy, chain, anchor, "")[0] != 1:
                break
        grown = self._structure(copy)
        self.coot.close_molecule(copy)
        return grown

    def _stands(self, molecule: int, chain: str, number: int) -> bool:
        residue = _residue(self._structure(molecule), chain, number)
        return residue is not None and self.maps.backbone(residue) >= MEAN_BACKBONE

    def _is_good(self, molecule: int, chain: str, first: int, last: int) -> bool:
        structure = self._structure(molecule)
        values = [self.maps.backbone(structure[0][chain][str(number)][0]) for number in range(first, last + 1)]
        bonds = [_bond(structure, structure, chain, number) for number in range(first - 1, last + 1)]
        whole = all(bond is not None and bond <= LONGEST_BOND for bond in bonds)
        return whole and min(values) >= WORST_BACKBONE and sum(values) / len(values) >= MEAN_BACKBONE

    def _name(self, chain: str, first: int, types: list[str]) -> None:
        for number, name in enumerate(types, start=first):
            self.coot.mutate(self.model, f"//{chain}/{number}", name)
            self.coot.auto_fit_rotamer(self.model, chain, number, "", "", self.maps.density)

    def _take(self, molecule: int) -> None:
        self.coot.close_molecule(self.model)
        self.model = molecule

    def _structure(self, molecule: int) -> gemmi.Structure:
        path = self.folder / f"seen{self.suffix}"
        self.coot.write_coordinates(molecule, str(path))
        return gemmi.read_structure(str(path))

    def _read(self, structure: gemmi.Structure, name: str) -> int:
        path = self.folder / f"{name}{self.suffix}"
        if self.suffix == ".pdb":
            structure.write_pdb(str(path))
        else:
            structure.make_mmcif_document().write_file(str(path))
        return int(self.coot.read_coordinates(str(path)))


def _residue(structure: gemmi.Structure, chain: str, number: int) -> gemmi.Residue | None:
    found = structure[0][chain][str(number)]
    return found[0] if len(found) else None


def _bond(first: gemmi.Structure, second: gemmi.Structure, chain: str, number: int) -> float | None:
    """Distance (A) from C of a residue in one structure to N of the next in the other; None where either is missing."""
    before, after = _residue(first, chain, number), _residue(second, chain, number + 1)
    if before is None or after is None or before.find_atom("C", "*") is None or after.find_atom("N", "*") is None:
        return None
    return float(before.find_atom("C", "*").pos.dist(after.find_atom("N", "*").pos))


def _joined(
    forward: gemmi.Structure, backward: gemmi.Structure, chain: str, first: int, last: int
) -> gemmi.Structure | None:
    """The two halves, cut where the peptide bond between them is closest to its ideal length; None if it is far off."""
    bonds = {number: _bond(forward, backward, chain, number) for number in range(first - 1, last + 1)}
    possible = {number: abs(bond - PEPTIDE_BOND) for number, bond in bonds.items() if bond is not None}
    if not possible or min(possible.values()) > FARTHEST_ENDS - PEPTIDE_BOND:
        return None
    cut = min(possible, key=lambda number: possible[number])
    later = [residue.clone() for residue in backward[0][chain] if cut < residue.seqid.num <= last]
    part = forward[0][chain]
    for index in reversed(range(len(part))):
        if cut < part[index].seqid.num <= last:
            del part[index]
    at = next(index for index, residue in enumerate(part) if residue.seqid.num > last)
    for offset, residue in enumerate(sorted(later, key=lambda residue: residue.seqid.num)):
        part.add_residue(residue, at + offset)
    return forward
