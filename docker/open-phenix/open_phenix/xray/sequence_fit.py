"""The model and the sequence: assigns a sequence to each chain and lists the required changes."""

import math
from dataclasses import dataclass, field
from collections.abc import Sequence

import gemmi

WIDER = 2  # residues at each end of a gap that may be built again
LONGEST_GAP = 15  # residues; a longer loop is left open, as Coot's extension from two ends rarely meets again


@dataclass(frozen=True)
class Gap:
    """Residues `first` to `last` of a chain that the sequence has and the model lacks; `types` are their three-letter codes."""

    chain: str
    first: int
    last: int
    types: tuple[str, ...]


@dataclass
class ChainFit:
    """Required changes of one chain. `identity` is the share of identical residues (0 to 1) among the aligned ones, as submitted.

    Each gap has wider alternatives to try next, because residues beside a gap are often wrong.
    """

    chain: str
    identity: float
    aligned: int
    missing: int
    mutations: list[tuple[int, str]] = field(default_factory=list)
    removed: int = 0
    renumbered: bool = False
    gaps: list[list[Gap]] = field(default_factory=list)
    before: Gap | None = None
    after: Gap | None = None


def lowest_identity(aligned: int) -> float:
    """Identity (0 to 1) above which so many aligned residues mean homology: B. Rost (1999), Protein Eng. 12, 85, equation 2."""
    if aligned <= 11:
        return 1.0
    if aligned > 450:
        return 0.195
    return 4.8 * float(aligned) ** (-0.32 * (1 + math.exp(-aligned / 1000)))


def fit(structure: gemmi.Structure, sequences: Sequence[str]) -> tuple[list[ChainFit], list[str]]:
    """Align each protein chain with its sequence; residues that the sequence lacks go, the numbering follows the sequence.

    The structure is changed in place. Also: a sentence for each protein chain that no sequence fits and that stays as it is.
    """
    fits, left = [], []
    for chain in structure[0]:
        polymer = chain.get_polymer()
        if polymer.check_polymer_type() not in (gemmi.PolymerType.PeptideL, gemmi.PolymerType.PeptideD):
            continue
        found = max((_Alignment(polymer, sequence) for sequence in sequences), key=lambda a: a.matches / max(1, len(a.names)))
        if found.identity < lowest_identity(len(found.pairs)):
            left.append(f"chain {chain.name}: no sequence fits (best identity {100 * found.identity:.0f} % of {len(found.pairs)} "
                        "residues); its residue types stay, and nothing is added to it")
            continue
        fits.append(_adapt(structure, chain, found))
    return fits, left


class _Alignment:
    """One chain against one sequence (BLOSUM62, gaps preferred where the chain is broken)."""

    def __init__(self, polymer: gemmi.ResidueSpan, sequence: str):
        self.names = gemmi.expand_one_letter_sequence(sequence, gemmi.ResidueKind.AA)
        result = gemmi.align_sequence_to_polymer(
            self.names, polymer, gemmi.PolymerType.PeptideL, gemmi.AlignmentScoring("b")
        )
        self.pairs: list[tuple[int, int]] = []  # index in the sequence, index in the polymer
        self.extra: list[int] = []
        at_sequence = at_model = 0
        for mark in _operations(result.cigar_str()):
            if mark == "M":
                self.pairs.append((at_sequence, at_model))
            elif mark == "D":
                self.extra.append(at_model)
            at_sequence += mark in "MI"
            at_model += mark in "MD"
        self.matches = sum(1 for i, j in self.pairs if _same(self.names[i], polymer[j].name))

    @property
    def identity(self) -> float:
        """Share of identical residues among the aligned ones."""
        return self.matches / max(1, len(self.pairs))


def _operations(cigar: str) -> str:
    expanded, count = "", ""
    for letter in cigar:
        if letter.isdigit():
            count += letter
        else:
            expanded, count = expanded + letter * int(count), ""
    return expanded


def _same(wanted: str, present: str) -> bool:
    letters = [gemmi.find_tabulated_residue(name).one_letter_code.upper() for name in (wanted, present)]
    return letters[0] == letters[1]  # MSE is M


def _adapt(structure: gemmi.Structure, chain: gemmi.Chain, alignment: _Alignment) -> ChainFit:
    polymer = chain.get_polymer()
    residues = list(polymer)
    kept = _without_flanks_of_deletions(alignment)
    offsets = [residues[j].seqid.num - i for i, j in alignment.pairs]
    offset = max(set(offsets), key=offsets.count)
    result = ChainFit(chain.name, alignment.identity, len(kept), len(alignment.names) - len(kept))
    numbers: dict[str, int] = {}
    for i, j in kept:
        if not _same(alignment.names[i], residues[j].name):
            result.mutations.append((i + offset, alignment.names[i]))
        numbers[str(residues[j].seqid)] = i + offset
    result.removed = len(residues) - len(kept)
    result.renumbered = any(str(number) != old for old, number in numbers.items())
    _set_numbers(structure, chain, numbers)
    _note_missing(result, [i for i, _ in kept], alignment.names, offset)
    return result


def _without_flanks_of_deletions(alignment: _Alignment) -> list[tuple[int, int]]:
    """Aligned pairs; where the model had residues that the sequence lacks, a neighbour on either side goes, as a loop is closed there."""
    inner = [(i, j) for i, j in alignment.pairs]
    flanks = set()
    for (i, j), (k, m) in zip(inner, inner[1:]):
        if m - j > 1 and k - i == 1:
            flanks |= {i, k}
    return [(i, j) for i, j in inner if i not in flanks]


def _set_numbers(structure: gemmi.Structure, chain: gemmi.Chain, numbers: dict[str, int]) -> None:
    """Numbers of the polymer by the sequence; what is not in `numbers` goes. Other residues that would collide move behind."""
    polymer = {str(residue.seqid) for residue in chain.get_polymer()}
    taken = set(numbers.values())
    free = max(taken | {residue.seqid.num for residue in chain}) + 1
    moved: dict[str, int] = {}
    for index in reversed(range(len(chain))):
        residue = chain[index]
        old = str(residue.seqid)
        if old in polymer and old in numbers:
            moved[old] = numbers[old]
        elif old in polymer:
            del chain[index]
            continue
        elif residue.seqid.num in taken:
            moved[old], free = free, free + 1
        else:
            continue
        residue.seqid = gemmi.SeqId(moved[old], " ")
    for connection in structure.connections:
        for partner in (connection.partner1, connection.partner2):
            if partner.chain_name == chain.name and str(partner.res_id.seqid) in moved:
                partner.res_id.seqid = gemmi.SeqId(moved[str(partner.res_id.seqid)], " ")
    structure.setup_entities()


def _note_missing(result: ChainFit, present: list[int], names: list[str], offset: int) -> None:
    for before, after in zip(present, present[1:]):
        if 1 < after - before <= LONGEST_GAP + 1:
            widths = range(min(WIDER, before - present[0], present[-1] - after) + 1)
            result.gaps.append([_gap(result.chain, before + 1 - w, after - 1 + w, names, offset) for w in widths])
    if present[0] > 0:
        result.before = _gap(result.chain, 0, present[0] - 1, names, offset)
    if present[-1] < len(names) - 1:
        result.after = _gap(result.chain, present[-1] + 1, len(names) - 1, names, offset)


def _gap(chain: str, first: int, last: int, names: list[str], offset: int) -> Gap:
    return Gap(chain, first + offset, last + offset, tuple(names[first : last + 1]))
