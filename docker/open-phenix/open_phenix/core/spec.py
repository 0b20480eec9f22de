"""The declarative description of a program: its engine, its parameters, its files.

A parameter has one of three effects:

* ``honoured``: the engine does what PHENIX would do with it;
* ``speed``: accepted and named in the head line, but without effect (number of processors and the like);
* ``science``: it would change the result and the engine cannot do it, so any value but a neutral one is an error.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

Effect = Literal["honoured", "speed", "science"]
ValueType = Literal["str", "int", "float", "bool", "choice", "labels", "unit_cell", "space_group"]
FileKind = Literal["model", "restraints", "reflections", "map", "sequence", "symmetry", "parameters"]


@dataclass(frozen=True)
class Engine:
    """The open program that does the work; `distribution` is the name of the Python package whose version is reported."""

    title: str
    distribution: str


CCTBX = Engine("cctbx", "cctbx-base")
SERVALCAT = Engine("Servalcat", "servalcat")
COOT = Engine("Coot", "coot-headless-api")
POWERFIT = Engine("PowerFit", "powerfit-em")


@dataclass(frozen=True)
class Parameter:
    """One PHIL definition.

    `path` is PHENIX's full path; a user may write any unique trailing part of it or of an alias
    (``main.nproc=4`` and ``nproc=4`` both mean ``refinement.main.nproc``).
    For ``science`` parameters, values in `neutral` (compared after conversion) change nothing and are accepted.
    For choices, `choices` lists what can be honoured; anything else is an error.
    """

    path: str
    type: ValueType = "str"
    default: Any = None
    effect: Effect = "honoured"
    aliases: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    neutral: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    help: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The full path and its aliases."""
        return (self.path,) + self.aliases


@dataclass(frozen=True)
class FileSlot:
    """A named file input.

    `kinds` lists the accepted kinds; a positional file goes to the first slot that accepts it and has room.
    `flags` are PHIL paths that name the file explicitly (``model=x.pdb``), matched like parameters.
    """

    name: str
    kinds: tuple[FileKind, ...]
    required: bool = False
    multiple: bool = False
    positional: bool = True
    flags: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True)
class ProgramSpec:
    """Description of a program for the parser, the help text and `open-phenix list`.

    `refused` are scopes (`("ncs", "secondary_structure")`): a parameter in one of them is a ``science`` error unless its
    value is False or None. `also` names further engines. `outputs` and `example` go into the help text.
    """

    name: str
    purpose: str
    engine: Engine
    files: tuple[FileSlot, ...]
    parameters: tuple[Parameter, ...] = ()
    also: tuple[Engine, ...] = ()
    refused: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    example: str = ""
    simulated: bool = False
    extra_distributions: tuple[str, ...] = field(default=())

    def parameter(self, path: str) -> Parameter:
        """The parameter with that full path (a KeyError is a fault of the program's module)."""
        for parameter in self.parameters:
            if parameter.path == path:
                return parameter
        raise KeyError(path)

    def slot(self, name: str) -> FileSlot:
        """The file slot of that name (a KeyError is a fault of the program's module)."""
        for slot in self.files:
            if slot.name == name:
                return slot
        raise KeyError(name)
