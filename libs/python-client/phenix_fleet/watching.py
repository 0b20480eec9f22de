"""The events of a session over any number of connections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from .calls import session_path
from .errors import FleetError
from .exchange import Patience
from .models import Event


class EventLines:
    """Messages of a stream (Server-Sent Events) out of pieces of its text: the name of each, and its data."""

    def __init__(self) -> None:
        self._rest = ""

    def push(self, piece: str) -> Iterator[tuple[str, str]]:
        """The messages that are complete with this piece."""
        *messages, self._rest = (self._rest + piece).replace("\r\n", "\n").split("\n\n")
        for message in messages:
            fields = dict(line.split(": ", 1) for line in message.split("\n") if ": " in line and line[0] != ":")
            if "data" in fields:
                yield fields.get("event", ""), fields["data"]


class Watching:
    """Position of a reader in the events of a session; continues there when a connection was lost."""

    def __init__(self, session: str, after: str, patience: float) -> None:
        self.path = f"{session_path(session)}/events"
        self.ended = False
        """the session has, and there are no more events"""
        self._last = after
        self._patience = Patience(patience)
        self._lines = EventLines()
        self._greeted = False
        self.pause = 0.0
        """seconds before the next connection"""

    def headers(self) -> dict[str, str]:
        """Of another connection."""
        self._lines = EventLines()
        self._greeted = False
        return {"accept": "text/event-stream", "last-event-id": self._last}

    def connected(self, status: int) -> None:
        """204: the session had ended before, and all of its events are known."""
        self.ended = status == 204

    def take(self, piece: str) -> Iterator[Event]:
        """The events that are complete with this piece of the stream."""
        # Every connection begins with a greeting; whatever follows, if only a sign of life, says that the gateway is back.
        if self._greeted:
            self._patience.renew()
        self._greeted = True
        for name, data in self._lines.push(piece):
            if name == "end":
                self.ended = True
                return
            event = cast(Event, json.loads(data))
            self._last = event["id"]
            self._patience.renew()
            yield event

    def lost(self, error: FleetError) -> None:
        """A connection ended before the session did. Raises the error where the gateway has been away for too long."""
        if not self.ended:
            self.pause = self._patience.next_pause(error)
