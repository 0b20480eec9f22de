"""phenix.ligandfit: a ligand placed in the density that the model leaves over, by Coot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from open_phenix.core.arguments import Request
from open_phenix.core.spec import CCTBX, COOT, FileSlot, Parameter, ProgramSpec

CONFORMERS = 30
REFINED = 3  # number of density clusters to try; the best correlation wins
CLUSTERS = 10  # all that Coot returns, where waters make clusters too
DENSITY_CC = 0.70  # correlation below which the service sees no density (knowledge/metrics.yaml, ligand_evidence)
# Map levels (in rms) above which Coot looks for clusters: 3 of the difference map, as is usual; else 1 of 2mFo-DFc outside
# of the model, where a fragment of 12 atoms was fitted into noise (BAZ2B x839: CC 0.43 there, 0.86 in the difference map).
DIFFERENCE_RMSD = 3.0
N_RMSD = 1.0

SPEC = ProgramSpec(
    name="phenix.ligandfit",
    purpose="fit a ligand into the density that the model does not explain",
    engine=COOT,
    also=(CCTBX,),
    files=(
        FileSlot("model", ("model",), required=True, positional=False, flags=("input_files.model", "model")),
        FileSlot("data", ("reflections",), required=True, positional=False, flags=("input_files.data", "data"),
                 help="map coefficients, such as PREFIX_001.mtz of phenix.refine"),
        FileSlot("ligand", ("restraints", "model"), required=True, positional=False,
                 flags=("input_files.ligand", "ligand"), help="CIF dictionary, or a model whose residue has one"),
        FileSlot("dictionaries", ("restraints",), multiple=True, flags=("input_files.cif_def_file_list",)),
    ),
    parameters=(
        Parameter("file_info.input_labels", "labels", help="e.g. 2FOFCWT,PH2FOFCWT (the default)"),
        Parameter("search_parameters.conformers", "int", CONFORMERS, aliases=("conformers",), minimum=1, maximum=500),
        Parameter("crystal_symmetry.unit_cell", "unit_cell", help="checked against the files, which rule"),
        Parameter("crystal_symmetry.space_group", "space_group"),
        Parameter("general.nproc", "int", effect="speed"),
        Parameter("general.quick", "bool", effect="speed"),
        Parameter("search_parameters.number_of_ligands", "int", 1, effect="science", neutral=(1,)),
        Parameter("file_info.file_or_file_list", effect="science"),
    ),
    outputs=("ligand_fit_1.pdb (the ligand alone, under its own residue name and a free chain name)",),
    notes=(
        "The code of the ligand is read from the dictionary.",
        "It is searched in the mFo-DFc map where the file has one, and judged by the 2mFo-DFc map.",
        "Where waters overlap it, it is fitted again without them, as they take its density; the log names them.",
        "Where nothing fits, it is searched in mFo-DFc without any water too, as they may cover all of its density.",
    ),
    example="phenix.ligandfit model=refine_001_001.pdb data=refine_001_001.mtz ligand=NUT.cif",
)


def run(request: Request) -> None:
    """Fit, write ligand_fit_1.pdb, print the score, the correlations and the number of atoms."""
    from open_phenix.core import scratch
    from open_phenix.xray.reflections import ReflectionFile, Symmetry, check_same_crystal, model_symmetry

    model_path, data_path = request.file("model"), request.file("data")
    given = Symmetry(request["crystal_symmetry.unit_cell"], request["crystal_symmetry.space_group"])
    check_same_crystal(ReflectionFile(data_path, given).symmetry, model_symmetry(model_path), data_path, model_path)
    check_same_crystal(ReflectionFile(data_path, given).symmetry, model_symmetry(data_path), data_path, data_path)
    code, dictionaries = _code_and_dictionaries(request)
    with scratch.folder("ligandfit") as folder:
        _fit(request, code, dictionaries, folder)


def _code_and_dictionaries(request: Request) -> tuple[str, list[Path]]:
    from open_phenix.core.errors import Sorry
    from open_phenix.restraints import for_model
    from open_phenix.xray import models

    ligand = request.file("ligand").resolve()
    dictionaries = [path.resolve() for path in request.all_files("dictionaries")]
    if ligand.suffix.lower() == ".cif" and _is_dictionary(ligand):
        code, *further = models.codes_in_dictionary(ligand)
        print(f"Ligand: {code} (dictionary {ligand.name}{'; further codes ' + ', '.join(further) if further else ''})")
        found = for_model.complete(dictionaries + [ligand])
    else:
        structure = models.read(ligand)
        code = next(iter(models.residue_codes(structure)))
        print(f"Ligand: {code} (from the model {ligand.name}; only its type is used, not its coordinates)")
        found = for_model.find(structure, dictionaries)
    if code in found.missing:
        raise Sorry(f"No restraints for {code}: {found.missing[code]}")
    return code, _with_rest(request, found.dictionaries)


def _with_rest(request: Request, dictionaries: list[Path]) -> list[Path]:
    """Dictionaries of the ligand, and of model residues that the library lacks (if they can be made)."""
    from open_phenix.restraints import for_model
    from open_phenix.xray import models

    return for_model.find(models.read(request.file("model")), dictionaries).dictionaries


def _is_dictionary(path: Path) -> bool:
    from open_phenix.core.files import kind_of

    return kind_of(path) == "restraints"


def _fit(request: Request, code: str, dictionaries: list[Path], folder: Path) -> None:
    import gemmi

    from open_phenix.core.errors import Sorry
    from open_phenix.xray import ligand as ligand_module
    from open_phenix.xray import models

    model_path, data_path = request.file("model").resolve(), request.file("data").resolve()
    model = models.read(model_path)
    mtz = gemmi.read_mtz_file(str(data_path))
    columns = ligand_module.choose_map(mtz, request["file_info.input_labels"], data_path)
    searched, level = columns, N_RMSD
    difference = None if request["file_info.input_labels"] else ligand_module.difference_map(mtz)
    if difference is not None:
        searched, level = difference, DIFFERENCE_RMSD
    print(f"Map: {columns.amplitude},{columns.phase} of {data_path.name}, {mtz.resolution_high():.2f} A")
    conformers = request["search_parameters.conformers"]
    where = f"density of {searched.amplitude} above {level:g} rms"
    print(f"Fitting {code}: up to {conformers} conformers, {where} ...", flush=True)
    job = {
        "model": str(model_path),
        "mtz": str(data_path),
        "f": searched.amplitude,
        "phi": searched.phase,
        "code": code,
        "dictionaries": [str(path) for path in dictionaries],
        "conformers": conformers,
        "n_rmsd": level,
        "refine": REFINED,
        "out": str(folder / "solution"),
    }
    found = _solutions(job, data_path, columns, folder)
    fits = [_without_waters(job, found, data_path, columns, folder)] if found else []
    if difference is not None and not any(fit.cc >= DENSITY_CC for fit, _ in fits):
        fits += _under_waters(job, difference, data_path, columns, folder)
    if not fits:
        raise Sorry(f"no density for {code}: it fits into no {where}")
    best, removed = max(fits, key=lambda one: one[0].cc)
    chain, number = ligand_module.as_own_chain(best.placed, model, code)
    best.placed.write_pdb("ligand_fit_1.pdb")
    _report(data_path, mtz, columns, best, f"{code} {chain} {number}", removed)


@dataclass(frozen=True)
class _Solution:
    """A fitted ligand, the score of Coot, and the local correlation with the 2mFo-DFc map."""

    placed: Any
    score: float
    cc: float

    def waters_removed_from(self, structure: Any) -> list[str]:
        """The names of waters that overlap it; they leave `structure`."""
        from open_phenix.xray import waters

        return waters.remove_at(structure, [(chain.name, residue) for chain in self.placed[0] for residue in chain])


def _solutions(job: dict[str, Any], data: Path, columns: Any, folder: Path) -> list[_Solution]:
    from open_phenix.xray import coot, models
    from open_phenix.xray import ligand as ligand_module

    found = []
    for number, solution in enumerate(coot.run("fit_ligand", job, folder / "fit_ligand.log"), start=1):
        path = Path(solution["path"])
        cc = ligand_module.correlation(data, columns, path)
        print(f"  solution {number}: score {solution['score']:.3f}, local correlation after real-space refinement {cc:.3f}")
        found.append(_Solution(models.read(path), solution["score"], cc))
    return found


def _under_waters(
    job: dict[str, Any], difference: Any, data: Path, columns: Any, folder: Path
) -> list[tuple[_Solution, list[str]]]:
    """The best fit where waters cover all of the density, as `_without_waters` gives it; none below DENSITY_CC.

    All clusters are tried, because true waters make clusters too: of BAZ2B x839 the fifth was right, with 0.72 and after
    its waters had left 0.91. Where nothing was left to find the best one had 0.61, and 0.50 in another crystal.
    """
    from open_phenix.xray import ligand as ligand_module
    from open_phenix.xray import models

    model, omitted = Path(job["model"]), folder / "difference_without_waters.mtz"
    searched = ligand_module.without_waters(data, difference, model, omitted)
    if searched is None:
        return []
    print(f"Fitting again with all waters left out of the model and of {difference.amplitude} ...", flush=True)
    dry = models.read(model)
    dry.remove_waters()
    path = models.write_like(dry, model, folder / "dry")
    again = {**job, "model": str(path), "mtz": str(omitted), "f": searched.amplitude, "phi": searched.phase, "refine": CLUSTERS}
    found = _solutions(again, data, columns, folder)
    fits = [_without_waters(job, found, data, columns, folder)] if found else []
    return [fit for fit in fits if fit[0].cc >= DENSITY_CC]


def _without_waters(
    job: dict[str, Any], found: list[_Solution], data: Path, columns: Any, folder: Path
) -> tuple[_Solution, list[str]]:
    """The best of the fits found and those after waters that overlap it have left the model; the waters that overlap it.

    A water in the density of a ligand hides it in the difference map, so these fits search 2mFo-DFc, and count where waters were.
    """
    from open_phenix.xray import models

    model = models.read(Path(job["model"]))
    rest, best = model.clone(), max(found, key=lambda one: one.cc)
    while freed := best.waters_removed_from(rest):
        where = f"density of {columns.amplitude} above {N_RMSD:g} rms"
        print(f"Waters that overlap it: {', '.join(freed)}. Fitting again without them, {where} ...", flush=True)
        without = models.write_like(rest, Path(job["model"]), folder / "without_waters")
        again = {**job, "model": str(without), "f": columns.amplitude, "phi": columns.phase, "n_rmsd": N_RMSD}
        better = [
            one
            for one in _solutions(again, data, columns, folder)
            if one.cc > best.cc and one.waters_removed_from(model.clone())
        ]
        if not better:
            break
        best = max(better, key=lambda one: one.cc)
    return best, best.waters_removed_from(model)


def _report(data: Path, mtz: Any, columns: Any, fitted: _Solution, place: str, removed: list[str]) -> None:
    from open_phenix.xray import ligand as ligand_module

    difference = ligand_module.difference_map(mtz)
    written = Path("ligand_fit_1.pdb")
    above, heavy = ligand_module.atoms_in_density(mtz, columns, fitted.placed)
    print(f"\nLigand {place} written to {written}")
    if removed:
        print(f"Waters that the ligand replaces: {', '.join(removed)} (phenix.pdbtools leaves them out)")
    print("number_of_ligands 1")
    print(f"Overall score: {fitted.score:.3f}")
    print(f"Atoms placed: {heavy} of {heavy}")
    print(f"Atoms in density above 1 rms: {above} of {heavy}")
    if difference is not None:
        print(f"Local CC with {difference.amplitude} (mFo-DFc): {ligand_module.correlation(data, difference, written):.3f}")
    print(f"Local CC is with {columns.amplitude}, within {ligand_module.ATOM_RADIUS:g} A of the non-hydrogen atoms")
    print(f"CC to map: {ligand_module.correlation(data, columns, written):.3f}")
