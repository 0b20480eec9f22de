"""File kinds: by extension first, by content if the extension is ambiguous."""

from pathlib import Path

from open_phenix.core.spec import FileKind

_KIND_OF_EXTENSION = {
    ".pdb": "model",
    ".ent": "model",
    ".mmcif": "model",
    ".mtz": "reflections",
    ".sca": "reflections",
    ".hkl": "reflections",
    ".sdf": "reflections",
    ".cv": "reflections",
    ".mrc": "map",
    ".ccp4": "map",
    ".map": "map",
    ".fa": "sequence",
    ".fasta": "sequence",
    ".seq": "sequence",
    ".dat": "sequence",
    ".pir": "sequence",
    ".ncs_spec": "symmetry",
    ".eff": "parameters",
    ".phil": "parameters",
    ".params": "parameters",
}

_MAX_CIF_SCAN = 4_000_000  # bytes read to find out the content of a CIF file


def kind_of(path: Path) -> FileKind | None:
    """The kind of the file, or None if no program reads such files."""
    name = path.name.lower()
    if name.endswith(".gz"):
        name = name[:-3]
    extension = "".join(Path(name).suffixes[-1:])
    if extension == ".cif":
        return _kind_of_cif(path)
    return _KIND_OF_EXTENSION.get(extension)  # type: ignore[return-value]


def _kind_of_cif(path: Path) -> FileKind:
    with open(path, "rb") as stream:
        head = stream.read(_MAX_CIF_SCAN)
    if b"_atom_site." in head:
        return "model"
    if b"_refln." in head or b"_refln_" in head:
        return "reflections"
    return "restraints"
