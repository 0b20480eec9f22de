"""Synchronous client."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import httpx
from typing_extensions import Self, Unpack

from . import calls, models
from .connection import TIMEOUT, answer_of, connection_of
from .errors import Refusal
from .exchange import Flow, get, patiently, refusal, send
from .watching import Watching

T = TypeVar("T")


class Fleet:
    """A gateway. Close it, or use it in a `with` statement.

    server: URL of the gateway; default: PHX_SERVER, otherwise http://127.0.0.1:8080.
    key: an API key or an access token; default: FLEET_API_KEY, otherwise none.
    patience: seconds to wait for a gateway that is unreachable, busy or limits requests.
    http: your own httpx client, for certificates and proxies; `close` leaves it open.

    Every method raises ApiError for a refusal, and GatewayUnreachable if the gateway does not answer within `patience`.
    """

    def __init__(
        self,
        server: str | None = None,
        key: str | None = None,
        *,
        patience: float = 120.0,
        http: httpx.Client | None = None,
    ) -> None:
        self._connection = connection_of(server, key)
        self._patience = patience
        self._own = http is None
        self._http = http or httpx.Client(timeout=TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        if self._own:
            self._http.close()

    def submit(self, *, key: str | None = None, **submission: Unpack[models.Submission]) -> models.Session:
        """Starts a session. Repeated calls with the same `key` (`Idempotency-Key`) return the same session."""
        return self._run(calls.submit(submission, key))

    def session(self, session: str) -> models.Session:
        """Returns a session with its cycles, by id, first characters of the id, or title."""
        return self._run(calls.session(session))

    def sessions(self, **query: Unpack[models.SessionsListQuery]) -> Iterator[models.SessionRow]:
        """Yields the visible sessions, newest first."""
        return self._items(calls.Pages("/v1/sessions", "sessions", query))

    def cancel(self, session: str) -> models.SessionHead:
        """Cancels a session; it is `cancelling` until everything it started has stopped."""
        return self._run(calls.cancel(session))

    def watch(self, session: str, after: str = "0") -> Iterator[models.Event]:
        """Yields the events of a session until it ends, each once, also after lost connections.

        after: id of the last known event.
        """
        watching = Watching(session, after, self._patience)
        while not watching.ended:
            time.sleep(watching.pause)
            try:
                with self._stream(watching.path, watching.headers()) as response:
                    watching.connected(response.status_code)
                    for piece in response.iter_text():
                        yield from watching.take(piece)
                watching.lost(self._connection.lost())
            except Refusal as refused:
                watching.lost(refused)
            except httpx.TransportError as error:
                watching.lost(self._connection.lost(error))

    def wait(self, session: str) -> models.Session:
        """Waits for the end of a session and returns it."""
        for _ in self.watch(session):
            pass
        return self.session(session)

    def results(self, session: str) -> models.Results:
        """Returns best files, last metrics and every output file, with download URLs."""
        return self._run(calls.results(session))

    def summary(self, session: str) -> str:
        """Returns the summary of a session as Markdown."""
        return self._run(calls.summary(session))

    def trace(self, session: str) -> models.Trace:
        """Returns every operation with its times, and the usage of model requests."""
        return self._run(calls.trace(session))

    def replay(self, session: str) -> models.Replay:
        """Replays the decisions of a session with the gateway's knowledge."""
        return self._run(calls.replay(session))

    def prompts(self, session: str, cycle: int) -> models.Prompts:
        """Returns prompts and replies of language models in a cycle."""
        return self._run(calls.prompts(session, cycle))

    def download(self, href: str, to: str | Path) -> Path:
        """Downloads a file by its URL in `results`; leaves no partial file."""
        target = Path(to)
        part = target.with_name(f"{target.name}.part")
        try:
            with self._stream(href, {}) as response, part.open("wb") as file:
                for piece in response.iter_bytes():
                    file.write(piece)
            return part.replace(target)
        except httpx.TransportError as error:
            raise self._connection.lost(error) from error
        finally:
            part.unlink(missing_ok=True)

    def submit_batch(self, *, key: str | None = None, **request: Unpack[models.BatchRequest]) -> models.Batch:
        """Submits many datasets: `rows` are dicts with the fields of a submission, and `variables`.

        The same rows with the same settings are the same batch, so an interrupted script continues when it is repeated. A `key`
        replaces this rule.
        """
        return self._run(calls.submit_batch(request, key))

    def batch(self, batch: str) -> models.Batch:
        """Returns a batch and its progress."""
        return self._run(calls.batch(batch))

    def batches(self, **query: Unpack[models.BatchesListQuery]) -> Iterator[models.Batch]:
        """Yields the visible batches, newest first."""
        return self._items(calls.Pages("/v1/batches", "batches", query))

    def watch_batch(self, batch: str) -> Iterator[models.Batch]:
        """Yields the batch at each change, until all its sessions have ended."""
        looks = calls.BatchLooks(batch)
        while not looks.over:
            yield self._run(looks.next())

    def wait_batch(self, batch: str) -> models.Batch:
        """Waits until all sessions of a batch have ended and returns the batch."""
        looks = calls.BatchLooks(batch)
        while True:
            seen = self._run(looks.next())
            if looks.over:
                return seen

    def rows(self, batch: str, **query: Unpack[models.BatchResultsRowsQuery]) -> Iterator[models.BatchRow]:
        """Yields the rows with their states; rejected rows have `problems`."""
        return self._items(calls.Pages(f"{calls.batch_path(batch)}/rows", "rows", query))

    def batch_results(self, batch: str, **query: Unpack[models.BatchResultsResultsQuery]) -> Iterator[models.BatchResult]:
        """Yields the results of each row so far; `sort="fit"`: best first."""
        return self._items(calls.Pages(f"{calls.batch_path(batch)}/results", "results", query))

    def batch_csv(self, batch: str, **query: Unpack[models.BatchResultsCsvQuery]) -> str:
        """Returns the results of all rows as CSV."""
        return self._run(calls.batch_csv(batch, query))

    def retry_batch(self, batch: str, **request: Unpack[models.RetryRequest]) -> int:
        """Reruns rejected and failed rows, or those of `of`, each as a new session; returns how many."""
        return self._run(calls.retry_batch(batch, request))

    def pause_batch(self, batch: str) -> models.Batch:
        """Pauses a batch: no further rows start; running sessions continue."""
        return self._run(calls.change_batch(batch, "pause"))

    def resume_batch(self, batch: str) -> models.Batch:
        """Resumes a paused batch."""
        return self._run(calls.change_batch(batch, "resume"))

    def cancel_batch(self, batch: str) -> models.Batch:
        """Cancels a batch and all of its sessions."""
        return self._run(calls.change_batch(batch, "cancel"))

    def statistics(self, **query: Unpack[models.StatisticsStatisticsQuery]) -> models.Statistics:
        """Returns outcomes, times and hours of the visible sessions, grouped by `by`."""
        return self._run(calls.statistics(query))

    def statistics_csv(self, **query: Unpack[models.StatisticsCsvQuery]) -> str:
        """Returns the statistics as CSV; times are in seconds."""
        return self._run(calls.statistics_csv(query))

    def get(self, path: str, **query: object) -> Any:
        """Returns the JSON of any GET route (docs/api.md), such as `fleet.get("/v1/programs")`."""
        return self._run(calls.asked(get(path, query)))

    def send(self, method: str, path: str, body: object = None, *, headers: Mapping[str, str] | None = None) -> Any:
        """Sends any other request and returns its JSON response. It may be sent more than once."""
        return self._run(calls.asked(send(method, path, body, headers)))

    def _items(self, pages: calls.Pages[T]) -> Iterator[T]:
        while not pages.over:
            yield from self._run(pages.next())

    @contextmanager
    def _stream(self, path: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        with self._http.stream("GET", self._connection.url(path), headers=self._connection.headers(headers)) as response:
            if response.status_code >= 300:
                response.read()
                raise refusal(answer_of(response))
            yield response

    def _run(self, flow: Flow[T]) -> T:
        patient = patiently(flow, self._patience)
        try:
            request = next(patient)
            while True:
                time.sleep(request.after)
                try:
                    response = self._http.send(self._connection.request(self._http, request))
                except httpx.TransportError as error:
                    request = patient.throw(self._connection.lost(error))
                else:
                    request = patient.send(answer_of(response))
        except StopIteration as end:
            result: T = end.value
            return result
