"""The client, its answers, and the repetition of requests that fail."""

from __future__ import annotations

import socket
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import NamedTuple, TypeVar, cast
from urllib.parse import urlencode, urljoin

from wikiapi.fetching.addresses import WebAddress
from wikiapi.fetching.connections import (
    FRAMING,
    Countdown,
    connect,
    connect_through,
    open_exchange,
    proxy_for,
)
from wikiapi.fetching.errors import BadStatus, Busy, Unacceptable, printable
from wikiapi.version import __version__

T = TypeVar("T")

MAX_BYTES = 1 << 25
"""Bytes of a body unless the caller sets another limit. MediaWiki's answers reach a third of it."""
_PIECE_SIZE = 1 << 16
_MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_BUSY = (429, 500, 502, 503, 504)
_LONGEST_WAIT = 300


class Reply(NamedTuple):
    """An answer: the decompressed body, and the headers."""

    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HttpClient:
    """Sends requests, each on a connection of its own. Safe to use from several threads.

    Attributes:
        agent: the ``User-Agent``.
        public_only: whether servers at private IP addresses are refused.
        use_proxies: whether requests go through the proxies of the environment, whose addresses,
            and those of the servers behind them, are not checked.
        idle_seconds: how long each operation on a connection may take.
        max_bytes: the largest body, decompressed or not.
        before_request: called before each request.
    """

    agent: str = f"wikiapi/{__version__}"
    public_only: bool = True
    use_proxies: bool = False
    idle_seconds: float = 60
    max_bytes: int = MAX_BYTES
    before_request: Callable[[], None] = lambda: None

    def fetch(
        self,
        url: str,
        form: Mapping[str, str | int] | None = None,
        *,
        seconds: float,
        accept: str = "*/*",
        compressed: bool = False,
    ) -> Reply:
        """Return the answer to a request, whose status is 200.

        Args:
            url: an HTTP URL.
            form: the fields of a form to post.
            seconds: how long the whole request may take, however slowly the answer arrives.
            accept: the media types to accept.
            compressed: whether the server may compress the body.

        Raises:
            Busy, Unacceptable: there is no answer, or an unusable one.
            ValueError: it is not an HTTP URL.
        """
        headers = {"Accept": accept, "Accept-Encoding": "gzip" if compressed else "identity"}
        address = WebAddress.of(url)
        with closing(
            self._send(address, form, headers, seconds, self.max_bytes, self.public_only)
        ) as response:
            if response.status != 200:
                raise BadStatus(response.status)
            return Reply(response.body(self.max_bytes), response.headers)

    @contextmanager
    def open(
        self,
        url: str,
        headers: Mapping[str, str],
        check: Callable[[str], bool],
        *,
        seconds: float,
        max_bytes: int,
    ) -> Iterator[Response]:
        """Send a request, follow its redirects, and yield the answer, whose body can be read.

        Args:
            url: an HTTP URL.
            headers: more headers of the request.
            check: called with the URL and with that of each redirect; it raises an error for one
                that is no HTTP URL or may not be requested, and returns whether its server must
                be at a public IP address.
            seconds: how long each request may take.
            max_bytes: the largest body; the caller stops reading a longer one.

        Raises:
            Busy, Unacceptable: there is no answer, or an unusable one.
        """
        headers = {"Accept": "*/*", "Accept-Encoding": "identity", **headers}
        for _ in range(_MAX_REDIRECTS + 1):
            public_only = check(url)
            try:
                address = WebAddress.of(url)
                response = self._send(address, None, headers, seconds, max_bytes, public_only)
            except BadStatus as error:
                if error.status not in _REDIRECTS or not error.location:
                    raise
                try:
                    url = urljoin(url, error.location)
                except ValueError:
                    raise error from None
            else:
                with closing(response):
                    yield response
                return
        raise Unacceptable(f"redirects more than {_MAX_REDIRECTS} times")

    def _send(
        self,
        address: WebAddress,
        form: Mapping[str, str | int] | None,
        headers: Mapping[str, str],
        seconds: float,
        max_bytes: int,
        public_only: bool,
    ) -> Response:
        """Send a request, and return its answer, of which only the headers have been read."""
        self.before_request()
        headers = {"User-Agent": self.agent, "Connection": "close", **headers}
        left = Countdown(seconds, self.idle_seconds)
        with left.errors():
            proxy = proxy_for(address) if self.use_proxies else None
            if proxy is None:
                connection = connect(address, left, public_only)
            else:
                connection = connect_through(proxy, address, left)
                headers |= proxy.headers if address.scheme == "http" else {}
            try:
                exchange = open_exchange(address, connection, left, 2 * max_bytes + FRAMING)
                target = address.target
                if proxy is not None and address.scheme == "http":
                    port = "" if address.port == 80 else f":{address.port}"
                    target = f"http://{address.netloc}{port}{target}"
                if form is None:
                    exchange.request("GET", target, headers=headers)
                else:
                    headers["Content-Type"] = "application/x-www-form-urlencoded"
                    exchange.request("POST", target, urlencode(form), headers)
                response = Response(exchange.getresponse(), connection, left)
                response.check(is_gzip_accepted=headers["Accept-Encoding"] == "gzip")
            except BaseException:
                connection.close()
                raise
        return response


class Response:
    """An answer with its ``status`` and ``headers``, whose body has not been read."""

    def __init__(self, response: HTTPResponse, connection: socket.socket, left: Countdown) -> None:
        self._response = response
        self._connection = connection
        self._left = left
        self.status = response.status
        self.headers = cast("Mapping[str, str]", response.headers)
        self._encoding = self.headers.get("Content-Encoding", "identity").strip().lower()

    def check(self, *, is_gzip_accepted: bool) -> None:
        """Raise Busy or Unacceptable unless status and encoding allow to read the body."""
        if self.status in _BUSY:
            seconds = parse_retry_after(self.headers.get("Retry-After"))
            raise Busy(f"HTTP {self.status}", seconds)
        if self.status not in range(200, 300):
            raise BadStatus(self.status, self.headers.get("Location", ""))
        if self._encoding != "identity" and not (is_gzip_accepted and self._encoding == "gzip"):
            raise Unacceptable("compresses its answer in a way that was not requested")

    def pieces(self) -> Iterator[bytes]:
        """Yield the body in pieces, without decompressing it.

        Raises:
            Busy, Unacceptable: the body is incomplete, or takes too long.
        """
        while True:
            with self._left.errors():
                piece = self._response.read(_PIECE_SIZE)
            if not piece:
                break
            yield piece
        if self._response.length:
            raise Busy("the answer is incomplete")

    def body(self, max_bytes: int) -> bytes:
        """Return the decompressed body.

        Raises:
            Busy, Unacceptable: the body is incomplete, too large or takes too long.
        """
        parts, size = [], 0
        for piece in self.pieces():
            parts.append(piece)
            size += len(piece)
            _check_size(size, max_bytes)
        body = b"".join(parts)
        if self._encoding != "gzip":
            return body
        decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            decompressed = decompressor.decompress(body, max_bytes + 1)
        except zlib.error as error:
            raise Unacceptable("sends an answer that cannot be decompressed") from error
        _check_size(len(decompressed), max_bytes)
        if not decompressor.eof:
            raise Busy("the answer is incomplete")
        return decompressed

    def close(self) -> None:
        """Close the connection."""
        self._response.close()
        self._connection.close()


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        limit = f"{max_bytes >> 20} MiB" if max_bytes >> 20 else f"{max_bytes} bytes"
        raise Unacceptable(f"sends an answer of more than {limit}")


def parse_retry_after(text: str | None) -> int | None:
    """Return the seconds in a ``Retry-After`` header, or None if there are none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else None


def user_agent(command: str, contact: str = "") -> str:
    """Return the ``User-Agent`` of a command; ``contact`` is a mail or web address of its user."""
    return f"wikiapi/{__version__} ({contact}{'; ' if contact else ''}wikiapi {command})"


OnRetry = Callable[[str, float], None]
"""Is called with the reason and the seconds until a request is repeated."""


def retry_while_busy(
    ask: Callable[[], T], tries: int, wait: Callable[[float], None], on_retry: OnRetry
) -> T:
    """Return the result of ``ask``, which is called again if it raises :class:`Busy`.

    The wait before each repetition is twice as long as the last one, unless the server says how
    long to wait. ``on_retry`` is called before each wait with its reason and its length in seconds.

    Raises:
        Busy: ``ask`` raised it each of the ``tries`` times.
    """
    for attempt in range(1, tries):
        try:
            return ask()
        except Busy as busy:
            asked = 2**attempt if busy.seconds is None else busy.seconds
            seconds = min(asked, _LONGEST_WAIT)
            on_retry(printable(str(busy)), seconds)
            wait(seconds)
    return ask()


class RateLimit:
    """Limits the rate of requests: call it before each."""

    def __init__(self, rate: float, wait: Callable[[float], None] = time.sleep) -> None:
        """Allow ``rate`` requests per second; ``wait`` sleeps for a number of seconds."""
        self._apart = 1 / rate
        self._wait = wait
        self._next = 0.0

    def __call__(self) -> None:
        """Wait until the next request may be sent."""
        now = time.monotonic()
        if now < self._next:
            self._wait(self._next - now)
        self._next = max(now, self._next) + self._apart
