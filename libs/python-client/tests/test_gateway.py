"""Against a gateway, where PHX_SERVER names one and FLEET_TEST_DATA a folder of its data with a file that can be submitted.

test/python-client of the checkout starts one: sessions end by themselves there, those whose title begins with `bad` fail the
first time, and during one called `restarted` the gateway goes away.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from phenix_fleet import ApiError, AsyncFleet, Fleet

if "PHX_SERVER" not in os.environ:
    pytest.skip("PHX_SERVER names no gateway", allow_module_level=True)

DATA = os.environ.get("FLEET_TEST_DATA", "")
FILE = f"{DATA}/data.sca"
PROPOSAL = "mx1"


@pytest.fixture(autouse=True)
def pauses() -> None:
    """Here the client sleeps."""


def rows(*titles: str) -> list[dict[str, Any]]:
    return [{"files": ["data.sca"], "variables": {"name": title}} for title in titles]


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_session_from_its_submission_to_its_results(tmp_path: Path) -> None:
    with Fleet() as fleet:
        made = fleet.submit(files=[FILE], proposal=PROPOSAL, title="alone", settings={"max_cycles": 3}, key="alone")
        again = fleet.submit(files=[FILE], proposal=PROPOSAL, title="alone", settings={"max_cycles": 3}, key="alone")
        assert again["id"] == made["id"]
        assert [event["type"] for event in fleet.watch(made["id"])][-1] == "session_ended"
        ended = fleet.wait(made["id"])
        assert (ended["status"], ended["request"]["settings"]["max_cycles"]) == ("completed", 3)
        assert fleet.results(made["id"])["id"] == made["id"]
        assert "alone" in fleet.summary(made["id"])
        assert fleet.trace(made["id"])["spent"]["requests"] == 0
        assert fleet.prompts(made["id"], 1)["prompts"] == []
        assert made["id"] in [row["id"] for row in fleet.sessions(proposal=PROPOSAL, status="completed", limit=1)]
        assert fleet.get("/v1/me")["id"] == "ada"
        archive = fleet.download(f"/v1/sessions/{made['id']}/files.zip", tmp_path / "files.zip")
        assert archive.read_bytes()[:2] == b"PK"


def test_refusals_name_the_field() -> None:
    with Fleet() as fleet:
        with pytest.raises(ApiError) as caught:
            fleet.submit(files=[f"{DATA}/missing.sca"], proposal=PROPOSAL)
        assert (caught.value.code, caught.value.problems[0]["field"]) == ("submission.invalid", "files[0]")
        with pytest.raises(ApiError, match="session.not_found"):
            fleet.session("0" * 26)
    with Fleet(key="phx_wrong") as stranger, pytest.raises(ApiError) as refused:
        stranger.batch("0" * 26)
    assert refused.value.status == 401


def test_watches_on_over_a_restart_of_the_gateway() -> None:
    with Fleet() as fleet:
        made = fleet.submit(files=[FILE], proposal=PROPOSAL, title="restarted")
        types = [event["type"] for event in fleet.watch(made["id"])]
        assert [one for one in types if one != "advice_read"] == ["session_submitted", "cycle_start", "session_ended"]


def test_a_campaign() -> None:
    titles = [f"bad {number}" if number % 10 == 0 else f"good {number}" for number in range(1, 41)]
    with Fleet() as fleet:
        request: dict[str, Any] = {"proposal": PROPOSAL, "base": DATA, "defaults": {"title": "{name}"}}
        batch = fleet.submit_batch(rows=rows(*titles), **request)
        assert fleet.submit_batch(rows=rows(*titles), **request)["rows"] == batch["rows"] == 40
        *_, done = fleet.watch_batch(batch["id"])
        assert (done["sessions"]["completed"], done["sessions"]["failed"]) == (36, 4)
        assert fleet.retry_batch(batch["id"], of=["failed"]) == 4
        assert fleet.wait_batch(batch["id"])["sessions"]["completed"] == 40
        assert len([*fleet.rows(batch["id"], state="accepted", limit=7)]) == 40
        found = [row["session"]["title"] for row in fleet.batch_results(batch["id"], limit=15) if "session" in row]
        assert found == titles
        assert [row["title"] for row in table(fleet.batch_csv(batch["id"], sort="row"))] == titles
        assert batch["id"] in [one["id"] for one in fleet.batches(proposal=PROPOSAL)]


def test_changes_of_a_batch() -> None:
    with Fleet() as fleet:
        batch = fleet.submit_batch(rows=rows("idle"), proposal=PROPOSAL, base=DATA, start="never")
        assert fleet.pause_batch(batch["id"])["status"] == "paused"
        assert fleet.resume_batch(batch["id"])["status"] == "open"
        assert fleet.cancel_batch(batch["id"])["status"] == "cancelled"


def test_the_same_with_asyncio(tmp_path: Path) -> None:
    async def campaign() -> None:
        async with AsyncFleet() as fleet:
            made = [
                await fleet.submit(files=[FILE], proposal=PROPOSAL, title=f"async {number}", key=f"async-{number}")
                for number in range(5)
            ]
            ended = await asyncio.gather(*(fleet.wait(one["id"]) for one in made))
            assert [one["status"] for one in ended] == ["completed"] * 5
            batch = await fleet.submit_batch(
                rows=rows("bad async", "good async"), proposal=PROPOSAL, base=DATA, defaults={"title": "{name}"}
            )
            states = [one["done"] async for one in fleet.watch_batch(batch["id"])]
            assert (states[-1], any(states[:-1])) == (True, False)
            assert await fleet.retry_batch(batch["id"]) == 1
            assert (await fleet.wait_batch(batch["id"]))["sessions"]["completed"] == 2
            assert len(table(await fleet.batch_csv(batch["id"]))) == 2
            assert len([row async for row in fleet.rows(batch["id"], limit=1)]) == 2
            archive = await fleet.download(f"/v1/sessions/{made[0]['id']}/files.zip", tmp_path / "files.zip")
            assert archive.read_bytes()[:2] == b"PK"
            with pytest.raises(ApiError, match="batch.not_found"):
                await fleet.cancel_batch("0" * 26)

    asyncio.run(campaign())


def test_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the cells of the notebook, with values of ours behind the cell of its parameters."""
    notebook = json.loads((Path(__file__).parents[1] / "examples/campaign.ipynb").read_text())
    monkeypatch.chdir(tmp_path)
    values = {"folder": DATA, "crystals": ["one", "bad two"], "proposal": PROPOSAL, "model": "model.pdb", "data": "data.sca"}
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        exec("".join(cell["source"]), names)
        if "parameters" in cell["metadata"].get("tags", []):
            assert values.keys() <= names.keys()
            names.update(values)
    assert [row["status"] for row in table(Path("hits.csv").read_text())] == ["completed", "completed"]
