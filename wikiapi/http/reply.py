"""HTTP replies, and the security headers that all of them have."""

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
"""Headers against content sniffing, framing, leaking URLs, and unsafe file names (``x.bat``)."""


@dataclass(slots=True)
class Reply:
    """A reply to the client; ``body`` is not sent for HEAD requests.

    If there are ``pieces``, they are the body, whose length is not known before it is sent.
    ``length`` is the length of a body that is not included, if known.
    """

    status: int
    headers: list[Header]
    body: bytes = b""
    pieces: Iterator[bytes] | None = None
    length: int | None = None

    @property
    def status_line(self) -> str:
        """The status and its phrase in the form of WSGI."""
        return _STATUS_LINES.get(self.status) or f"{self.status} Unknown"


@dataclass(frozen=True, slots=True)
class Page:
    """A short text as a page, which does not contain any part of the request."""

    status: int
    text: str
    headers: tuple[Header, ...] = field(default=())

    def reply(self) -> Reply:
        """Return a reply with the page as plain text, which must not be cached."""
        headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Cache-Control", "private, no-store"),
            *self.headers,
        ]
        return Reply(self.status, protect(headers), f"{self.text}\n".encode())


def protect(headers: Iterable[Header]) -> list[Header]:
    """Return the headers with security headers added, except those that are already set."""
    protected = list(headers)
    names = {name for name, _ in protected}
    protected += (header for header in SECURITY_HEADERS if header[0] not in names)
    return protected


def refusal(refused: Refused) -> Reply:
    """Return the reply to a refused request."""
    return Page(refused.status, refused.text, refused.headers).reply()


def redirect(location: str, text: str, status: int = 301) -> Reply:
    """Return a redirect to another path on this server, given with one character for each byte."""
    encoded = quote(location, safe=_SAFE, encoding="latin-1", errors="replace")
    return Page(status, text, (("Location", local(encoded)),)).reply()


def local(location: str) -> str:
    """Return a path that cannot lead to another server: ``//host`` becomes ``/host``."""
    return re.sub(r"\A/[/\\]+", "/", location)


_STATUS_LINES = {int(status): f"{status.value} {status.phrase}" for status in HTTPStatus}
