"""The components to find: search models with the number of copies of each, from the command line or from a parameter file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from open_phenix.core.errors import Sorry
from open_phenix.core.values import unquote
from open_phenix.mr.search_model import SearchModel

_KNOWN = (
    "phaser.ensemble.model_id",
    "phaser.ensemble.solution_at_origin",
    "phaser.ensemble.coordinates.pdb",
    "phaser.ensemble.coordinates.identity",
    "phaser.ensemble.coordinates.rmsd",
    "phaser.search.ensembles",
    "phaser.search.copies",
)
_UNUSED = ("identity", "rmsd")
_MOST_COPIES = 24


@dataclass
class Component:
    """One search model; `fixed` ones are already at their position and stay there."""

    path: Path
    copies: int = 1
    fixed: bool = False
    model: SearchModel = field(init=False)

    def __post_init__(self) -> None:
        self.model = SearchModel(self.path)

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return self.path.name

    @property
    def rank(self) -> Any:
        """Sort key: the largest first, equally large ones by content, so that the order of the files does not matter."""
        return (-len(self.model.elements), self.model.as_given.tobytes())


def of_files(models: list[Path], copies: int) -> list[Component]:
    """The same number of copies of each."""
    return [Component(path, copies) for path in models]


def of_parameter_file(path: Path) -> list[Component]:
    """`phaser { ensemble { ... } search { ... } }`, both as often as there are components; other definitions are refused."""
    ensembles, searches = _scopes(path)
    wanted: dict[str, int] = {}
    for search in searches:
        name = search.get("phaser.search.ensembles", "")
        if name in wanted:
            raise Sorry(f"{path}: ensemble {name} is searched twice; give its number of copies once")
        wanted[name] = _count(path, search.get("phaser.search.copies", "1"))
    found = []
    for ensemble in ensembles:
        name = ensemble.get("phaser.ensemble.model_id", "")
        model = Path(ensemble.get("phaser.ensemble.coordinates.pdb", ""))
        fixed = ensemble.get("phaser.ensemble.solution_at_origin", "False").lower() in ("true", "yes", "1")
        if not model.is_file():
            raise Sorry(f"{path}: couldn't find the file {model} of ensemble {name or '(no model_id)'}")
        if not fixed and name not in wanted:
            raise Sorry(f"{path}: ensemble {name or '(no model_id)'} is not searched: a scope phaser.search has to name it")
        found.append(Component(model, wanted.pop(name, 1), fixed))
    if wanted:
        raise Sorry(f"{path}: no ensemble of the name {', '.join(wanted)}")
    if not found:
        raise Sorry(f"{path}: no search model in it (phaser.ensemble)")
    return found


def _count(path: Path, text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= _MOST_COPIES:
        raise Sorry(f"{path}: phaser.search.copies = {text} is not a number from 1 to {_MOST_COPIES}")
    return int(text)


def _scopes(path: Path) -> "tuple[list[dict[str, str]], list[dict[str, str]]]":
    """The definitions of each `ensemble` and each `search`, by full name."""
    import iotbx.phil

    try:
        root = iotbx.phil.parse(path.read_text(encoding="utf-8"))
    except RuntimeError as problem:
        raise Sorry(f"Cannot read the parameter file {path}: {problem}") from problem
    scopes: dict[str, list[dict[str, str]]] = {"ensemble": [], "search": []}
    unused = set()
    for phaser in root.objects:
        for scope in phaser.objects if phaser.is_scope else [phaser]:
            values = {item.object.full_path(): _text(item.object) for item in scope.all_definitions()} if scope.is_scope else {}
            odd = [name for name in values if name not in _KNOWN] if scope.is_scope else [scope.full_path()]
            if odd:
                raise Sorry(f"{path}: {', '.join(odd)} cannot be honoured here; take it out or run PHENIX itself")
            unused |= {name.rpartition(".")[2] for name in values if name.endswith(_UNUSED)}
            scopes[scope.name].append(values)
    if unused:
        print(f"open-phenix: without effect in {path.name}: {', '.join(sorted(unused))} (the error of a model is estimated from the data here)")
    return scopes["ensemble"], scopes["search"]


def _text(definition: Any) -> str:
    return unquote(" ".join(word.value for word in definition.words))
