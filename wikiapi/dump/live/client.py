"""A polite client of a wiki's API: one request at a time, patient where the wiki is busy.

As https://www.mediawiki.org/wiki/API:Etiquette asks: a name in ``User-Agent``, ``maxlag``, packed
answers, and waiting for as long as ``Retry-After`` says. What comes back is a stranger's: how long
an answer is, and how long it may take, is bounded, and no redirect is followed.
"""

from __future__ import annotations

import re
import socket
import threading
import time
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit, urlunsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

import orjson

from wikiapi import __version__
from wikiapi.dump.live.facts import unusable
from wikiapi.errors import DumpError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from http.client import HTTPResponse

    Answer = dict[str, Any]

_AGENT = f"wikiapi/{__version__} (wikiapi update)"
_COMMON = {"format": "json", "formatversion": "2", "maxlag": "5", "errorformat": "bc"}
_MOST_BYTES = 1 << 25
"""Bytes of an answer, as it is sent and unpacked. MediaWiki's end at a third of it."""
_PIECE = 1 << 16
_BUSY = (429, 500, 502, 503, 504)
_LONGEST_WAIT = 300
_PARAMETER = re.compile(r"[a-z]{1,32}", re.ASCII)
_LONGEST_POSITION = 1_000
"""Characters of a value to go on from."""
_MOST_POSITIONS = 20
_LONGEST_SHOWN = 200
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")


class RefusedRequest(DumpError):
    """The wiki answers with an error; ``code`` is the API's."""

    def __init__(self, message: str, code: str) -> None:
        """Take what to say and the code."""
        super().__init__(message)
        self.code = code


class _Busy(Exception):
    """The wiki asks to come back in so many seconds, None where it does not say."""

    def __init__(self, problem: str, seconds: int | None) -> None:
        super().__init__(problem)
        self.seconds = seconds


@dataclass
class LiveApi:
    """The API at a URL of ``api.php``. Times are in seconds.

    A request that fails is repeated up to ``tries`` times, after ``wait`` of twice as long each
    time unless the wiki tells how long. ``timeout`` is for each piece of an answer, ``patience``
    for all of it.
    """

    url: str
    timeout: float = 60
    tries: int = 6
    wait: Callable[[float], None] = time.sleep
    patience: float = 300

    def __post_init__(self) -> None:
        """Refuse what is no address of the web.

        Raises:
            DumpError: it is none.
        """
        try:
            parts = urlsplit(self.url)
            is_plain = parts.hostname and parts.port != 0 and parts.username is None
        except ValueError:
            is_plain = False
        if not is_plain or parts.scheme not in ("http", "https") or parts.query or parts.fragment:
            raise DumpError(f"{self.url!r} is not the address of an api.php")
        path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
        self._address = urlunsplit((parts.scheme, parts.netloc, path, "", ""))

    def ask(self, params: Mapping[str, str | int]) -> Answer:
        """The answer to a request.

        Raises:
            DumpError: there is none, or it is an error.
        """
        problem: _Busy | None = None
        for attempt in range(self.tries):
            if problem is not None:
                seconds = problem.seconds if problem.seconds is not None else 2**attempt
                self.wait(min(seconds, _LONGEST_WAIT))
            try:
                return self._asked(params)
            except _Busy as busy:
                problem = busy
        raise DumpError(
            f"{self.url} did not answer after {self.tries} tries: {_shown(str(problem))}"
        )

    def query(self, params: Mapping[str, str | int]) -> Iterator[Answer]:
        """The answers to a query, each a part, following its continuation to the end."""
        return (part for part, _ in self.parts(params))

    def parts(
        self, params: Mapping[str, str | int], more: Mapping[str, str] | None = None
    ) -> Iterator[tuple[Answer, Mapping[str, str]]]:
        """The same from a continuation on, each part with the one to go on from; empty at the end.

        Raises:
            RefusedRequest: the wiki answers with an error.
            DumpError: there is no answer, or it leads back to itself.
        """
        more = more or {}
        while True:
            answer = self.ask({"action": "query", **params, **more})
            before, more = more, self._position(answer.get("continue", {}), params)
            if more and more == before:
                raise unusable("a part of it leads back to itself")
            part = answer.get("query", {})
            if not isinstance(part, dict):
                raise DumpError(
                    f"{self.url} gives an answer that cannot be used: query is no object"
                )
            yield part, more
            if not more:
                return

    def _position(self, given: Any, params: Mapping[str, str | int]) -> Mapping[str, str]:
        """Where to go on, as parameters; those of the request are not the wiki's to change."""
        if not isinstance(given, dict) or len(given) > _MOST_POSITIONS:
            raise DumpError(
                f"{self.url} gives an answer that cannot be used: continue is no object"
            )
        taken = {"action", *_COMMON, *params}
        for name, value in given.items():
            is_value = isinstance(value, str | int) and len(str(value)) <= _LONGEST_POSITION
            if not _PARAMETER.fullmatch(name) or name in taken or not is_value:
                raise unusable(f"{_shown(name)!r} is nothing to go on from")
        return {name: str(value) for name, value in given.items()}

    def _asked(self, params: Mapping[str, str | int]) -> Answer:
        body = urlencode({**_COMMON, **params}).encode()
        headers = {"User-Agent": _AGENT, "Accept-Encoding": "gzip"}
        request = Request(self._address, body, headers)  # noqa: S310 - its scheme was checked
        watch = _Watch(self.patience)
        try:
            with watch, _opener(watch).open(request, timeout=self.timeout) as response:
                data, retry = self._read(response), response.headers.get("Retry-After")
        except HTTPError as error:
            with error:
                raise self._refused(error) from None
        except (OSError, HTTPException, ValueError) as error:
            if watch.is_over:
                raise DumpError(
                    f"{self.url} did not send its answer within {self.patience:g} seconds"
                ) from error
            raise _Busy(str(error) or type(error).__name__, None) from error
        return self._checked(self._decoded(data), retry)

    def _read(self, response: HTTPResponse) -> bytes:
        """The body, unpacked. Raises OSError where it breaks off."""
        pieces, size = [], 0
        while piece := response.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            self._check_size(size)
        if response.length:
            raise OSError("the answer broke off")
        encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding == "identity":
            return b"".join(pieces)
        if encoding != "gzip":
            raise DumpError(f"{self.url} answers in an encoding that nobody asked for")
        return self._unpacked(b"".join(pieces))

    def _unpacked(self, data: bytes) -> bytes:
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            unpacked = unpacker.decompress(data, _MOST_BYTES + 1)
        except zlib.error as error:
            raise DumpError(f"{self.url} answers no JSON: is it an api.php?") from error
        self._check_size(len(unpacked))
        if not unpacker.eof:
            raise OSError("the answer broke off")
        return unpacked

    def _check_size(self, size: int) -> None:
        if size > _MOST_BYTES:
            raise DumpError(f"{self.url} gives an answer of more than {_MOST_BYTES >> 20} MiB")

    def _refused(self, error: HTTPError) -> Exception:
        if error.code in _BUSY:
            return _Busy(f"HTTP {error.code}", _seconds(error.headers.get("Retry-After")))
        if error.code in range(300, 400):
            place = _shown(error.headers.get("Location", ""))
            return DumpError(f"{self.url} sends everybody on to {place!r}")
        return DumpError(f"{self.url} answers HTTP {error.code}")

    def _decoded(self, data: bytes) -> Answer:
        try:
            answer = orjson.loads(data)
        except ValueError as error:
            raise DumpError(f"{self.url} answers no JSON: is it an api.php?") from error
        if not isinstance(answer, dict):
            raise DumpError(f"{self.url} answers no JSON object")
        return answer

    def _checked(self, answer: Answer, retry: str | None) -> Answer:
        if error := answer.get("error"):
            told = error if isinstance(error, dict) else {}
            code, info = _shown(str(told.get("code"))), _shown(str(told.get("info", "")))
            if code in ("maxlag", "ratelimited", "readonly"):
                raise _Busy(info, _seconds(retry))
            raise RefusedRequest(f"{self.url} answers {code}: {info}", code)
        return answer


class _Watch:
    """Ends the connection of a request when the time for it is up, however slowly it drips."""

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def guard(self, connected: socket.socket) -> None:
        """This is the connection."""
        self._socket = connected
        # Whoever ends it looks for it after this has been set: one of the two sees the other.
        if self.is_over:
            raise TimeoutError("connected too late")

    def _end(self) -> None:
        self.is_over = True
        if self._socket is not None:
            with suppress(OSError):
                # Not that of TLS, which would go on without it.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Connection(HTTPConnection):
    def __init__(self, watch: _Watch, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._watch = watch

    def connect(self) -> None:
        super().connect()
        self._watch.guard(self.sock)


class _SecureConnection(_Connection, HTTPSConnection):
    """The same over TLS."""


class _Http(HTTPHandler):
    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self._watch = watch

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_Connection, self._watch), req)


class _Https(HTTPSHandler):
    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self._watch = watch

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_SecureConnection, self._watch), req)


def _opener(watch: _Watch) -> OpenerDirector:
    """Knows HTTP and the proxies of the environment, but neither redirects nor other protocols."""
    opener = OpenerDirector()
    opener.add_handler(ProxyHandler())
    opener.add_handler(_Http(watch))
    opener.add_handler(_Https(watch))
    opener.add_handler(HTTPDefaultErrorHandler())
    opener.add_handler(HTTPErrorProcessor())
    return opener


def _shown(text: str) -> str:
    """What a stranger wrote, on one line and without anything that a terminal would obey."""
    line = _UNSEEN.sub(" ", text).strip()
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


def _seconds(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else None
