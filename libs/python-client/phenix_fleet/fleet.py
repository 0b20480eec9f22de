"""The client for scripts that do one thing after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import httpx
from typing_extensions import Self, Unpack

from . import calls
from .connection import TIMEOUT, answer_of, connection_of
from .errors import Refusal
from .exchange import Flow, get, patiently, refusal, send
from .models import (
    Batch,
    BatchesListQuery,
    BatchResult,
    BatchResultsCsvQuery,
    BatchResultsResultsQuery,
    BatchResultsRowsQuery,
    BatchRow,
    BatchRequest,
    Event,
    Prompts,
    Replay,
    Results,
    RetryRequest,
    Session,
    SessionHead,
    SessionRow,
    SessionsListQuery,
    Statistics,
    StatisticsCsvQuery,
    StatisticsStatisticsQuery,
    Submission,
    Trace,
)
from .watching import Watching

T = TypeVar("T")


class Fleet:
    """A gateway. Close it, or use it in a `with`.

    server: its URL; else PHX_SERVER, else this machine at port 8080.
    key: an API key or an access token; else FLEET_API_KEY; none where there is neither.
    patience: seconds for which a gateway is waited for that is away, or asked too often.
    http: a client of httpx, for certificates and proxies of your own; it stays yours.

    Every method raises ApiError where the gateway says no, and GatewayUnreachable where it stays away for longer than that.
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

    def submit(self, *, key: str | None = None, **submission: Unpack[Submission]) -> Session:
        """Starts a session. With a key of yours (`Idempotency-Key`) it is the same session however often it is sent."""
        return self._run(calls.submit(submission, key))

    def session(self, session: str) -> Session:
        """A session with its cycles, by its id, the beginning of it or its title."""
        return self._run(calls.session(session))

    def sessions(self, **query: Unpack[SessionsListQuery]) -> Iterator[SessionRow]:
        """The sessions that you see, newest first."""
        return self._items(calls.Pages("/v1/sessions", "sessions", query))

    def cancel(self, session: str) -> SessionHead:
        """Cancels a session; it is `cancelling` until all that it started has stopped."""
        return self._run(calls.cancel(session))

    def watch(self, session: str, after: str = "0") -> Iterator[Event]:
        """The events of a session until it has ended, each once, whatever connections break.

        after: the id of the last one that is known.
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

    def wait(self, session: str) -> Session:
        """The session once it has ended."""
        for _ in self.watch(session):
            pass
        return self.session(session)

    def results(self, session: str) -> Results:
        """Best files, last metrics and every output file, with the URLs to download them."""
        return self._run(calls.results(session))

    def summary(self, session: str) -> str:
        """The session in words, as Markdown."""
        return self._run(calls.summary(session))

    def trace(self, session: str) -> Trace:
        """Every operation with its times, and what its requests to models have used."""
        return self._run(calls.trace(session))

    def replay(self, session: str) -> Replay:
        """The decisions of a session, made again under the gateway's knowledge."""
        return self._run(calls.replay(session))

    def prompts(self, session: str, cycle: int) -> Prompts:
        """What models were asked in a cycle, and what they replied."""
        return self._run(calls.prompts(session, cycle))

    def download(self, href: str, to: str | Path) -> Path:
        """Fetches a file by its URL in `results`. It is there whole or not at all."""
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

    def submit_batch(self, *, key: str | None = None, **request: Unpack[BatchRequest]) -> Batch:
        """Submits many datasets: `rows` are dicts with the members of a submission, and `variables`.

        The same rows with the same settings are the same batch, so that a script that broke off continues when it is started
        again; with a key of yours that key decides.
        """
        return self._run(calls.submit_batch(request, key))

    def batch(self, batch: str) -> Batch:
        """A batch, and how far it is."""
        return self._run(calls.batch(batch))

    def batches(self, **query: Unpack[BatchesListQuery]) -> Iterator[Batch]:
        """The batches that you see, newest first."""
        return self._items(calls.Pages("/v1/batches", "batches", query))

    def watch_batch(self, batch: str) -> Iterator[Batch]:
        """The batch at each of its changes, until all of its sessions have ended."""
        looks = calls.BatchLooks(batch)
        while not looks.over:
            yield self._run(looks.next())

    def wait_batch(self, batch: str) -> Batch:
        """The batch once all of its sessions have ended."""
        looks = calls.BatchLooks(batch)
        while True:
            seen = self._run(looks.next())
            if looks.over:
                return seen

    def rows(self, batch: str, **query: Unpack[BatchResultsRowsQuery]) -> Iterator[BatchRow]:
        """The outcome of each row: accepted, or rejected with `problems`."""
        return self._items(calls.Pages(f"{calls.batch_path(batch)}/rows", "rows", query))

    def batch_results(self, batch: str, **query: Unpack[BatchResultsResultsQuery]) -> Iterator[BatchResult]:
        """What each row has brought so far; `sort="fit"`: the best first."""
        return self._items(calls.Pages(f"{calls.batch_path(batch)}/results", "results", query))

    def batch_csv(self, batch: str, **query: Unpack[BatchResultsCsvQuery]) -> str:
        """The results of all rows as a table for spreadsheets."""
        return self._run(calls.batch_csv(batch, query))

    def retry_batch(self, batch: str, **request: Unpack[RetryRequest]) -> int:
        """Runs rows again that were rejected or failed, or those of `of`, each as a new session; says how many."""
        return self._run(calls.retry_batch(batch, request))

    def pause_batch(self, batch: str) -> Batch:
        """Starts no more rows; sessions that were started continue."""
        return self._run(calls.change_batch(batch, "pause"))

    def resume_batch(self, batch: str) -> Batch:
        """Continues with a paused batch."""
        return self._run(calls.change_batch(batch, "resume"))

    def cancel_batch(self, batch: str) -> Batch:
        """Cancels a batch and all of its sessions."""
        return self._run(calls.change_batch(batch, "cancel"))

    def statistics(self, **query: Unpack[StatisticsStatisticsQuery]) -> Statistics:
        """Outcomes, times and hours of the sessions that you see; `by="beamline"`: by what they have in common."""
        return self._run(calls.statistics(query))

    def statistics_csv(self, **query: Unpack[StatisticsCsvQuery]) -> str:
        """The same as a table for spreadsheets; times are in seconds."""
        return self._run(calls.statistics_csv(query))

    def get(self, path: str, **query: object) -> Any:
        """The JSON of any path that is read (docs/api.md), such as `fleet.get("/v1/programs")`."""
        return self._run(calls.asked(get(path, query)))

    def send(self, method: str, path: str, body: object = None, *, headers: Mapping[str, str] | None = None) -> Any:
        """The JSON answer to any request that changes something. It may be sent more than once."""
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
