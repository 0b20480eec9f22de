"""The client for programs that do many things at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
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


class AsyncFleet:
    """A gateway, as `Fleet` is, for asyncio: its methods are awaited, and what they list is read with `async for`."""

    def __init__(
        self,
        server: str | None = None,
        key: str | None = None,
        *,
        patience: float = 120.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._connection = connection_of(server, key)
        self._patience = patience
        self._own = http is None
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        if self._own:
            await self._http.aclose()

    async def submit(self, *, key: str | None = None, **submission: Unpack[Submission]) -> Session:
        """Starts a session. With a key of yours (`Idempotency-Key`) it is the same session however often it is sent."""
        return await self._run(calls.submit(submission, key))

    async def session(self, session: str) -> Session:
        """A session with its cycles, by its id, the beginning of it or its title."""
        return await self._run(calls.session(session))

    def sessions(self, **query: Unpack[SessionsListQuery]) -> AsyncIterator[SessionRow]:
        """The sessions that you see, newest first."""
        return self._items(calls.Pages("/v1/sessions", "sessions", query))

    async def cancel(self, session: str) -> SessionHead:
        """Cancels a session; it is `cancelling` until all that it started has stopped."""
        return await self._run(calls.cancel(session))

    async def watch(self, session: str, after: str = "0") -> AsyncIterator[Event]:
        """The events of a session until it has ended, each once, whatever connections break.

        after: the id of the last one that is known.
        """
        watching = Watching(session, after, self._patience)
        while not watching.ended:
            await asyncio.sleep(watching.pause)
            try:
                async with self._stream(watching.path, watching.headers()) as response:
                    watching.connected(response.status_code)
                    async for piece in response.aiter_text():
                        for event in watching.take(piece):
                            yield event
                watching.lost(self._connection.lost())
            except Refusal as refused:
                watching.lost(refused)
            except httpx.TransportError as error:
                watching.lost(self._connection.lost(error))

    async def wait(self, session: str) -> Session:
        """The session once it has ended."""
        async for _ in self.watch(session):
            pass
        return await self.session(session)

    async def results(self, session: str) -> Results:
        """Best files, last metrics and every output file, with the URLs to download them."""
        return await self._run(calls.results(session))

    async def summary(self, session: str) -> str:
        """The session in words, as Markdown."""
        return await self._run(calls.summary(session))

    async def trace(self, session: str) -> Trace:
        """Every operation with its times, and what its requests to models have used."""
        return await self._run(calls.trace(session))

    async def replay(self, session: str) -> Replay:
        """The decisions of a session, made again under the gateway's knowledge."""
        return await self._run(calls.replay(session))

    async def prompts(self, session: str, cycle: int) -> Prompts:
        """What models were asked in a cycle, and what they replied."""
        return await self._run(calls.prompts(session, cycle))

    async def download(self, href: str, to: str | Path) -> Path:
        """Fetches a file by its URL in `results`. It is there whole or not at all."""
        target = Path(to)
        part = target.with_name(f"{target.name}.part")
        try:
            async with self._stream(href, {}) as response:
                with part.open("wb") as file:
                    async for piece in response.aiter_bytes():
                        file.write(piece)
            return part.replace(target)
        except httpx.TransportError as error:
            raise self._connection.lost(error) from error
        finally:
            part.unlink(missing_ok=True)

    async def submit_batch(self, *, key: str | None = None, **request: Unpack[BatchRequest]) -> Batch:
        """Submits many datasets: `rows` are dicts with the members of a submission, and `variables`.

        The same rows with the same settings are the same batch, so that a script that broke off continues when it is started
        again; with a key of yours that key decides.
        """
        return await self._run(calls.submit_batch(request, key))

    async def batch(self, batch: str) -> Batch:
        """A batch, and how far it is."""
        return await self._run(calls.batch(batch))

    def batches(self, **query: Unpack[BatchesListQuery]) -> AsyncIterator[Batch]:
        """The batches that you see, newest first."""
        return self._items(calls.Pages("/v1/batches", "batches", query))

    async def watch_batch(self, batch: str) -> AsyncIterator[Batch]:
        """The batch at each of its changes, until all of its sessions have ended."""
        looks = calls.BatchLooks(batch)
        while not looks.over:
            yield await self._run(looks.next())

    async def wait_batch(self, batch: str) -> Batch:
        """The batch once all of its sessions have ended."""
        looks = calls.BatchLooks(batch)
        while True:
            seen = await self._run(looks.next())
            if looks.over:
                return seen

    def rows(self, batch: str, **query: Unpack[BatchResultsRowsQuery]) -> AsyncIterator[BatchRow]:
        """The outcome of each row: accepted, or rejected with `problems`."""
        return self._items(calls.Pages(f"{calls.batch_path(batch)}/rows", "rows", query))

    def batch_results(self, batch: str, **query: Unpack[BatchResultsResultsQuery]) -> AsyncIterator[BatchResult]:
        """What each row has brought so far; `sort="fit"`: the best first."""
        return self._items(calls.Pages(f"{calls.batch_path(batch)}/results", "results", query))

    async def batch_csv(self, batch: str, **query: Unpack[BatchResultsCsvQuery]) -> str:
        """The results of all rows as a table for spreadsheets."""
        return await self._run(calls.batch_csv(batch, query))

    async def retry_batch(self, batch: str, **request: Unpack[RetryRequest]) -> int:
        """Runs rows again that were rejected or failed, or those of `of`, each as a new session; says how many."""
        return await self._run(calls.retry_batch(batch, request))

    async def pause_batch(self, batch: str) -> Batch:
        """Starts no more rows; sessions that were started continue."""
        return await self._run(calls.change_batch(batch, "pause"))

    async def resume_batch(self, batch: str) -> Batch:
        """Continues with a paused batch."""
        return await self._run(calls.change_batch(batch, "resume"))

    async def cancel_batch(self, batch: str) -> Batch:
        """Cancels a batch and all of its sessions."""
        return await self._run(calls.change_batch(batch, "cancel"))

    async def statistics(self, **query: Unpack[StatisticsStatisticsQuery]) -> Statistics:
        """Outcomes, times and hours of the sessions that you see; `by="beamline"`: by what they have in common."""
        return await self._run(calls.statistics(query))

    async def statistics_csv(self, **query: Unpack[StatisticsCsvQuery]) -> str:
        """The same as a table for spreadsheets; times are in seconds."""
        return await self._run(calls.statistics_csv(query))

    async def get(self, path: str, **query: object) -> Any:
        """The JSON of any path that is read (docs/api.md), such as `fleet.get("/v1/programs")`."""
        return await self._run(calls.asked(get(path, query)))

    async def send(self, method: str, path: str, body: object = None, *, headers: Mapping[str, str] | None = None) -> Any:
        """The JSON answer to any request that changes something. It may be sent more than once."""
        return await self._run(calls.asked(send(method, path, body, headers)))

    async def _items(self, pages: calls.Pages[T]) -> AsyncIterator[T]:
        while not pages.over:
            for item in await self._run(pages.next()):
                yield item

    @asynccontextmanager
    async def _stream(self, path: str, headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        async with self._http.stream("GET", self._connection.url(path), headers=self._connection.headers(headers)) as response:
            if response.status_code >= 300:
                await response.aread()
                raise refusal(answer_of(response))
            yield response

    async def _run(self, flow: Flow[T]) -> T:
        patient = patiently(flow, self._patience)
        try:
            request = next(patient)
            while True:
                await asyncio.sleep(request.after)
                try:
                    response = await self._http.send(self._connection.request(self._http, request))
                except httpx.TransportError as error:
                    request = patient.throw(self._connection.lost(error))
                else:
                    request = patient.send(answer_of(response))
        except StopIteration as end:
            result: T = end.value
            return result
