"""The process environment that the engines need; set inside the package so that a command works from a bare shell."""

import importlib.util
import os
import sys
import tempfile
from pathlib import Path


def prepare() -> None:
    """Set missing variables: monomer library, USER, a writable HOME, one thread per numeric library (determinism)."""
    library = monomer_library()
    if library is not None:
        os.environ["CLIBD_MON"] = str(library) + os.sep
        os.environ["MMTBX_CCP4_MONOMER_LIB"] = str(library)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ.get("PATH", os.defpath)])  # AceDRG calls servalcat
    os.environ.setdefault("USER", "open-phenix")  # cctbx calls getpass.getuser(), which fails without
    home = os.environ.get("HOME")
    if not home or not os.access(home, os.W_OK):
        os.environ["HOME"] = tempfile.gettempdir()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def monomer_library() -> "Path | None":
    """The restraint dictionaries inside Coot's package (CCP4 layout: ener_lib.cif, list/, a/ ... z/), or None."""
    found = importlib.util.find_spec("coot_headless_api")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "share" / "coot" / "lib" / "data" / "monomers"
    return folder if folder.is_dir() else None
