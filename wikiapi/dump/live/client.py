"""A polite client of a wiki's API: one request at a time, patient where the wiki is busy.

As https://www.mediawiki.org/wiki/API:Etiquette asks: a name in ``User-Agent``, ``maxlag``, packed
answers, and waiting for as long as ``Retry-After`` says. What comes back is a stranger's: how long
an answer is, and how long it may take, is bounded, and no redirect is followed.
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

from wikiapi import __version__
from wikiapi.dump.live.exchange import BROKEN, Unacceptable, exchange
from wikiapi.dump.live.facts import unusable
from wikiapi.errors import DumpError

Answer = dict[str, Any]

T = TypeVar("T")

_COMMON = {"format": "json", "formatversion": "2", "maxlag": "5", "errorformat": "bc"}
_BUSY = (429, 500, 502, 503, 504)
_LONGEST_WAIT = 300
_PARAMETER = re.compile(r"[a-z]{1,32}", re.ASCII)
_LONGEST_POSITION = 1_000
"""Maximum length of a continuation value."""
_MOST_POSITIONS = 20
_LONGEST_SHOWN = 200
_SERVER = re.compile(r"[^\x00-\x20\x7f-\xa0@\\]+")
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")


class RefusedRequest(DumpError):
    """The wiki answers with an error; ``code`` is the API's."""

    def __init__(self, message: str, code: str) -> None:
        """Take what to say and the code."""
        super().__init__(message)
        self.code = code


class Busy(Exception):
    """A server is busy or out of reach; ``seconds`` is the wait that it requests, or None."""

    def __init__(self, problem: str, seconds: int | None) -> None:
        super().__init__(problem)
        self.seconds = seconds

    @classmethod
    def of(cls, error: HTTPError) -> Busy | None:
        """Return what a status says; None for one that will be the same next time."""
        if error.code not in _BUSY:
            return None
        return cls(f"HTTP {error.code}", _seconds(error.headers.get("Retry-After")))


def agent(command: str, contact: str = "") -> str:
    """Return the ``User-Agent`` of a command; ``contact`` is a mail or web address of its user."""
    return f"wikiapi/{__version__} ({contact}{'; ' if contact else ''}wikiapi {command})"


OnRetry = Callable[[str, float], None]
"""Gets the reason and the seconds until a request is repeated."""


def patiently(
    ask: Callable[[], T], tries: int, wait: Callable[[float], None], on_retry: OnRetry
) -> T:
    """Return what ``ask`` returns, called again as often as it raises :class:`Busy`.

    ``on_retry`` gets the reason and the seconds of each wait.

    Raises:
        Busy: it did so each of the ``tries`` times.
    """
    for attempt in range(1, tries):
        try:
            return ask()
        except Busy as busy:
            asked = 2**attempt if busy.seconds is None else busy.seconds
            seconds = min(asked, _LONGEST_WAIT)
            on_retry(shown(str(busy)), seconds)
            wait(seconds)
    return ask()


class Pace:
    """Keeps requests apart: call it before each."""

    def __init__(self, rate: float, wait: Callable[[float], None] = time.sleep) -> None:
        """Allow so many requests a second."""
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

    A request that fails is repeated up to ``tries`` times, after ``wait`` of twice as long each
    time unless the wiki says how long. ``timeout`` is for each piece of an answer, ``patience``
    for all of it. ``pace`` is called before each request. With ``public_only`` a server at a
    private address is not connected to. ``on_retry`` gets the reason and the seconds until a
    request is repeated.
    """

    url: str
    timeout: float = 60
    tries: int = 6
    wait: Callable[[float], None] = time.sleep
    patience: float = 300
    agent: str = field(default_factory=lambda: agent("update"))
    pace: Callable[[], None] = lambda: None
    public_only: bool = False
    on_retry: OnRetry = lambda reason, seconds: None

    def __post_init__(self) -> None:
        """Refuse what is no address of the web.

        Raises:
            DumpError: it is none.
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
            DumpError: there is none, or it is an error.
        """
        try:
            return patiently(lambda: self._request(params), self.tries, self.wait, self.on_retry)
        except Busy as busy:
            raise DumpError(
                f"{self.url} did not answer after {self.tries} tries: {shown(str(busy))}"
            ) from busy

    def query(self, params: Mapping[str, str | int]) -> Iterator[Answer]:
        """Return the answers to a query, each a part, following its continuation to the end."""
        return (part for part, _ in self.parts(params))

    def parts(
        self, params: Mapping[str, str | int], more: Mapping[str, str] | None = None
    ) -> Iterator[tuple[Answer, Mapping[str, str]]]:
        """Yield the parts of an answer from a continuation on, each with the next one; empty at the
        end.

        Raises:
            RefusedRequest: the wiki answers with an error.
            DumpError: there is no answer, or it leads back to itself.
        """
        more = more or {}
        while True:
            answer = self.ask({"action": "query", **params, **more})
            before, more = more, self._position(answer.get("continue", {}), params)
            if more and more == before:
                raise unusable("its continuation repeats a value")
            part = answer.get("query", {})
            if not isinstance(part, dict):
                raise unusable("query is not an object")
            yield part, more
            if not more:
                return

    def _position(self, given: Any, params: Mapping[str, str | int]) -> Mapping[str, str]:
        """Return the parameters to continue with; a wiki must not change those of the request."""
        if not isinstance(given, dict) or len(given) > _MOST_POSITIONS:
            raise unusable("continue is not an object")
        taken = {"action", *_COMMON, *params}
        for name, value in given.items():
            is_value = type(value) in (str, int) and len(str(value)) <= _LONGEST_POSITION
            if not _PARAMETER.fullmatch(name) or name in taken or not is_value:
                raise unusable(f"{shown(name)!r} is not a valid value to continue from")
        return {name: str(value) for name, value in given.items()}

    def _request(self, params: Mapping[str, str | int]) -> Answer:
        body = urlencode({**_COMMON, **params}).encode()
        headers = {"User-Agent": self.agent, "Accept-Encoding": "gzip"}
        request = Request(self._address, body, headers)  # noqa: S310 - its scheme was checked
        self.pace()
        try:
            reply = exchange(request, self.timeout, self.patience, public_only=self.public_only)
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
            place = shown(error.headers.get("Location", ""))
            return DumpError(f"{self.url} redirects to {place!r}, which is not followed")
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
            code, info = shown(str(details.get("code"))), shown(str(details.get("info", "")))
            if code in ("maxlag", "ratelimited", "readonly"):
                raise Busy(info, _seconds(retry))
            raise RefusedRequest(f"{self.url} answers {code}: {info}", code)
        return answer


def shown(text: str) -> str:
    """Return a text from a server on one line, without control characters of terminals."""
    line = _UNSEEN.sub(" ", text).strip()
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


def _seconds(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else None
