"""The parameter file with a scope for each component, and the command line that says the same."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cctbx", reason="cctbx is not installed in this Python (run install.sh)")

from glycine_model import glycine_model

from open_phenix.core.arguments import parse
from open_phenix.core.errors import Sorry
from open_phenix.mr import components
from open_phenix.programs import phaser


def _parameters(folder: Path, more: str = "", pdb: str = "a.pdb", search: str = "one") -> Path:
    path = folder / "components.eff"
    path.write_text(f"""phaser {{
      ensemble {{ model_id = one
        coordinates {{ pdb = "{folder / pdb}"
          identity = 90 }} }}
      search {{ ensembles = {search}
        copies = 2 }}
      ensemble {{ model_id = two
        coordinates {{ pdb = "{folder / 'b.pdb'}"
          identity = 90 }} }}
      search {{ ensembles = two
        copies = 1 }}
      {more}
    }}""")
    return path


def test_components_of_a_parameter_file(tmp_path: Path, capsys: Any) -> None:
    for name in ("a.pdb", "b.pdb"):
        glycine_model(tmp_path / name, 22)
    found = components.of_parameter_file(_parameters(tmp_path))
    assert [(one.name, one.copies, one.fixed) for one in found] == [("a.pdb", 2, False), ("b.pdb", 1, False)]
    assert "without effect in components.eff: identity" in capsys.readouterr().out
    fixed = f"ensemble {{\n model_id = three\n solution_at_origin = True\n coordinates {{\n pdb = {tmp_path / 'a.pdb'}\n}} }}"
    assert components.of_parameter_file(_parameters(tmp_path, fixed))[2].fixed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"more": "hklin = x.mtz"}, "phaser.hklin cannot be honoured"),
        ({"more": "keywords {\n tncs {\n use = False\n} }"}, "phaser.keywords.tncs.use cannot be honoured"),
        ({"pdb": "absent.pdb"}, "couldn't find the file .*absent.pdb of ensemble one"),
        ({"search": "three"}, "ensemble one is not searched"),
        ({"search": "two"}, "ensemble two is searched twice"),
        ({"more": "search {"}, "Cannot read the parameter file"),
    ],
)
def test_what_a_parameter_file_must_not_hold(tmp_path: Path, options: Any, message: str) -> None:
    for name in ("a.pdb", "b.pdb"):
        glycine_model(tmp_path / name, 22)
    with pytest.raises(Sorry, match=message):
        components.of_parameter_file(_parameters(tmp_path, **options))


def test_commands_with_several_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.pdb", "b.pdb"):
        glycine_model(tmp_path / name, 22)
    Path("d.mtz").write_text("x")
    _parameters(tmp_path)
    flag = "phaser.ensemble.coordinates.pdb="
    request = parse(phaser.SPEC, ["d.mtz", f"{flag}a.pdb", f"{flag}b.pdb", "phaser.search.copies=2",
                                  "phaser.keywords.sgalternative.select=hand"])
    assert [(one.name, one.copies) for one in phaser._components(request)] == [("a.pdb", 2), ("b.pdb", 2)]
    request = parse(phaser.SPEC, ["d.mtz", "components.eff"])
    assert [(one.name, one.copies) for one in phaser._components(request)] == [("a.pdb", 2), ("b.pdb", 1)]
    for odd in (["components.eff", "a.pdb"], ["components.eff", "phaser.search_copies=2"], []):
        with pytest.raises(Sorry):
            phaser._components(parse(phaser.SPEC, ["d.mtz", *odd]))
    with pytest.raises(Sorry, match="possible: none, hand, all"):
        parse(phaser.SPEC, ["d.mtz", "a.pdb", "sgalternative.select=list"])
