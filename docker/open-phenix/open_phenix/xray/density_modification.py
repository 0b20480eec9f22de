"""Density modification by cctbx: solvent flipping and histogram truncation, from Hendrickson-Lattman coefficients."""

from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.xray import f_model
from open_phenix.xray.reflections import ReflectionFile

import iotbx.phil
from libtbx.utils import null_out
from mmtbx import density_modification


def phases(source: ReflectionFile, amplitudes: Any, model: Path | None) -> tuple[Any, str]:
    """Hendrickson-Lattman coefficients, and where they are from: the data file, else the model."""
    measured = [array for array in source.arrays if array.is_hendrickson_lattman_array()]
    if measured:
        array = measured[0].map_to_asu()
        array = array.average_bijvoet_mates() if array.anomalous_flag() else array
        return array, f"{measured[0].info().label_string()} of {source.path.name}"
    if model is None:
        raise Sorry(f"No phases: {source.path} has no Hendrickson-Lattman coefficients, and there is no model (model=)")
    calculated = f_model.make(model, source, amplitudes, None, None)
    helper = calculated.map_calculation_helper()
    values = calculated.f_model_phases_as_hl_coefficients(map_calculation_helper=helper)
    return calculated.f_obs().customized_copy(data=values, sigmas=None), f"the model {model.name}"


def modify(amplitudes: Any, coefficients: Any, residues: int) -> Any:
    """The modified map's coefficients, and the mean figure of merit before and after; `residues`: of one molecule."""
    params = iotbx.phil.parse(density_modification.master_params_str).extract()
    params.asu_contents.n_residues = residues
    params.verbose = False
    observed, known = amplitudes.common_sets(coefficients)
    result = density_modification.density_modification(params, observed, known, log=null_out())
    before, after = result.start_and_end_fom()
    return result.map_coeffs_in_original_setting, before, after, params.solvent_fraction
