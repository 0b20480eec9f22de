"""Classifies a file by its content; its name decides only if several formats look alike."""

import os
import re

import gemmi

from .faults import MODEL_BYTES, REFLECTION_BYTES, SEQUENCE_BYTES, FileFault, corrupt, too_large
from .maps import is_map, map_facts
from .mmcif_reflections import refln_facts
from .models import cif_model_facts, pdb_facts, restraints_facts
from .mtz import mtz_facts
from .other_texts import other_text_note
from .reflections import with_notes
from .sequences import sequence_facts
from .text_reflections import scalepack_facts, xds_facts

HEAD_BYTES = 65_536
COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip"}
IMAGES = {b"###CBF": "CBF", b"\x89HDF\r\n": "HDF5", b"{\nHEADER_BYTES": "SMV"}
MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
MAP_NAMES = {".mrc", ".ccp4", ".map"}
PDB_RECORD = re.compile(
    r"(ATOM {2}|HETATM|ANISOU|TER|END|MODEL|REMARK|HEADER|TITLE|COMPND|SOURCE|KEYWDS|EXPDTA|AUTHOR|REVDAT|JRNL|CRYST1|ORIGX|SCALE|MTRIX"
    r"|SEQRES|SEQADV|MODRES|HET|FORMUL|HELIX|SHEET|TURN|SSBOND|LINK|CISPEP|SITE|CONECT|MASTER|DBREF|CAVEAT|SPLIT|OBSLTE|SPRSDE|NUMMDL"
    r"|MDLTYP|USER|BREAK|PARENT|#)"
)
PDB_SHARE = 0.8  # fraction of lines that are records: a log may only quote atoms


def _is_text(head: bytes) -> bool:
    """Whether this is text: no NUL and hardly any other control character."""
    control = sum(1 for byte in head if byte < 9 or (13 < byte < 32 and byte != 27))
    return 0 not in head and control <= len(head) / 1_000


def _decoded(content: bytes) -> str:
    """Decodes text, including byte-order marks and line ends of Windows and old Macs (CR only)."""
    encoding = next((encoding for mark, encoding in MARKS.items() if content.startswith(mark)), "latin-1")
    return content.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def _check_plain(content: bytes) -> None:
    """Programs lose the first record behind a byte-order mark, and all but the first line where lines end with CR alone."""
    if content.startswith(tuple(MARKS)):
        raise corrupt("it begins with a byte-order mark, which programs take for a part of its first record: save it without the mark")
    if b"\r" in content and b"\n" not in content:
        raise corrupt("its lines end with CR alone, as on old Macs, and programs read it as one line: save it with line feeds")


def _is_pdb(lines: list[str]) -> bool:
    written = [line for line in lines[:500] if line.strip()]
    return bool(written) and sum(1 for line in written if PDB_RECORD.match(line)) >= PDB_SHARE * len(written)


def _is_cif(text: str) -> bool:
    first = next((line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    return re.match(r"data_|loop_|global_|_[a-z]", first, re.I) is not None


def _cif_facts(path: str, size: int, head: str) -> dict | None:
    what, most = ("a model", MODEL_BYTES) if "_atom_site." in head else ("a list of reflections", REFLECTION_BYTES)
    if size > most:
        raise too_large(what, most)
    try:
        document = gemmi.cif.read_file(path)
    except (RuntimeError, ValueError) as error:
        raise corrupt(f"it begins as a CIF file, and cannot be read: {str(error).replace(path, 'line ')[:200]}") from error
    has_both = any(len(block.find_values("_refln.index_h")) for block in document)
    model = cif_model_facts(document)
    if model is not None and has_both:
        model["notes"] = [*model.get("notes", []), "Its reflections are not used beside its model: give them in a file of their own."]
    # The last one removes the blocks from the document.
    return model or restraints_facts(document) or refln_facts(document)


def _binary_facts(path: str, size: int, head: bytes, extension: str) -> dict | None:
    if head.startswith(b"MTZ "):
        return mtz_facts(path, size)
    if is_map(head):
        return map_facts(path, size)
    kind = next((name for magic, name in COMPRESSED.items() if head.startswith(magic)), None)
    if kind is not None:
        raise FileFault("compressed", f"it is compressed ({kind}): unpack it")
    images = next((name for magic, name in IMAGES.items() if head.startswith(magic)), None)
    if images is not None:
        raise FileFault("unknown_format", f"it is {images}, in which detectors write diffraction images", "the data that were processed from them")
    if extension == ".mtz":
        raise corrupt('it is named .mtz, and does not begin as an MTZ file does ("MTZ ")')
    if extension in MAP_NAMES:
        raise corrupt(f'it is named {extension}, and has no "MAP" at byte 208 as maps have')
    return None


def _text_facts(path: str, size: int, content: bytes, extension: str) -> dict:
    text = _decoded(content)
    lines = text.split("\n", 2_000)
    if re.search(r"^\s*new_(ncs_group|operator)\b", text, re.M):
        return {"format": "ncs-spec"}
    if re.match(r"!FORMAT=XDS_ASCII|!OUTPUT_FILE=INTEGRATE\.HKL", text):
        return xds_facts(path, size)
    found = scalepack_facts(lines)
    if found is None and _is_cif(text):
        _check_plain(content)
        found = _cif_facts(path, size, text)
    if found is None and _is_pdb(lines):
        _check_plain(content)
        found = pdb_facts(path, size)
    if found is None:
        found = sequence_facts(_whole_text(path, size, text), size, extension)
    note = None if found else other_text_note(lines, extension)
    return found or with_notes({"format": "text"}, [note] if note else [])


def _whole_text(path: str, size: int, head: str) -> str:
    """A whole text if it is short enough for a sequence; otherwise its head, which is enough to classify it."""
    if size <= HEAD_BYTES or size > SEQUENCE_BYTES:
        return head
    with open(path, "rb") as file:
        return _decoded(file.read())


def facts_of(path: str, name: str) -> dict:
    """
    Facts of a file, in the form of the contract (`FileFacts`). An unrecognised file is `unknown` (binary) or `text`.

    path: where it is opened; name: its original name. Raises FileFault.
    """
    size = os.stat(path).st_size
    with open(path, "rb") as file:
        head = file.read(HEAD_BYTES)
    extension = os.path.splitext(name)[1].lower()
    found = _binary_facts(path, size, head, extension)
    if found is not None:
        return found
    marked = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return _text_facts(path, size, head, extension) if marked or _is_text(head) else {"format": "unknown"}
