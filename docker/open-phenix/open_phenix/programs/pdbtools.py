"""phenix.pdbtools: merges models (protein and ligand) into one file, with gemmi."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import Engine, FileSlot, Parameter, ProgramSpec

_FREE_CHAINS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

SPEC = ProgramSpec(
    name="phenix.pdbtools",
    purpose="merge a protein and its ligands into one model",
    engine=Engine("gemmi", "gemmi"),
    files=(FileSlot("models", ("model",), required=True, multiple=True, help="the first keeps its chains and its crystal"),),
    parameters=(
        Parameter("output.file_name", help="default: <first model>_modified.pdb"),
        Parameter("output.prefix", help="<prefix>.pdb, if output.file_name is not given"),
    ),
    notes=(
        "A chain of a further model keeps its name if it is free; else it gets the next free one.",
        "Waters within 2.3 A of a further model are left out; the log names them.",
    ),
    outputs=("the merged model, PDB or mmCIF by the extension of output.file_name",),
    example="phenix.pdbtools model.pdb ligand_fit_1.pdb output.file_name=model_with_ligand.pdb",
)


def run(request: Request) -> None:
    """Merge, write, and print the destination of each chain."""
    from open_phenix.xray import models, waters

    paths = request.all_files("models")
    merged = models.read(paths[0])
    before = merged[0].count_atom_sites()
    print(f"  {paths[0]}: {before} atoms, chains {_chains(merged)}")
    for path in paths[1:]:
        added = models.read(path)
        removed = waters.remove_at(merged, [(chain.name, residue) for chain in added[0] for residue in chain])
        if removed:
            print(f"  removed, because {path.name} overlaps them: waters {', '.join(removed)}")
        named = _append(merged, added)
        print(f"  {path}: {added[0].count_atom_sites()} atoms, now chain {', '.join(named)}")
    merged.setup_entities()
    merged.assign_serial_numbers()
    out = _output(request, paths[0])
    if out.suffix.lower() in (".cif", ".mmcif"):
        merged.make_mmcif_document().write_file(str(out))
    else:
        merged.write_pdb(str(out))
    print(f"Size before: {before} size after: {merged[0].count_atom_sites()}\nWriting output model\n  {out}")


def _output(request: Request, first: Path) -> Path:
    if request["output.file_name"]:
        return Path(request["output.file_name"])
    return Path(f"{request['output.prefix']}.pdb" if request["output.prefix"] else f"{first.stem}_modified.pdb")


def _chains(structure: Any) -> str:
    return ", ".join(chain.name for chain in structure[0])


def _append(merged: Any, added: Any) -> list[str]:
    """Append the chains of `added` (first model) under free names; returns these names."""
    from open_phenix.core.errors import Sorry

    named = []
    for chain in added[0]:
        used = {existing.name for existing in merged[0]}
        name = chain.name
        if name in used or not name.strip():
            name = next((letter for letter in _FREE_CHAINS if letter not in used), "")
        if not name:
            raise Sorry("No free chain name left for the merged model")
        copy = chain.clone()
        copy.name = name
        merged[0].add_chain(copy)
        named.append(name)
    return named
