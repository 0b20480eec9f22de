"""All programs, found in the package open_phenix.programs. Fast: specs import nothing heavy."""

import importlib
import pkgutil
from importlib import metadata
from types import ModuleType

from open_phenix.core.errors import Sorry
from open_phenix.core.spec import Engine, ProgramSpec


def modules(package_name: str = "open_phenix.programs") -> dict[str, ModuleType]:
    """Program name to module, sorted by name; modules without a SPEC are not programs."""
    package = importlib.import_module(package_name)
    found = {}
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package_name}.{info.name}")
        spec = getattr(module, "SPEC", None)
        if isinstance(spec, ProgramSpec):
            found[spec.name] = module
    return dict(sorted(found.items()))


def module_of(name: str) -> ModuleType:
    """The module of a program by PHENIX's name."""
    known = modules()
    if name not in known:
        raise Sorry(f"{name} is not one of the programs of this kit: {', '.join(known)}")
    return known[name]


def version_of(engine: Engine) -> str | None:
    """The installed version of an engine, read from package metadata (nothing is imported); None if not installed."""
    return _version(engine.distribution)


def why_unavailable(spec: ProgramSpec) -> str | None:
    """None if every package that the program needs is installed, otherwise the reason."""
    needed = [engine.distribution for engine in (spec.engine,) + spec.also]
    missing = [name for name in needed + list(spec.extra_distributions) if _version(name) is None]
    return f"package not installed: {', '.join(missing)}" if missing else None


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
