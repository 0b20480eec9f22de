"""Asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
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


class AsyncFleet:
    """A gateway, like `Fleet`, for asyncio: methods are awaited, and lists are read with `async for`."""

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

    async def submit(self, *, key: str | None = None, **submission: Unpack[models.Submission]) -> models.Session:
        """Starts a session. Repeated calls with the same `key` (`Idempotency-Key`) return the same session."""
        return await self._run(calls.submit(submission, key))

    async def session(self, session: str) -> models.Session:
        """Returns a session with its cycles, by id, first characters of the id, or title."""
        return await self._run(calls.session(session))

    def sessions(self, **query: Unpack[models.SessionsListQuery]) -> AsyncIterator[models.SessionRow]:
        """Yields the visible sessions, newest first."""
        return self._items(calls.Pages("/v1/sessions", "sessions", query))

    async def cancel(self, session: str) -> models.SessionHead:
        """Cancels a session; it is `cancelling` until everything it started has stopped."""
        return await self._run(calls.cancel(session))

    async def watch(self, session: str, after: str = "0") -> AsyncIterator[models.Event]:
        """Yields the events of a session until it ends, each once, also after lost connections.

        after: id of the last known event.
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

    async def wait(self, session: str) -> models.Session:
        """Waits for the end of a session and returns it."""
        async for _ in self.watch(session):
            pass
        return await self.session(session)

    async def results(self, session: str) -> models.Results:
        """Returns best files, last metrics and every output file, with download URLs."""
        return await self._run(calls.results(session))

    async def summary(self, session: str) -> str:
        """Returns the summary of a session as Markdown."""
        return await self._run(calls.summary(session))

    async def trace(self, session: str) -> models.Trace:
        """Returns every operation with its times, and the usage of model requests."""
        return await self._run(calls.trace(session))

    async def replay(self, session: str) -> models.Replay:
        """Replays the decisions of a session with the gateway's knowledge."""
        return await self._run(calls.replay(session))

    async def prompts(self, session: str, cycle: int) -> models.Prompts:
        """Returns prompts and replies of language models in a cycle."""
        return await self._run(calls.prompts(session, cycle))

    async def download(self, href: str, to: str | Path) -> Path:
        """Downloads a file by its URL in `results`; leaves no partial file."""
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

    async def submit_batch(self, *, key: str | None = None, **request: Unpack[models.BatchRequest]) -> models.Batch:
        """Submits many datasets: `rows` are dicts with the fields of a submission, and `variables`.

        The same rows with the same settings are the same batch, so an interrupted script continues when it is repeated. A `key`
        replaces this rule.
        """
        return await self._run(calls.submit_batch(request, key))

    async def batch(self, batch: str) -> models.Batch:
        """Returns a batch and its progress."""
        return await self._run(calls.batch(batch))

    def batches(self, **query: Unpack[models.BatchesListQuery]) -> AsyncIterator[models.Batch]:
        """Yields the visible batches, newest first."""
        return self._items(calls.Pages("/v1/batches", "batches", query))

    async def watch_batch(self, batch: str) -> AsyncIterator[models.Batch]:
        """Yields the batch at each change, until all its sessions have ended."""
        looks = calls.BatchLooks(batch)
        while not looks.over:
            yield await self._run(looks.next())

    async def wait_batch(self, batch: str) -> models.Batch:
        """Waits until all sessions of a batch have ended and returns the batch."""
        looks = calls.BatchLooks(batch)
        while True:
            seen = await self._run(looks.next())
            if looks.over:
                return seen

    def rows(self, batch: str, **query: Unpack[models.BatchResultsRowsQuery]) -> AsyncIterator[models.BatchRow]:
        """Yields the rows with their states; rejected rows have `problems`."""
        return self._items(calls.Pages(f"{calls.batch_path(batch)}/rows", "rows", query))

    def batch_results(self, batch: str, **query: Unpack[models.BatchResultsResultsQuery]) -> AsyncIterator[models.BatchResult]:
        """Yields the results of each row so far; `sort="fit"`: best first."""
        return self._items(calls.Pages(f"{calls.batch_path(batch)}/results", "results", query))

    async def batch_csv(self, batch: str, **query: Unpack[models.BatchResultsCsvQuery]) -> str:
        """Returns the results of all rows as CSV."""
        return await self._run(calls.batch_csv(batch, query))

    async def retry_batch(self, batch: str, **request: Unpack[models.RetryRequest]) -> int:
        """Reruns rejected and failed rows, or those of `of`, each as a new session; returns how many."""
        return await self._run(calls.retry_batch(batch, request))

    async def pause_batch(self, batch: str) -> models.Batch:
        """Pauses a batch: no further rows start; running sessions continue."""
        return await self._run(calls.change_batch(batch, "pause"))

    async def resume_batch(self, batch: str) -> models.Batch:
        """Resumes a paused batch."""
        return await self._run(calls.change_batch(batch, "resume"))

    async def cancel_batch(self, batch: str) -> models.Batch:
        """Cancels a batch and all of its sessions."""
        return await self._run(calls.change_batch(batch, "cancel"))

    async def statistics(self, **query: Unpack[models.StatisticsStatisticsQuery]) -> models.Statistics:
        """Returns outcomes, times and hours of the visible sessions, grouped by `by`."""
        return await self._run(calls.statistics(query))

    async def statistics_csv(self, **query: Unpack[models.StatisticsCsvQuery]) -> str:
        """Returns the statistics as CSV; times are in seconds."""
        return await self._run(calls.statistics_csv(query))

    async def get(self, path: str, **query: object) -> Any:
        """Returns the JSON of any GET route (docs/api.md), such as `fleet.get("/v1/programs")`."""
        return await self._run(calls.asked(get(path, query)))

    async def send(self, method: str, path: str, body: object = None, *, headers: Mapping[str, str] | None = None) -> Any:
        """Sends any other request and returns its JSON response. It may be sent more than once."""
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
