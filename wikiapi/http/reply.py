"""Replies, and the headers that every one of them carries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import quote

from wikiapi.http.errors import Refused

Header = tuple[str, str]

_SAFE = "!#$%&'()*+,/:;=?@[]~"
METHODS = "GET, HEAD, POST, OPTIONS"
SECURITY_HEADERS: tuple[Header, ...] = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Disposition", "inline; filename=api-result.txt"),
    (
        "Content-Security-Policy",
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
)
"""Against sniffing, framing, leaking addresses, and names for saved replies (``x.bat``)."""


@dataclass(slots=True)
class Reply:
    """What goes back to the client; ``body`` is sent unless the request was HEAD.

    Where there are ``pieces`` they are the body, and its length is not known before it is sent.
    ``length`` is that of a body which is not here.
    """

    status: int
    headers: list[Header]
    body: bytes = b""
    pieces: Iterator[bytes] | None = None
    length: int | None = None

    @property
    def status_line(self) -> str:
        """Status and phrase as WSGI wants them."""
        return _STATUS_LINES.get(self.status) or f"{self.status} Unknown"


@dataclass(frozen=True, slots=True)
class Page:
    """A short page of the server itself: nothing of the request is repeated on it."""

    status: int
    text: str
    headers: tuple[Header, ...] = field(default=())

    def reply(self) -> Reply:
        """Return the page as plain text that must not be cached."""
        headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Cache-Control", "private, no-store"),
            *self.headers,
        ]
        return Reply(self.status, protect(headers), f"{self.text}\n".encode())


def protect(headers: Iterable[Header]) -> list[Header]:
    """Return headers with the security headers added, unless a format has set its own."""
    protected = list(headers)
    names = {name for name, _ in protected}
    protected += (header for header in SECURITY_HEADERS if header[0] not in names)
    return protected


def refusal(refused: Refused) -> Reply:
    """Return the reply to a refused request."""
    return Page(refused.status, refused.text, refused.headers).reply()


def redirect(location: str, text: str, status: int = 301) -> Reply:
    """Send the client to another path on this server; one character stands for each byte."""
    encoded = quote(location, safe=_SAFE, encoding="latin-1", errors="replace")
    return Page(status, text, (("Location", local(encoded)),)).reply()


def local(location: str) -> str:
    """Return an address on this server: ``//host`` becomes ``/host``."""
    return re.sub(r"\A/[/\\]+", "/", location)


_STATUS_LINES = {int(status): f"{status.value} {status.phrase}" for status in HTTPStatus}
