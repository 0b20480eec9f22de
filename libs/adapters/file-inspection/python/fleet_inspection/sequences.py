"""Facts of sequence files: FASTA, PIR, GenBank, plain letters, and chains joined by colons."""

import re

import gemmi

from .faults import CHAINS, SEQUENCE_BYTES, FileFault, too_complex, too_large

KEPT_LETTERS = 10_000  # a longer sequence is not a search model, and records must stay small
SEQUENCE_NAMES = {".fa", ".fasta", ".faa", ".seq", ".pir", ".aa", ".sequence"}
# Names of other content as well: without a format inside, letters alone in each line make it a sequence.
OPEN_NAMES = {".dat", ".txt", ""}
# A line of a sequence, and of no text: no word is as long, and blanks separate blocks of ten.
LETTERS_LINE = re.compile(r"\s*([A-Za-z]{20,}|[A-Za-z]{10}( [A-Za-z]{10})+( [A-Za-z]{1,10})?)\*?\s*")
THREE_LETTERS = 5  # this many consecutive three-letter codes are not a coincidence


def different_chains(chains) -> list[str] | None:
    """The unique ones; None if there is none, or they are too long."""
    different = [chain for chain in dict.fromkeys(chains) if chain]
    return different if different and sum(map(len, different)) <= KEPT_LETTERS else None


def _unreadable(number: int, line: str) -> FileFault:
    shown = re.sub(r"[^ -~]", "?", line.strip())[:60]
    reason = f'it is named or begins as a sequence, and its line {number} holds no letters of residues: "{shown}"'
    return FileFault("corrupt", reason, "one-letter codes (FASTA with > before a title, PIR, GenBank or letters alone), or three-letter codes of amino acids")


def _is_code(word: str) -> bool:
    return len(word) == 3 and gemmi.find_tabulated_residue(word).is_amino_acid()


def _codes(chain: str) -> list[str] | None:
    """
    The three-letter codes of a chain, separated or not; None for one-letter codes. If most three-letter words are codes, the others are
    unreadable codes, not one-letter residues.
    """
    words = re.split(r"[\s,;-]+", re.sub(r"[\d.*]", " ", chain).strip())
    known = sum(map(_is_code, words))
    if len(words) > 1 and all(len(word) == 3 for word in words) and known > len(words) / 2:
        return words
    run = "".join(words)
    triples = [run[at : at + 3] for at in range(0, len(run), 3)]
    return triples if len(triples) >= THREE_LETTERS and all(map(_is_code, triples)) else None


class _Chains:
    """Collects chains; a colon or slash ends one inside a line, which is how structure predictors accept several."""

    def __init__(self):
        self.chains: list[list[str]] = []

    def open(self) -> None:
        self.chains.append([])
        if len(self.chains) > CHAINS:
            raise too_complex(f"it has more than {CHAINS:,} chains", f"sequences of at most {CHAINS:,} chains")

    def add(self, line: str, number: int) -> None:
        if not self.chains:
            self.open()
        for at, part in enumerate(re.split(r"[:/]", line)):
            if at > 0:
                self.open()
            if not re.fullmatch(r"[A-Za-z\s\d*.,;-]*", part):
                raise _unreadable(number, line)
            self.chains[-1].append(part)

    def _letters(self, chain: str) -> str:
        chain = chain.upper()
        codes = _codes(chain)
        if codes is None:
            return re.sub(r"[^A-Z]", "", chain)
        letters = [gemmi.find_tabulated_residue(code).one_letter_code.strip().upper() for code in codes]
        if not all(letters):
            unknown = codes[letters.index("")]
            reason = f'its residues are written in three-letter codes, but "{unknown}" is not an amino acid'
            raise FileFault("corrupt", reason, "one-letter codes, or three-letter codes of amino acids")
        return "".join(letters)

    def _are_aligned(self) -> bool:
        """Whether these are different chains of one length with gaps; lower-case letters of A3M are insertions beside the alignment."""
        rows = [re.sub(r"[\s\d*.,;a-z]", "", "".join(parts)) for parts in self.chains]
        return len(set(rows)) > 1 and len(set(map(len, rows))) == 1 and any("-" in row for row in rows)

    def facts(self) -> dict | None:
        if self._are_aligned():
            note = "It is an alignment, not a list of the chains that are there: give their sequences without gaps."
            return {"format": "text", "notes": [note]}
        texts = [text for text in (self._letters(" ".join(parts)) for parts in self.chains) if text]
        if not texts:
            return None
        sequences = different_chains(texts)
        counted = {"chains": len(texts), "residues": sum(map(len, texts)), "distinct": len(set(texts))}
        return {"format": "sequence", "sequence": {**counted, **({"sequences": sequences} if sequences else {})}}


def _fasta(lines: list[str]) -> _Chains:
    """Each chain begins with `>`; a PIR entry (`>P1;`) has a title line below it, and a comment begins with `;`."""
    chains, title = _Chains(), False
    for number, line in enumerate(lines, 1):
        if line.startswith(">"):
            chains.open()
            title = re.match(r">[A-Za-z][A-Za-z0-9];", line) is not None
        elif title:
            title = False
        elif not line.startswith(";"):
            chains.add(line, number)
    return chains


def _is_title(line: str, following: list[str]) -> bool:
    """Whether the first line is a title: in mixed case above capitals, or short and with a letter that is hardly a residue."""
    rest = next((one.strip() for one in following), "")
    return rest.isupper() and (not line.isupper() or (len(line.strip()) < len(rest) and re.search(r"[BJOUZ]|\d[A-Z]|[A-Z]\d", line) is not None))


def _plain(lines: list[str]) -> _Chains:
    """Chains are separated by blank lines. Raises FileFault `corrupt` for words, such as a title above the letters."""
    chains, is_open = _Chains(), False
    in_capitals = any(len(line.strip()) > 1 and line.isupper() for line in lines)
    for number, line in enumerate(lines, 1):
        is_words = in_capitals and re.search(r"[a-z]{2,} +[A-Za-z]", line) is not None
        if line.strip() and (is_words or (not is_open and _is_title(line, lines[number:]))):
            raise _unreadable(number, line)
        if line.strip() and not is_open:
            chains.open()
        is_open = bool(line.strip())
        if is_open:
            chains.add(line, number)
    return chains


def _flat_file(lines: list[str]) -> _Chains:
    """GenBank and UniProt: the text between ORIGIN or SQ and `//` of each entry."""
    chains, inside = _Chains(), False
    for number, line in enumerate(lines, 1):
        if re.match(r"ORIGIN|SQ   ", line):
            chains.open()
            inside = True
        elif line.startswith("//"):
            inside = False
        elif inside:
            chains.add(line, number)
    return chains


def _is_letters(lines: list[str]) -> bool:
    written = [line for line in lines if line.strip()]
    if not written or LETTERS_LINE.fullmatch(written[0]) is None:
        return False
    return all(re.fullmatch(r"[A-Za-z\s]+\*?\s*", line) for line in written)


def sequence_facts(text: str, size: int, extension: str) -> dict | None:
    """
    Facts of a sequence file; None if neither its beginning nor its name identifies one. Raises FileFault `corrupt` for a file with the
    name of one and other content, which would be read as a wrong sequence.
    """
    named = extension in SEQUENCE_NAMES
    start = text.lstrip()
    fasta = re.match(r"(;.*\n\s*)*>", start) is not None
    # Without its head a copied entry begins with ORIGIN and a number.
    flat = re.match(r"(LOCUS|ID)\s|ORIGIN *\n\s*1 ", start) is not None and re.search(r"^(ORIGIN|SQ   )", text, re.M) is not None
    lines = text.splitlines()
    if not (fasta or flat or named or (extension in OPEN_NAMES and _is_letters(lines))):
        return None
    if size > SEQUENCE_BYTES:
        raise too_large("a sequence", SEQUENCE_BYTES)
    try:
        found = (_fasta if fasta else _flat_file if flat else _plain)(lines).facts()
    except FileFault as fault:
        # Only a name or a format identifies a sequence: mail that quotes with ">" is text.
        if fault.code != "corrupt" or named or flat:
            raise
        return None
    if found is None and named:
        raise _unreadable(1, lines[0] if lines else "")
    return found
