"""Requests and answers as values, so that the sync and the async client share all that decides.

A *flow* is a generator that yields requests and is sent their answers; what it returns is the result. Its runner waits for
`Request.after`, sends the request, and throws GatewayUnreachable into the flow where no answer arrives.
"""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, TypeAlias, TypeVar, cast
from urllib.parse import urlencode

from .errors import ApiError, FleetError, GatewayUnreachable, NotAGateway, Refusal
from .models import Problem

T = TypeVar("T")

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 3.0
BUSY = frozenset({429, 502, 503, 504})
"""The gateway or its proxy is busy. It did nothing, or the result is unknown."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    """path of the URL, with its query"""
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    after: float = 0.0
    """seconds to wait before sending it"""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    """headers, with names in lower case"""
    content: bytes


Flow: TypeAlias = Generator[Request, Answer, T]


def get(path: str, query: Mapping[str, object] | None = None, headers: Mapping[str, str] | None = None) -> Request:
    """A request for a URL."""
    full = f"{path}?{urlencode(query)}" if query else path
    return Request("GET", full, {"accept": "application/json", **(headers or {})})


def send(method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Request:
    """A request with an optional JSON body."""
    accepted = {"accept": "application/json", **(headers or {})}
    if body is None:
        return Request(method, path, accepted)
    return Request(method, path, {"content-type": "application/json", **accepted}, json_bytes(body))


def json_bytes(body: object) -> bytes:
    """Raises ValueError for values that JSON cannot represent, such as NaN, and TypeError for other objects."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


class Patience:
    """Limit of retries while the gateway is unreachable or busy: total seconds of pauses."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.renew()

    def renew(self) -> None:
        """Resets the limit when the gateway is back."""
        self._left = self._seconds
        self._pause = FIRST_PAUSE

    def next_pause(self, error: FleetError) -> float:
        """Seconds to wait as the gateway requires. Raises the error if that is too long, or if waiting cannot help."""
        if isinstance(error, Refusal) and error.status not in BUSY:
            raise error
        asked = error.retry_after if isinstance(error, Refusal) else None
        pause = self._pause if asked is None else max(FIRST_PAUSE, asked)
        if pause > self._left:
            raise error
        self._left -= pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        return pause


def patiently(flow: Flow[T], seconds: float) -> Flow[T]:
    """A flow that repeats requests while the gateway is unreachable or busy; all requests of this package are safe to repeat."""
    try:
        request = next(flow)
        while True:
            answer = yield from _success(request, Patience(seconds))
            request = flow.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result


def _success(request: Request, patience: Patience) -> Flow[Answer]:
    error: FleetError
    while True:
        try:
            answer = yield request
            if answer.status < 300 or answer.status == 304:
                return answer
            error = refusal(answer)
        except GatewayUnreachable as lost:
            error = lost
        request = replace(request, after=patience.next_pause(error))


def decoded(answer: Answer) -> Any:
    """Returns the JSON of the response."""
    try:
        return json.loads(answer.content)
    except ValueError as error:
        raise _not_a_gateway(answer) from error


def refusal(answer: Answer) -> Refusal:
    """Returns the error of a response."""
    try:
        problem = json.loads(answer.content)
    except ValueError:
        return _not_a_gateway(answer)
    if isinstance(problem, dict) and {"code", "title", "detail"} <= problem.keys():
        return ApiError(cast(Problem, problem), answer.status, _retry_after(answer))
    return _not_a_gateway(answer)


def _not_a_gateway(answer: Answer) -> NotAGateway:
    message = f"The server answered {answer.status}, but not as a phenix-fleet gateway does."
    return NotAGateway(message, answer.status, _retry_after(answer))


def _retry_after(answer: Answer) -> float | None:
    """Seconds of a Retry-After header with seconds or a date (RFC 9110, 10.2.3)."""
    header = answer.headers.get("retry-after", "")
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return None
    zoned = until if until.tzinfo is not None else until.replace(tzinfo=timezone.utc)
    return max(0.0, math.ceil((zoned - datetime.now(timezone.utc)).total_seconds()))
