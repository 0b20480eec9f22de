"""The clashscore: serious overlaps (0.4 A or more) per 1000 atoms, hydrogens included.

Contacts are counted by cctbx's Probe (mmtbx.probe, Richardson's rules). Hydrogens are placed at riding positions by gemmi
with electron-cloud distances, then optimised (rotatable groups turned, no flips) by cctbx's Reduce (mmtbx.reduce).
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from collections.abc import Sequence

import gemmi

from open_phenix.xray import cctbx_monomers, geometry, models


@dataclass(frozen=True)
class Clashes:
    """The score, the clashing pairs (worst first), and the residue types left out for want of a dictionary."""

    score: float
    pairs: list[str]
    left_out: list[str]


def compute(structure: gemmi.Structure, dictionaries: Sequence[Path], folder: Path) -> Clashes:
    """The clashscore of the first model; RuntimeError or cctbx's Sorry where cctbx cannot interpret it."""
    with tempfile.TemporaryDirectory(prefix="contacts_", dir=folder) as own:
        with_hydrogens = Path(own) / "with_hydrogens.pdb"
        left_out = write_with_hydrogens(structure, dictionaries, with_hydrogens)
        with cctbx_monomers.used(Path(own), dictionaries):
            manager, parameters = _data_manager(with_hydrogens, dictionaries)
            _optimise(manager, parameters)
            score, found = _contacts(manager)
    return Clashes(score, [clash.as_string() for clash in sorted(found, key=lambda clash: clash.overlap)], left_out)


def _contacts(manager: Any) -> tuple[float, list[Any]]:
    """The score and cctbx's clashes. cctbx's own clashscore2 runs Probe once more, for a file that is not needed here."""
    import mmtbx.model
    from mmtbx.validation import clashscore2, utils

    class Once(clashscore2.probe_clashscore_manager):
        """One run of Probe, as with `fast`, but the clashes are kept as without."""

        clashes: list[Any] = []

        def get_condensed_clashes(self, lines: list[str]) -> int:
            self.clashes = self.process_raw_probe_output(lines)
            return len(self.clashes)

    optimised = manager.get_model()
    hierarchy = optimised.get_hierarchy()
    model = mmtbx.model.manager(
        model_input=None, pdb_hierarchy=hierarchy, stop_for_unknowns=False, crystal_symmetry=optimised.crystal_symmetry()
    )
    probe = Once(
        fast=True,
        condensed_probe=True,
        largest_occupancy=max(hierarchy.atoms().extract_occ()),
        use_segids=utils.use_segids_in_place_of_chainids(hierarchy=hierarchy),
    )
    probe.run_probe_clashscore(manager, model)
    return float(probe.clashscore), probe.clashes


def write_with_hydrogens(structure: gemmi.Structure, dictionaries: Sequence[Path], path: Path) -> list[str]:
    """The model with riding hydrogens on everything but water; residue types without a dictionary are left out."""
    copy = structure.clone()
    copy.remove_hydrogens()
    while len(copy) > 1:
        del copy[-1]
    left_out = list(models.without_dictionary(copy, dictionaries))
    models.remove_residues(copy, left_out)
    geometry.change_hydrogens(copy, dictionaries, gemmi.HydrogenChange.ReAddButWater)
    copy.write_pdb(str(path))
    return left_out


def _data_manager(path: Path, dictionaries: Sequence[Path]) -> Any:
    from iotbx.cli_parser import CCTBXParser
    from iotbx.data_manager import DataManager
    from libtbx.utils import null_out
    from mmtbx.programs import clashscore2

    manager = DataManager(datatypes=["model", "phil", "restraint"], logger=null_out())
    for dictionary in dictionaries:
        manager.process_restraint_file(str(dictionary))
    manager.process_model_file(str(path))
    parser = CCTBXParser(program_class=clashscore2.Program, logger=null_out())
    parser.parse_args([str(path)])
    return manager, parser.working_phil.extract().probe


def _optimise(manager: Any, parameters: Any) -> None:
    """Turn rotatable hydrogens as Reduce does (the manager's model is changed in place)."""
    import mmtbx.model
    from mmtbx.reduce import Optimizers

    model = manager.get_model()
    settings = mmtbx.model.manager.get_default_pdb_interpretation_params()
    interpretation = settings.pdb_interpretation
    interpretation.allow_polymer_cross_special_position = True
    interpretation.clash_guard.nonbonded_distance_threshold = None
    interpretation.proceed_with_excessive_length_bonds = True
    interpretation.disable_uc_volume_vs_n_atoms_check = True
    interpretation.flip_symmetric_amino_acids = False
    model.add_crystal_symmetry_if_necessary()
    model.process(make_restraints=True, pdb_interpretation_params=settings)
    Optimizers.Optimizer(parameters, False, model, modelIndex=None, fillAtomDump=False)
