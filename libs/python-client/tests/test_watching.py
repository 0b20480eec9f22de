"""The events of a session over connections that break: without a gateway."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
from answers import Pauses, Script, answer, problem

from phenix_fleet import ApiError, Fleet, GatewayUnreachable


def message(place: str, text: str = "") -> str:
    return f"id: {place}\ndata: {json.dumps({'id': place, 'message': text}, ensure_ascii=False)}\n\n"


ODD = "b ü\u2028c"
"""A line ends here for Unicode, and not in a stream."""
END = "event: end\ndata: {}\n\n"


def stream(text: str, cut: bool = False, size: int = 7) -> httpx.Response:
    def pieces() -> Iterator[bytes]:
        content = text.encode()
        for start in range(0, len(content), size):
            yield content[start : start + size]
        if cut:
            raise httpx.ReadError("cut")

    return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=pieces())


def watched(script: Script, after: str = "0", patience: float = 10.0) -> list[tuple[str, str]]:
    events = Fleet("http://gateway.example", patience=patience, http=script.http).watch("x", after)
    return [(event["id"], event["message"]) for event in events]


def test_goes_on_behind_the_last_event_whatever_breaks(pauses: Pauses) -> None:
    script = Script(
        httpx.ConnectError("refused"),
        stream(f": hello\n\n{message('1-0', 'a')}id: 2-0\nda", cut=True),
        stream(f": hello\n\n{message('2-0', ODD)}"),
        answer(problem(503, "storage.unavailable"), 503, **{"retry-after": "2"}),
        stream(f": hello\n\n{message('3-0', 'd')}{END}"),
    )
    assert watched(script) == [("1-0", "a"), ("2-0", ODD), ("3-0", "d")]
    assert [one.headers["last-event-id"] for one in script.asked] == ["0", "0", "1-0", "2-0", "2-0"]
    assert pauses == [0.2, 0.2, 0.2, 2.0]


def test_has_nothing_to_tell_of_a_session_that_had_ended() -> None:
    assert watched(Script(httpx.Response(204)), after="3-0") == []


def test_a_refusal_ends_it() -> None:
    with pytest.raises(ApiError, match="session.not_found"):
        watched(Script(answer(problem(404, "session.not_found"), 404)))


def test_a_greeting_alone_is_no_sign_of_life(pauses: Pauses) -> None:
    script = Script(*[stream(": hello\n\n", size=100) for _ in range(9)])
    with pytest.raises(GatewayUnreachable, match="the connection ended"):
        watched(script, patience=2.0)
    assert pauses == [0.2, 0.4, 0.8]
