"""Models that the stand-ins return.

Ideal helices, which fit no data. To see a workflow to its end, put a model beside the sequence: `seq.simulated.pdb`
for `seq.fasta`. The stand-in then presents that model as its result, marked, and its log names the source.
"""

from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.core import sequences
from open_phenix.simulated import artefacts


def given_model(sequence: "Path | None") -> "Path | None":
    """The model beside the sequence that a stand-in presents, if any."""
    if sequence is None:
        return None
    path = sequence.with_suffix(".simulated.pdb")
    return path if path.is_file() else None


def write_prediction(path: Path, sequence: Path, plddt: float) -> None:
    """A model without a crystal around the origin, pLDDT in the B column."""
    import gemmi

    given = given_model(sequence)
    if given is None:
        artefacts.write_model(path, sequences.read(sequence), (0.0, 0.0, 0.0), gemmi.UnitCell(), "P 1", plddt=plddt)
        return
    structure = _read(given)
    structure.remove_ligands_and_waters()
    middle = structure[0].calculate_center_of_mass()
    structure[0].transform_pos_and_adp(gemmi.Transform(gemmi.Mat33(), gemmi.Vec3(-middle.x, -middle.y, -middle.z)))
    for site in structure[0].all():
        site.atom.b_iso, site.atom.aniso = plddt, gemmi.SMat33f(0, 0, 0, 0, 0, 0)
    artefacts.save_model(structure, path, gemmi.UnitCell(), "P 1")


def write_built(path: Path, sequence: Path, cell: Any, group: str) -> None:
    """A model in the cell of the data (gemmi.UnitCell): the given one where it lies, or helices in the middle."""
    given = given_model(sequence)
    if given is None:
        artefacts.write_model(path, sequences.read(sequence), artefacts.cell_center(cell), cell, group, plddt=30.0)
    else:
        artefacts.save_model(_read(given), path, cell, group)


def _read(path: Path) -> Any:
    import gemmi

    structure = gemmi.read_structure(str(path))
    if len(structure) == 0:
        raise Sorry(f"No atoms in the model {path}")
    structure.setup_entities()
    print(f"SIMULATED: the model is that of {path.name}, which was laid beside the sequence")
    return structure
