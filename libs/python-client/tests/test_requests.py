"""What is sent, what is sent again, and the outcome of refusals: without a gateway."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from answers import Pauses, Script, answer, problem

from phenix_fleet import ApiError, Fleet, GatewayUnreachable, NotAGateway

LOST = httpx.ConnectError("refused")
SESSION: Any = {"id": "0" * 26}


def fleet(script: Script, patience: float = 10.0) -> Fleet:
    return Fleet("http://gateway.example/fleet/", "a-key", patience=patience, http=script.http)


def test_sends_a_submission_again_with_the_same_key_until_it_is_answered(pauses: Pauses) -> None:
    busy = answer(problem(429, "request.too_many"), 429, **{"retry-after": "4"})
    script = Script(LOST, busy, httpx.Response(502, content="a proxy"), answer(SESSION, 201))
    assert fleet(script).submit(files=["/data/x.mtz"], title="x") == SESSION
    assert pauses == [0.2, 4.0, 0.8]
    assert {(str(one.url), one.content) for one in script.asked} == {
        ("http://gateway.example/fleet/v1/sessions", b'{"files": ["/data/x.mtz"], "title": "x"}')
    }
    assert len({one.headers["idempotency-key"] for one in script.asked}) == 1
    assert {one.headers["authorization"] for one in script.asked} == {"Bearer a-key"}


def test_two_submissions_have_two_keys_unless_they_are_given_one() -> None:
    script = Script(*[answer(SESSION, 201) for _ in range(4)])
    client = fleet(script)
    for key in [None, None, "mine", "mine"]:
        client.submit(files=["/data/x.mtz"], key=key)
    keys = [one.headers["idempotency-key"] for one in script.asked]
    assert keys[0] != keys[1]
    assert keys[2:] == ["mine", "mine"]


def test_gives_up_when_its_patience_ends(pauses: Pauses) -> None:
    with pytest.raises(GatewayUnreachable, match="http://gateway.example/fleet cannot be reached: refused"):
        fleet(Script(*[LOST] * 9), patience=1.0).session("x")
    assert pauses == [0.2, 0.4]
    with pytest.raises(ApiError, match="request.too_many"):
        fleet(Script(answer(problem(429, "request.too_many"), 429, **{"retry-after": "60"}))).session("x")


def test_waits_until_a_date(pauses: Pauses) -> None:
    later = {"retry-after": "Mon, 01 Jan 2001 00:00:00 GMT"}
    script = Script(answer(problem(503, "inspection.busy"), 503, **later), answer(SESSION))
    assert fleet(script).session("x") == SESSION
    assert pauses == [0.2]


def test_an_error_has_code_and_fields_and_is_not_asked_again() -> None:
    fields = [{"field": "settings.max_cycels", "reason": "there is no such setting", "allowed": "max_cycles"}]
    script = Script(answer(problem(422, "submission.invalid", problems=fields), 422))
    with pytest.raises(ApiError) as caught:
        fleet(script).submit(files=["/data/x.mtz"])
    error = caught.value
    assert (error.status, error.code, error.problems, error.request_id) == (422, "submission.invalid", fields, "shift-7")
    assert str(error) == (
        "No (submission.invalid). It cannot be.\nsettings.max_cycels: there is no such setting (allowed: max_cycles)"
    )


def test_a_failure_of_the_service_tells_the_id_of_its_request() -> None:
    with pytest.raises(ApiError) as caught:
        fleet(Script(answer(problem(500, "service.error"), 500))).session("x")
    assert str(caught.value).endswith("\nrequest id shift-7")


def test_says_when_something_else_answers() -> None:
    for reply in [httpx.Response(200, content="<html>"), httpx.Response(302), answer({"error": "?"}, 404)]:
        with pytest.raises(NotAGateway, match=f"answered {reply.status_code}, but not as"):
            fleet(Script(reply)).session("x")


def test_names_in_addresses_are_quoted_and_queries_are_passed_on() -> None:
    script = Script(answer(SESSION), answer({"sessions": [1], "nextCursor": "c&"}), answer({"sessions": [2]}))
    client = fleet(script)
    client.session("a/../b?c")
    listed: list[Any] = [*client.sessions(proposal="mx1", limit=1)]
    assert listed == [1, 2]
    assert [one.url.raw_path.decode() for one in script.asked] == [
        "/fleet/v1/sessions/a%2F..%2Fb%3Fc",
        "/fleet/v1/sessions?proposal=mx1&limit=1",
        "/fleet/v1/sessions?proposal=mx1&limit=1&cursor=c%26",
    ]


def test_a_batch_is_sent_in_parts_and_known_by_what_it_holds() -> None:
    def keys_and_parts(title: str) -> tuple[str, list[tuple[str, int]]]:
        batch: Any = {"id": "b"}
        script = Script(answer(batch, 201), *[answer({})] * 3, answer(batch))
        rows = [{"files": [f"x{number}.mtz"]} for number in range(2001)]
        assert fleet(script).submit_batch(rows=rows, title=title) == batch
        parts = [(one.url.query.decode(), one.content.count(b"\n")) for one in script.asked[1:4]]
        return script.asked[0].headers["idempotency-key"], parts

    key, parts = keys_and_parts("one")
    assert parts == [("complete=false", 1000), ("complete=false", 1000), ("complete=true", 1)]
    assert (key == keys_and_parts("one")[0], key == keys_and_parts("two")[0]) == (True, False)
    with pytest.raises(ValueError, match="^rows: there is none"):
        fleet(Script()).submit_batch(rows=[])


def test_a_batch_is_watched_by_its_tag(pauses: Pauses) -> None:
    running: Any = {"done": False}
    done: Any = {"done": True}
    unchanged = httpx.Response(304)
    script = Script(answer(running, etag='"1"'), unchanged, unchanged, answer(done, etag='"2"'))
    assert [*fleet(script).watch_batch("b")] == [running, done]
    assert pauses == [0.2, 0.3, 0.45]
    assert [one.headers.get("if-none-match") for one in script.asked] == [None, '"1"', '"1"', '"1"']


def test_address_and_key_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHX_SERVER", "https://fleet.example")
    monkeypatch.setenv("FLEET_API_KEY", "from-environment")
    script = Script(answer(SESSION))
    Fleet(http=script.http).session("x")
    (asked,) = script.asked
    assert (str(asked.url), asked.headers["authorization"]) == (
        "https://fleet.example/v1/sessions/x",
        "Bearer from-environment",
    )
    with pytest.raises(ValueError, match="^server: "):
        Fleet("fleet.example")
    with pytest.raises(ValueError, match="^key: ") as caught:
        Fleet(key="phx_secret\n")
    assert "secret" not in str(caught.value)


def test_a_broken_download_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> httpx.Response:
        def pieces() -> Iterator[bytes]:
            yield b"half"
            raise httpx.ReadError("cut")

        return httpx.Response(200, content=pieces())

    script = Script(httpx.Response(200, content=b"ATOM"), broken())
    client = fleet(script)
    assert client.download("/v1/sessions/x/files/1/model.pdb", tmp_path / "model.pdb").read_bytes() == b"ATOM"
    with pytest.raises(GatewayUnreachable):
        client.download("/v1/sessions/x/files/1/model.pdb", tmp_path / "model.pdb")
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("model.pdb", b"ATOM")]


def test_asks_for_statistics_and_for_their_table() -> None:
    groups: Any = {"by": "beamline", "groups": []}
    table = httpx.Response(200, content="beamline,sessions\r\ni04,3\r\n")
    script = Script(answer(groups), table)
    client = fleet(script)
    assert client.statistics(by="beamline", since="2026-01-01") == groups
    assert client.statistics_csv(by="beamline") == "beamline,sessions\r\ni04,3\r\n"
    assert [(one.url.path, one.url.query) for one in script.asked] == [
        ("/fleet/v1/statistics", b"by=beamline&since=2026-01-01"),
        ("/fleet/v1/statistics.csv", b"by=beamline"),
    ]
