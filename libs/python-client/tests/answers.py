"""A gateway that answers as it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx

Reply = httpx.Response | Exception


def answer(body: object, status: int = 200, **headers: str) -> httpx.Response:
    return httpx.Response(status, headers=headers, content=json.dumps(body))


def problem(status: int, code: str, **more: object) -> dict[str, object]:
    said = {"type": "", "title": "No", "detail": "It cannot be.", "instance": "/"}
    return {**said, "status": status, "code": code, "requestId": "shift-7", **more}


class Script:
    """Gives one reply after the other, and keeps what it was asked."""

    def __init__(self, *replies: Reply) -> None:
        self._replies: Iterator[Reply] = iter(replies)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        reply = next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    @property
    def http(self) -> httpx.Client:
        return httpx.Client(transport=httpx.MockTransport(self))


class Pauses(list[float]):
    """In place of a sleep: what was slept."""

    def __call__(self, seconds: float) -> None:
        if seconds > 0:
            self.append(round(seconds, 3))
