"""A client of a wiki's API, which sends one request at a time and repeats those that fail.

It follows https://www.mediawiki.org/wiki/API:Etiquette: a name in ``User-Agent``, ``maxlag``,
compressed answers, and a wait of the time in ``Retry-After``. The wiki is not trusted: the size
and the duration of an answer are limited, and redirects are not followed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit, urlunsplit
from urllib.request import Request

import orjson

from wikiapi.errors import DumpError
from wikiapi.importing.live.exchange import BROKEN, Unacceptable, exchange
from wikiapi.importing.live.jsonobject import unusable
from wikiapi.version import __version__

Answer = dict[str, Any]

T = TypeVar("T")

_COMMON = {"format": "json", "formatversion": "2", "maxlag": "5", "errorformat": "bc"}
_BUSY = (429, 500, 502, 503, 504)
_LONGEST_WAIT = 300
_PARAMETER = re.compile(r"[a-z]{1,32}", re.ASCII)
_LONGEST_VALUE = 1_000
"""Characters of a value in a continuation."""
_MAX_PARAMETERS = 20
_LONGEST_PRINTED = 200
_SERVER = re.compile(r"[^\x00-\x20\x7f-\xa0@\\]+")
_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")


class RefusedRequest(DumpError):
    """The wiki answers with an error; ``code`` is the API's."""

    def __init__(self, message: str, code: str) -> None:
        """Create the error with its message and the code."""
        super().__init__(message)
        self.code = code


class Busy(Exception):
    """A server is busy or out of reach; ``seconds`` is the wait that it requests, or None."""

    def __init__(self, problem: str, seconds: int | None) -> None:
        super().__init__(problem)
        self.seconds = seconds

    @classmethod
    def of(cls, error: HTTPError) -> Busy | None:
        """Return the error for an HTTP status, or None if repeating the request is of no use."""
        if error.code not in _BUSY:
            return None
        return cls(f"HTTP {error.code}", _seconds(error.headers.get("Retry-After")))


def user_agent(command: str, contact: str = "") -> str:
    """Return the ``User-Agent`` of a command; ``contact`` is a mail or web address of its user."""
    return f"wikiapi/{__version__} ({contact}{'; ' if contact else ''}wikiapi {command})"


OnRetry = Callable[[str, float], None]
"""Is called with the reason and the seconds until a request is repeated."""


def retry_while_busy(
    ask: Callable[[], T], tries: int, wait: Callable[[float], None], on_retry: OnRetry
) -> T:
    """Return the result of ``ask``, which is called again if it raises :class:`Busy`.

    ``on_retry`` is called before each wait with its reason and its length in seconds.

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


@dataclass
class LiveApi:
    """The API at a URL of ``api.php``. Times are in seconds.

    A request that fails is sent up to ``tries`` times. The wait before each repetition is twice as
    long as the last one, unless the wiki says how long to wait. ``timeout`` limits each read from
    the connection, ``total_timeout`` the whole answer. ``before_request`` is called before each
    request. With ``public_only``, servers at private addresses are refused. ``on_retry`` is called
    with the reason and the seconds until a request is repeated.
    """

    url: str
    timeout: float = 60
    tries: int = 6
    wait: Callable[[float], None] = time.sleep
    total_timeout: float = 300
    agent: str = field(default_factory=lambda: user_agent("update"))
    before_request: Callable[[], None] = lambda: None
    public_only: bool = False
    on_retry: OnRetry = lambda reason, seconds: None

    def __post_init__(self) -> None:
        """Check the URL.

        Raises:
            DumpError: it is not an HTTP URL, or has a query or a fragment.
        """
        try:
            parts = urlsplit(self.url)
            is_plain = bool(parts.hostname and _SERVER.fullmatch(parts.netloc) and parts.port != 0)
        except ValueError:
            is_plain = False
        if not is_plain or parts.scheme not in ("http", "https") or parts.query or parts.fragment:
            raise DumpError(f"{self.url!r} is not the address of an api.php")
        path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
        self._address = urlunsplit((parts.scheme, parts.netloc, path, "", ""))

    def ask(self, params: Mapping[str, str | int]) -> Answer:
        """Return the answer to a request.

        Raises:
            RefusedRequest: the wiki answers with an error.
            DumpError: there is no answer, or it is not JSON.
        """
        try:
            return retry_while_busy(
                lambda: self._request(params), self.tries, self.wait, self.on_retry
            )
        except Busy as busy:
            raise DumpError(
                f"{self.url} did not answer after {self.tries} tries: {printable(str(busy))}"
            ) from busy

    def query(self, params: Mapping[str, str | int]) -> Iterator[Answer]:
        """Return the parts of the answer to a query, following its continuation to the end."""
        return (part for part, _ in self.parts(params))

    def parts(
        self, params: Mapping[str, str | int], more: Mapping[str, str] | None = None
    ) -> Iterator[tuple[Answer, Mapping[str, str]]]:
        """Yield the parts of an answer, each with its continuation, which is empty at the end.

        ``more`` is the continuation to begin with.

        Raises:
            RefusedRequest: the wiki answers with an error.
            DumpError: there is no answer, or its continuation repeats the one before.
        """
        more = more or {}
        while True:
            answer = self.ask({"action": "query", **params, **more})
            before, more = more, self._continuation(answer.get("continue", {}), params)
            if more and more == before:
                raise unusable("its continuation repeats a value")
            part = answer.get("query", {})
            if not isinstance(part, dict):
                raise unusable("query is not an object")
            yield part, more
            if not more:
                return

    def _continuation(self, values: Any, params: Mapping[str, str | int]) -> Mapping[str, str]:
        """Return the parameters to continue with, which must not be parameters of the request."""
        if not isinstance(values, dict) or len(values) > _MAX_PARAMETERS:
            raise unusable("continue is not an object")
        taken = {"action", *_COMMON, *params}
        for name, value in values.items():
            is_value = type(value) in (str, int) and len(str(value)) <= _LONGEST_VALUE
            if not _PARAMETER.fullmatch(name) or name in taken or not is_value:
                raise unusable(f"{printable(name)!r} is not a valid value to continue from")
        return {name: str(value) for name, value in values.items()}

    def _request(self, params: Mapping[str, str | int]) -> Answer:
        body = urlencode({**_COMMON, **params}).encode()
        headers = {"User-Agent": self.agent, "Accept-Encoding": "gzip"}
        request = Request(self._address, body, headers)  # noqa: S310 - its scheme was checked
        self.before_request()
        try:
            reply = exchange(
                request, self.timeout, self.total_timeout, public_only=self.public_only
            )
        except HTTPError as error:
            with error:
                raise self._refused(error) from None
        except Unacceptable as error:
            raise DumpError(f"{self.url} {error}") from error
        except BROKEN as error:
            raise Busy(str(error) or type(error).__name__, None) from error
        return self._checked(self._decoded(reply.body), reply.headers.get("Retry-After"))

    def _refused(self, error: HTTPError) -> Exception:
        if busy := Busy.of(error):
            return busy
        if error.code in range(300, 400):
            target = printable(error.headers.get("Location", ""))
            return DumpError(f"{self.url} redirects to {target!r}, which is not followed")
        return DumpError(f"{self.url} answers HTTP {error.code}")

    def _decoded(self, data: bytes) -> Answer:
        try:
            answer = orjson.loads(data)
        except ValueError as error:
            raise DumpError(f"{self.url} does not answer with JSON: is it an api.php?") from error
        if not isinstance(answer, dict):
            raise DumpError(f"{self.url} does not answer with a JSON object")
        return answer

    def _checked(self, answer: Answer, retry: str | None) -> Answer:
        if error := answer.get("error"):
            details = error if isinstance(error, dict) else {}
            code = printable(str(details.get("code")))
            info = printable(str(details.get("info", "")))
            if code in ("maxlag", "ratelimited", "readonly"):
                raise Busy(info, _seconds(retry))
            raise RefusedRequest(f"{self.url} answers {code}: {info}", code)
        return answer


def printable(text: str) -> str:
    """Return a text from a server on one line, shortened and without control characters."""
    line = _UNPRINTABLE.sub(" ", text).strip()
    return line if len(line) <= _LONGEST_PRINTED else f"{line[:_LONGEST_PRINTED]}…"


def _seconds(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else None
