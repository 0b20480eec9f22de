"""What a script asks of a gateway, as flows."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

from . import models
from .exchange import Flow, Request, decoded, get, json_bytes, send

T = TypeVar("T")

PART = 1000
"""Rows of a batch that are sent in one request."""
FIRST_LOOK = 0.2
LONGEST_LOOK = 3.0
"""Seconds between two looks at a batch."""


def session_path(session: str) -> str:
    return f"/v1/sessions/{quote(session, safe='')}"


def batch_path(batch: str) -> str:
    return f"/v1/batches/{quote(batch, safe='')}"


def asked(request: Request) -> Flow[Any]:
    """The JSON of an answer; what is read of it is up to the caller, for gateway and client are of one release."""
    return decoded((yield request))


def _text(request: Request) -> Flow[str]:
    return (yield request).content.decode()


def submit(submission: models.Submission, key: str | None) -> Flow[models.Session]:
    headers = {"idempotency-key": key or f"py-{uuid.uuid4().hex}"}
    return asked(send("POST", "/v1/sessions", submission, headers))


def session(session: str) -> Flow[models.Session]:
    return asked(get(session_path(session)))


def cancel(session: str) -> Flow[models.SessionHead]:
    return asked(send("POST", f"{session_path(session)}/cancel"))


def results(session: str) -> Flow[models.Results]:
    return asked(get(f"{session_path(session)}/results"))


def summary(session: str) -> Flow[str]:
    return _text(get(f"{session_path(session)}/summary", headers={"accept": "text/markdown"}))


def trace(session: str) -> Flow[models.Trace]:
    return asked(get(f"{session_path(session)}/trace"))


def replay(session: str) -> Flow[models.Replay]:
    return asked(get(f"{session_path(session)}/replay"))


def prompts(session: str, cycle: int) -> Flow[models.Prompts]:
    return asked(get(f"{session_path(session)}/cycles/{cycle}/prompts"))


def submit_batch(request: models.BatchRequest, key: str | None) -> Flow[models.Batch]:
    """Makes the batch, then sends its rows in parts: the gateway knows a row by its content and adds it once."""
    head = {name: value for name, value in request.items() if name != "rows"}
    rows = [json_bytes(row) for row in request.get("rows", [])]
    if not rows and "folder" not in request:
        raise ValueError("rows: there is none; give one at least, or a folder")
    headers = {"idempotency-key": key or _key_of(head, rows)}
    made: models.Batch = yield from asked(send("POST", "/v1/batches", head, headers))
    for start in range(0, len(rows), PART):
        complete = "true" if start + PART >= len(rows) else "false"
        path = f"{batch_path(made['id'])}/rows?complete={complete}"
        types = {"accept": "application/json", "content-type": "application/x-ndjson"}
        yield Request("POST", path, types, b"\n".join(rows[start : start + PART]) + b"\n")
    return (yield from batch(made["id"]))


def _key_of(head: Mapping[str, object], rows: Iterable[bytes]) -> str:
    """The same rows with the same settings are the same batch."""
    digest = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for row in rows:
        digest.update(b"\n" + row)
    return f"py-{digest.hexdigest()[:40]}"


def batch(batch: str) -> Flow[models.Batch]:
    return asked(get(batch_path(batch)))


def change_batch(batch: str, what: str) -> Flow[models.Batch]:
    return asked(send("POST", f"{batch_path(batch)}/{what}"))


def retry_batch(batch: str, request: models.RetryRequest) -> Flow[int]:
    retried: models.RowsRetried = yield from asked(send("POST", f"{batch_path(batch)}/retry", request))
    return retried["retried"]


def batch_csv(batch: str, query: Mapping[str, object]) -> Flow[str]:
    return _text(get(f"{batch_path(batch)}/results.csv", query, {"accept": "text/csv"}))


def statistics(query: Mapping[str, object]) -> Flow[models.Statistics]:
    return asked(get("/v1/statistics", query))


def statistics_csv(query: Mapping[str, object]) -> Flow[str]:
    return _text(get("/v1/statistics.csv", query, {"accept": "text/csv"}))


class Pages(Generic[T]):
    """A list, page by page. `member`: which member of a page holds what is listed."""

    def __init__(self, path: str, member: str, query: Mapping[str, object]) -> None:
        self._path = path
        self._member = member
        self._query = dict(query)
        self.over = False

    def next(self) -> Flow[list[T]]:
        page = yield from asked(get(self._path, self._query))
        self._query["cursor"] = page.get("nextCursor")
        self.over = self._query["cursor"] is None
        return cast("list[T]", page[self._member])


class BatchLooks:
    """A batch that is looked at again and again, seldom while nothing changes."""

    def __init__(self, batch: str) -> None:
        self._path = batch_path(batch)
        self._tag: str | None = None
        self._pause = 0.0
        self.over = False

    def next(self) -> Flow[models.Batch]:
        """The batch as soon as it differs from what was seen last."""
        while True:
            headers = {} if self._tag is None else {"if-none-match": self._tag}
            answer = yield replace(get(self._path, headers=headers), after=self._pause)
            if answer.status == 304:
                self._pause = min(self._pause * 1.5, LONGEST_LOOK)
                continue
            seen: models.Batch = decoded(answer)
            self._tag = answer.headers.get("etag")
            self._pause = FIRST_LOOK
            self.over = seen["done"]
            return seen
