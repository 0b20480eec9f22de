"""Map sharpening with cctbx's own code.

* shells: scale factors by resolution shell, from the correlation of two half maps or of a map and a model map
  (iotbx.map_model_manager, PHENIX's own method; Terwilliger et al. (2022), doi 10.1107/S2059798321012000 and earlier).
* b-factor: one overall B (Angstrom**2) up to the resolution, chosen by the adjusted surface area of the map
  (cctbx.maptbx.auto_sharpen; Terwilliger et al. (2018) Acta Cryst. D74, 545-559).
"""

import sys
import types
from pathlib import Path
from typing import Any, TextIO

from open_phenix.core.errors import Sorry
from open_phenix.cryoem.box_model import BoxModel
from open_phenix.cryoem.map_box import MapBox

_SCALED = "map_manager_scaled"  # the id that cctbx gives to the result


def by_half_maps(full: MapBox, halves: tuple[MapBox, MapBox], resolution: float, anisotropic: bool, log: TextIO) -> Any:
    """The sharpened grid of the full map; scale factors from the two half maps."""
    manager = _manager(full, log, resolution, map_manager_1=_copy(halves[0]), map_manager_2=_copy(halves[1]))
    manager.half_map_sharpen(resolution=resolution, anisotropic_sharpen=anisotropic)
    return _scaled(manager)


def by_model(full: MapBox, model: BoxModel, resolution: float, anisotropic: bool, log: TextIO) -> Any:
    """The sharpened grid of the full map; scale factors from the map of the model."""
    import iotbx.pdb
    import mmtbx.model
    from libtbx.utils import null_out

    text = model.hierarchy.as_pdb_string(crystal_symmetry=full.symmetry)
    source = iotbx.pdb.input(source_info=None, lines=text.splitlines())
    atoms = mmtbx.model.manager(model_input=source, crystal_symmetry=full.symmetry, log=null_out())
    manager = _manager(full, log, resolution, model=atoms)
    manager.model_sharpen(resolution=resolution, anisotropic_sharpen=anisotropic)
    return _scaled(manager)


def by_b_factor(full: MapBox, resolution: float, log: TextIO) -> "tuple[Any, float | None]":
    """The sharpened grid and the B that was applied (Angstrom**2; None if the map was best left as it is)."""
    _stand_in_for_gui()
    from cctbx.maptbx import auto_sharpen

    parameters = auto_sharpen.master_phil.extract()
    parameters.input_files.half_map_file = None
    parameters.crystal_info.resolution = resolution
    parameters.crystal_info.is_crystal = False
    data, _coefficients, _symmetry, info = auto_sharpen.run(
        params=parameters,
        map_data=full.data.deep_copy(),
        crystal_symmetry=full.symmetry,
        wrapping=False,
        write_output_files=False,
        out=log,
    )
    return data, info.b_sharpen


def _manager(full: MapBox, log: TextIO, resolution: float, **parts: Any) -> Any:
    from iotbx.map_model_manager import map_model_manager

    manager = map_model_manager(map_manager=_copy(full), **parts)
    manager.set_log(log)
    manager.set_resolution(resolution)
    return manager


def _copy(box: MapBox) -> Any:
    from iotbx.map_manager import map_manager
    from libtbx.utils import null_out

    return map_manager(
        map_data=box.data.deep_copy(),
        unit_cell_grid=box.data.all(),
        unit_cell_crystal_symmetry=box.symmetry,
        wrapping=False,
        log=null_out(),
    )


def _scaled(manager: Any) -> Any:
    result = manager.get_map_manager_by_id(_SCALED)
    if result is None:
        raise Sorry("The map could not be sharpened (no scale factors were found; see the log file)")
    return result.map_data()


def _stand_in_for_gui() -> None:
    """auto_sharpen imports PHENIX's window code, which the open part does not have; nothing of it is called."""
    if "wxGUI2" not in sys.modules:
        module = types.ModuleType("wxGUI2")
        module.utils = None  # type: ignore[attr-defined]
        sys.modules["wxGUI2"] = module


def details_file(folder: Path) -> Path:
    """Where cctbx's long log goes."""
    return folder / "map_sharpening_details.log"
