"""URL of the gateway, and headers of every request."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from .errors import GatewayUnreachable
from .exchange import Answer, Request

LOCAL = "http://127.0.0.1:8080"

TIMEOUT = httpx.Timeout(60.0, connect=10.0)
"""Seconds. An event stream sends data more often."""


@dataclass(frozen=True, repr=False)
class Connection:
    """The connection to a gateway."""

    base: str
    key: str

    def request(self, http: httpx.Client | httpx.AsyncClient, request: Request) -> httpx.Request:
        headers = self.headers(request.headers)
        return http.build_request(request.method, self.url(request.path), headers=headers, content=request.content)

    def url(self, path: str) -> str:
        """A path in the server's URL is the prefix of a proxy; links of the gateway are relative to it."""
        return f"{self.base}{path}"

    def headers(self, own: Mapping[str, str]) -> dict[str, str]:
        return dict(own) if self.key == "" else {**own, "authorization": f"Bearer {self.key}"}

    def lost(self, error: httpx.TransportError | None = None) -> GatewayUnreachable:
        """`error`: None if the connection was closed normally, but too early."""
        reason = "the connection ended" if error is None else str(error) or type(error).__name__
        lost = GatewayUnreachable(f"The gateway at {self.base} cannot be reached: {reason}.")
        lost.__cause__ = error
        return lost


def connection_of(server: str | None, key: str | None) -> Connection:
    """What is given, else PHX_SERVER (else this machine) and FLEET_API_KEY (else no key).

    Raises ValueError for an invalid URL or key.
    """
    address = server or os.environ.get("PHX_SERVER") or LOCAL
    if not re.match(r"https?://[^/]", address):
        raise ValueError(f'server: "{address}" is not a URL of a gateway; it begins with http:// or https://')
    text = key or os.environ.get("FLEET_API_KEY") or ""
    # The text itself is not shown: it may be a key with something around it.
    if not re.fullmatch(r"[\x21-\x7e]*", text):
        raise ValueError("key: this is not a key or a token, which is one word of visible ASCII characters")
    return Connection(address.rstrip("/"), text)


def answer_of(response: httpx.Response) -> Answer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status_code, headers, response.content)
