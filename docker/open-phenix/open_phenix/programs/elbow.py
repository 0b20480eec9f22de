"""phenix.elbow: restraints and coordinates of a component by AceDRG."""

from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.errors import Sorry
from open_phenix.core.spec import Engine, FileSlot, Parameter, ProgramSpec

_MAX_SMILES = 10_000  # characters

SPEC = ProgramSpec(
    name="phenix.elbow",
    purpose="make restraints and coordinates of a ligand from its code, from SMILES or from a CIF file without ideal values",
    engine=Engine("AceDRG", "acedrg"),
    also=(Engine("RDKit", "rdkit"),),
    files=(FileSlot("component", ("restraints",), help="a CIF file with atoms and bonds (_chem_comp_atom, _chem_comp_bond)"),),
    parameters=(
        Parameter("chemical_component", help="a code of the Chemical Component Dictionary"),
        Parameter("smiles", help="SMILES, or a file with them in its first line"),
        Parameter("id", help="the code of the component in the output; default: as in the dictionary, LIG for SMILES"),
        Parameter("output", help="the files are OUTPUT.cif and OUTPUT.pdb; default: the code"),
        Parameter("opt", "bool", effect="speed"),
    ),
    extra_distributions=("biotite", "gemmi", "servalcat"),
    outputs=("OUTPUT.cif (restraint dictionary)", "OUTPUT.pdb (one conformer, hydrogens included)"),
    notes=(
        "A dictionary once made is kept (folder: OPEN_PHENIX_MONOMERS, default ~/.cache/open-phenix/monomers) by code or SMILES "
        "and by the version of AceDRG. Ideal values come from AceDRG's tables of small molecules, not from quantum chemistry: "
        "eLBOW's --opt changes nothing.",
    ),
    example="phenix.elbow --smiles='CN1C(=O)C=Cc2ccccc12' --id=LIG --output=LIG",
)


def run(request: Request) -> None:
    """Make or find the dictionary, write both files."""
    from open_phenix.restraints import acedrg, cache

    component = _component(request)
    stem = request["output"] or component.code
    if Path(stem).name != stem or stem.startswith("."):
        raise Sorry(f"output={stem}: a file name without folders")
    print(f"Component: {component.code}\nFrom: {component.origin}", flush=True)
    kept = cache.get(component)
    dictionary, conformer = Path(f"{stem}.cif"), Path(f"{stem}.pdb")
    dictionary.write_bytes(kept.path.read_bytes())
    atoms = acedrg.write_conformer(dictionary, component.code, conformer)
    print("Restraints kept from an earlier run" if kept.seconds is None else f"Restraints made in {kept.seconds:.0f} s")
    print(f"Number of atoms (non-hydrogen): {atoms}")
    print(f"\nOutput files:\n  {dictionary}\n  {conformer}\n\nRestraints written for {component.code}")


def _component(request: Request) -> Any:
    from open_phenix.restraints import components
    from open_phenix.xray import models

    code, smiles, path = request["chemical_component"], request["smiles"], request.optional_file("component")
    if sum(1 for source in (code, smiles, path) if source is not None) != 1:
        raise Sorry("phenix.elbow needs one of --chemical_component=CODE, --smiles=SMILES and a CIF file")
    name = None if request["id"] is None else components.checked_code(request["id"])
    if code is not None:
        found = components.of_dictionary(components.checked_code(code))
        return found if name in (None, code) else components.renamed(found, name)
    if smiles is not None:
        return components.of_smiles(_smiles(smiles), name or "LIG")
    codes = models.codes_in_dictionary(path)
    if len(codes) > 1:
        raise Sorry(f"{path} describes several components ({', '.join(codes)}); give a file with one")
    return components.of_file(path, codes[0], name or codes[0])


def _smiles(text: str) -> str:
    """SMILES as given, or the first word of the file of that name (a .smi file may have a name after them)."""
    path = Path(text)
    if len(text) < 255 and path.is_file():
        words = path.read_text(encoding="utf-8", errors="replace")[: _MAX_SMILES + 1].split()
        if not words:
            raise Sorry(f"No SMILES in {path}")
        text = words[0]
    if len(text) > _MAX_SMILES:
        raise Sorry(f"The SMILES have more than {_MAX_SMILES} characters")
    return text
