"""The model and the sequence: what has to change, and under which numbers."""

import pytest

gemmi = pytest.importorskip("gemmi", reason="gemmi is not installed")
pytest.importorskip("scitbx", reason="cctbx is not installed")

from open_phenix.xray import sequence_fit  # noqa: E402

SEQUENCE = "DVSGTVCLSALPPEATDTLNLIASDGPFPYSQDGVVFQNRESVLPTQSYGYYHEYTVITPGARTRGTRRIICGEATQEDYYTGDHYATFSLIDQTC"


def a_model(letters: str, numbers: "list[int] | None" = None) -> "gemmi.Structure":
    """A straight chain with these residues (peptide bonds between consecutive numbers only), a ligand behind them."""
    structure = gemmi.Structure()
    structure.add_model(gemmi.Model(1))
    chain = gemmi.Chain("A")
    for index, letter in enumerate(letters):
        number = numbers[index] if numbers is not None else index + 1
        residue = gemmi.Residue()
        residue.name, residue.seqid = gemmi.expand_one_letter(letter, gemmi.ResidueKind.AA), gemmi.SeqId(number, " ")
        for name, shift in (("N", 0.0), ("CA", 1.4), ("C", 2.5), ("O", 2.6)):
            atom = gemmi.Atom()
            atom.name, atom.element = name, gemmi.Element(name[0])
            atom.pos = gemmi.Position(3.8 * number + shift, 1.0 if name == "O" else 0.0, 0.0)
            residue.add_atom(atom)
        chain.add_residue(residue)
    structure[0].add_chain(chain)
    structure.setup_entities()
    return structure


def fitted(structure: "gemmi.Structure", *sequences: str) -> "sequence_fit.ChainFit":
    """The one fit."""
    fits, left = sequence_fit.fit(structure, sequences)
    assert not left
    return fits[0]


def test_a_homologue_gets_the_types_of_the_sequence_and_its_gaps_are_named() -> None:
    letters = SEQUENCE[2:59] + SEQUENCE[65:]
    numbers = [*range(3, 60), *range(66, 97)]
    mutated = "".join("A" if index % 3 == 0 else letter for index, letter in enumerate(letters))
    fit = fitted(a_model(mutated, numbers), "MKKLLPT" * 12, SEQUENCE)
    assert all(SEQUENCE[number - 1] == gemmi.find_tabulated_residue(name).one_letter_code for number, name in fit.mutations)
    assert len(fit.mutations) == sum(1 for one, other in zip(mutated, letters) if one != other)
    (tries,) = fit.gaps
    assert [(gap.first, gap.last) for gap in tries] == [(60, 65), (59, 66), (58, 67)]
    assert tries[0].types == tuple(gemmi.expand_one_letter_sequence(SEQUENCE[59:65], gemmi.ResidueKind.AA))
    assert fit.before is not None and (fit.before.first, fit.before.last) == (1, 2)
    assert (fit.after, fit.renumbered, fit.removed) == (None, False, 0)


def test_residues_that_the_sequence_lacks_go_and_the_rest_is_renumbered() -> None:
    structure = a_model(SEQUENCE[:60] + "GGSGG" + SEQUENCE[60:])
    fit = fitted(structure, SEQUENCE)
    assert fit.renumbered and fit.removed == 7  # five, and a neighbour on either side, so that the ends can be joined
    assert [(gap.first, gap.last) for gap in fit.gaps[0][:1]] == [(60, 61)]
    present = [residue.seqid.num for residue in structure[0]["A"]]
    assert present == [*range(1, 60), *range(62, 97)]


def test_a_chain_of_something_else_stays_and_that_is_said() -> None:
    structure = a_model("A" * 60)
    fits, left = sequence_fit.fit(structure, [SEQUENCE])
    assert not fits and "chain A: no sequence fits" in left[0]
    assert len(structure[0]["A"]) == 60


def test_the_limit_of_homology_is_that_of_rost() -> None:
    # B. Rost (1999), Protein Eng. 12, 85: about 20 % for 300 residues, 28 to 30 % for 100
    assert sequence_fit.lowest_identity(100) == pytest.approx(0.29, abs=0.01)
    assert sequence_fit.lowest_identity(300) == pytest.approx(0.20, abs=0.01)
    assert sequence_fit.lowest_identity(10) == 1
