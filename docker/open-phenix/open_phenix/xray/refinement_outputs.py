"""The files that phenix.refine leaves: model, map coefficients under PHENIX's labels."""

from pathlib import Path

import gemmi
import numpy

from open_phenix import __version__
from open_phenix.xray.servalcat import Cycle

# Servalcat's label -> PHENIX's label; both come in amplitude, phase pairs (phases in degrees)
_MAPS = (
    ("FWT", "PHWT", "2FOFCWT", "PH2FOFCWT"),
    ("FWT_nofill", "PHWT_nofill", "2FOFCWT_no_fill", "PH2FOFCWT_no_fill"),
    ("DELFWT", "PHDELWT", "FOFCWT", "PHFOFCWT"),
)


def write_map_coefficients(engine_mtz: Path, path: Path) -> None:
    """PREFIX_001.mtz: 2mFo-DFc (missing reflections filled, and not filled), mFo-DFc, and the model's own amplitudes.

    F-model is D0*Fc + D1*Fbulk, Servalcat's expected structure factor (Yamashita et al. 2023, Acta Cryst. D79, 368).
    """
    source = gemmi.read_mtz_file(str(engine_mtz))
    columns: list[numpy.ndarray] = [source.column_with_label(label).array for label in "HKL"]
    labels = []
    for amplitude, phase, out_amplitude, out_phase in _MAPS:
        if source.column_with_label(amplitude) is None:
            continue
        columns += [source.column_with_label(amplitude).array, source.column_with_label(phase).array]
        labels += [(out_amplitude, "F"), (out_phase, "P")]
    model = _model_factors(source)
    columns += [numpy.abs(model), numpy.degrees(numpy.angle(model))]
    labels += [("F-model", "F"), ("PHIF-model", "P")]
    target = gemmi.Mtz(with_base=True)
    target.spacegroup, target.title = source.spacegroup, "map coefficients by open-phenix"
    target.set_cell_for_all(source.cell)
    target.add_dataset("open-phenix")
    for label, kind in labels:
        target.add_column(label, kind)
    target.set_data(numpy.column_stack([numpy.asarray(column, dtype=numpy.float32) for column in columns]))
    target.history = [f"open-phenix {__version__}"]
    target.write_to_file(str(path))


def _model_factors(source: gemmi.Mtz) -> numpy.ndarray:
    def complex_column(amplitude: str, phase: str) -> numpy.ndarray:
        angles = numpy.radians(source.column_with_label(phase).array)
        return source.column_with_label(amplitude).array * numpy.exp(1j * angles)

    def scale(label: str) -> numpy.ndarray:
        column = source.column_with_label(label)
        return column.array if column is not None else numpy.ones(source.nreflections)

    atoms = complex_column("FC", "PHFC")
    bulk = complex_column("FCbulk", "PHFCbulk") if source.column_with_label("FCbulk") is not None else 0
    return scale("D0") * atoms + scale("D1") * bulk


def write_pdb(engine_pdb: Path, path: Path, final: Cycle, d_max: float, d_min: float) -> None:
    """PREFIX_001.pdb: the engine's model with the R values in REMARK 3, where every reader looks for them."""
    lines = engine_pdb.read_text(encoding="utf-8").splitlines(keepends=True)
    remarks = [
        "REMARK   3  DATA USED IN REFINEMENT.",
        f"REMARK   3   RESOLUTION RANGE HIGH (ANGSTROMS) : {d_min:.2f}",
        f"REMARK   3   RESOLUTION RANGE LOW  (ANGSTROMS) : {d_max:.2f}",
        "REMARK   3  FIT TO DATA USED IN REFINEMENT.",
        f"REMARK   3   R VALUE            (WORKING SET) : {final.r_work:.4f}",
        f"REMARK   3   FREE R VALUE                     : {final.r_free:.4f}",
    ]
    has_header = [number for number, line in enumerate(lines) if line.startswith("REMARK   3   AUTHORS")]
    at = has_header[0] + 1 if has_header else next(n for n, line in enumerate(lines) if not line.startswith("HEADER"))
    lines[at:at] = [remark + "\n" for remark in remarks]
    path.write_text("".join(lines), encoding="utf-8")
