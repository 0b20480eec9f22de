"""Resolution estimates of a map, by mmtbx.maps.mtriage (Afonine et al. (2018) Acta Cryst. D74, 814-840).

* d_fsc: where the Fourier shell correlation of the two half maps falls to 0.143.
* d_fsc_model: where that of map and model map falls to 0.5 (and 0.143, 0).
* d99: beyond it the map's Fourier coefficients add less than 1 % to it; independent of noise.

All in Angstrom. The working resolution is taken from unmasked curves: a mask without phase randomisation inflates the FSC.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.cryoem.box_model import BoxModel
from open_phenix.cryoem.map_box import MapBox

PLACED_CC_MASK = 0.15  # below it the model does not fit the map, and d_fsc_model is meaningless
# From here on a model shows the resolution of the map; our own limit, below the 0.60 of a poor fit (knowledge/metrics.yaml).
# FSC=0.5 with a model is FSC=0.143 of half maps (Rosenthal and Henderson (2003) J. Mol. Biol. 333, 721-745). It errs to the coarse
# side by the errors of the model, d99 and d_model far more to the fine side by noise. Seen (published or true: FSC=0.5, d_model, d99):
# EMD-2566 around 3J6B_9, CC_mask 0.70 (3.2: 3.61, 3.20, 2.63); synthetic, CC_mask 0.88 and 0.78 (3.0: 3.02 and 3.53, 1.90 and 1.80, 1.83).
FITTED_CC_MASK = 0.5


@dataclass(frozen=True)
class Estimates:
    """Results of mmtbx.maps.mtriage; `masked` only with a model."""

    unmasked: Any
    masked: Any | None


@dataclass(frozen=True)
class WorkingResolution:
    """The resolution (Angstrom) for the next program, and its source."""

    value: float
    source: str


def estimate(
    full: MapBox, halves: tuple[MapBox, MapBox] | None, model: BoxModel | None, resolution: float | None
) -> Estimates:
    """Run mtriage: unmasked always, and with a soft mask around the model where there is one."""
    from mmtbx.maps import mtriage

    parameters = mtriage.master_params().extract()
    parameters.mask_maps = None if model is not None else False
    parameters.resolution = resolution
    results = mtriage.mtriage(
        map_data=full.data,
        map_data_1=halves[0].data if halves else None,
        map_data_2=halves[1].data if halves else None,
        xray_structure=model.structure() if model is not None else None,
        crystal_symmetry=full.symmetry,
        params=parameters,
    ).get_results()
    return Estimates(results.unmasked, results.masked)


def show_table(estimates: Estimates) -> None:
    """PHENIX's table; a dash stands where nothing was computed."""
    rows = (
        ("using map alone (d99)            ", "d99"),
        ("comparing with model (d_model)   ", "d_model"),
        ("  b_iso_overall                  ", "b_iso_overall"),
        ("comparing with model (d_model_b0)", "d_model_b0"),
        ("  b_iso_overall=0", None),
        ("d_fsc_model:", None),
        ("  FSC(map,model map)=0           ", "d_fsc_model_0"),
        ("  FSC(map,model map)=0.143       ", "d_fsc_model_0143"),
        ("  FSC(map,model map)=0.5         ", "d_fsc_model_05"),
        ("d99 (half map 1)                 ", "d99_1"),
        ("d99 (half map 2)                 ", "d99_2"),
        ("FSC(half map 1,2)=0.143 (d_fsc)  ", "d_fsc"),
    )
    print("Map resolution estimates:              masked unmasked")
    for label, key in rows:
        if key is None:
            print(f"  {label}")
        else:
            print(f"  {label}: {_cell(estimates.masked, key)} {_cell(estimates.unmasked, key)}")
    radius = _value(estimates.masked, "radius_smooth")
    print("\nRadius used for mask smoothing: %s" % ("None" if radius is None else f"{radius:6.2f}"))


def working_resolution(estimates: Estimates, model_cc_mask: float | None) -> WorkingResolution:
    """Half maps first, then a model that fits, then the map alone."""
    half_maps = _value(estimates.unmasked, "d_fsc")
    if half_maps is not None:
        return WorkingResolution(half_maps, "d_fsc, half maps, FSC=0.143, unmasked")
    with_model = _value(estimates.unmasked, "d_fsc_model_05")
    if with_model is not None and model_cc_mask is not None and model_cc_mask >= FITTED_CC_MASK:
        return WorkingResolution(with_model, "d_fsc_model_05, map and model, unmasked")
    alone = _value(estimates.unmasked, "d99")
    if alone is None:
        raise Sorry("No resolution could be estimated from this map")
    return WorkingResolution(alone, "d99, map alone: it does not see noise, give half maps")


def model_resolution(estimates: Estimates, cc_mask: float | None) -> float | None:
    """d_fsc_model at 0.5 (unmasked), or None where the model does not fit the map."""
    if cc_mask is None or cc_mask < PLACED_CC_MASK:
        return None
    return _value(estimates.unmasked, "d_fsc_model_05")


def write_curves(estimates: Estimates, folder: Path) -> None:
    """Write the FSC curves as PHENIX names them: inverse resolution (1/Angstrom), FSC."""
    for result, kind in ((estimates.masked, "masked"), (estimates.unmasked, "unmasked")):
        model_curve = getattr(result, "fsc_curve_model", None)
        if model_curve is not None:
            _write_curve(model_curve, folder / f"fsc_model.{kind}.mtriage.log", "FSC(model map, map)")
        half_curve = getattr(result, "fsc_curve", None)
        if half_curve is not None:
            _write_curve(half_curve.fsc, folder / f"fsc_half_maps.{kind}.mtriage.log", "FSC(half map 1, half map 2)")


def _write_curve(curve: Any, path: Path, title: str) -> None:
    lines = [f"{d_inv:15.9f} {fsc:15.9f}\n" for d_inv, fsc in zip(curve.d_inv, curve.fsc)]
    path.write_text("".join(lines), encoding="utf-8")
    print(f"{title} is written to {path.name}")


def _value(result: Any, key: str) -> float | None:
    value = getattr(result, key, None)
    return float(value) if isinstance(value, (int, float)) else None


def _cell(result: Any, key: str) -> str:
    value = _value(result, key)
    return "    None" if value is None else f"{value:8.2f}"
