"""Cache of dictionaries by component and version of AceDRG, shared by all processes that see the folder."""

import contextlib
import fcntl
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from open_phenix.core import scratch
from open_phenix.restraints import acedrg
from open_phenix.restraints.components import Component

SETTING = "OPEN_PHENIX_MONOMERS"
_FALLBACK = Path(".open-phenix-monomers")


@dataclass(frozen=True)
class Kept:
    """The dictionary of a component; `seconds` that it took, None if it was cached."""

    path: Path
    seconds: float | None


def folder() -> Path:
    """The folder for new dictionaries: $OPEN_PHENIX_MONOMERS, else ~/.cache/open-phenix/monomers.

    If that is not writable (a pod with a read-only root), a folder below the current one, with a message.
    """
    wanted = Path(os.environ.get(SETTING) or Path.home() / ".cache" / "open-phenix" / "monomers")
    if _is_writable(wanted):
        return wanted.resolve()
    if not _FALLBACK.is_dir():
        print(f"NOTE: {wanted} cannot be written: new restraints are kept in {_FALLBACK} only ({SETTING} names another folder)")
        _FALLBACK.mkdir(exist_ok=True)
    return _FALLBACK.resolve()


def installed() -> Path:
    """Dictionaries made when the kit was installed (install.sh --with-monomers); optional."""
    return Path(sys.prefix).parent / "monomers"


def get(component: Component) -> Kept:
    """The dictionary, made now unless it is cached. Only one of several concurrent processes makes it."""
    known = kept(component.key)
    if known is not None:
        return known
    target = folder() / _name(component.key)
    with _alone(target.with_suffix(".lock")):
        if target.is_file():
            return Kept(target, None)
        started = time.monotonic()
        with scratch.folder("acedrg") as work:
            _put(acedrg.make(component, work), target)
    return Kept(target, time.monotonic() - started)


def kept(key: str) -> Kept | None:
    """The cached dictionary, by the key of its component (the code, if it is from the component dictionary)."""
    places = (installed() / _name(key), folder() / _name(key))
    return next((Kept(path, None) for path in places if path.is_file()), None)


def _name(key: str) -> str:
    return f"{key}-acedrg-{metadata.version('acedrg')}.cif"


def _put(made: Path, target: Path) -> None:
    """Write atomically: beside the target, then rename."""
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".", delete=False) as stream:
        try:
            stream.write(made.read_bytes())
            os.chmod(stream.name, 0o644)
            os.replace(stream.name, target)
        except BaseException:
            os.unlink(stream.name)
            raise


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with open(lock, "w", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _is_writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)
