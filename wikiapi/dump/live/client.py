"""A polite client of a wiki's API: one request at a time, patient where the wiki is busy.

As https://www.mediawiki.org/wiki/API:Etiquette asks: a name in ``User-Agent``, ``maxlag``, packed
answers, and waiting for as long as ``Retry-After`` says.
"""

from __future__ import annotations

import gzip
import json
import time
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

from wikiapi import __version__
from wikiapi.errors import DumpError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Answer = dict[str, Any]

_AGENT = f"wikiapi/{__version__} (wikiapi update)"
_COMMON = {"format": "json", "formatversion": "2", "maxlag": "5", "errorformat": "bc"}
_MOST_BYTES = 1 << 28
_BUSY = (429, 500, 502, 503, 504)
_LONGEST_WAIT = 300


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
    time unless the wiki tells how long.
    """

    url: str
    timeout: float = 60
    tries: int = 6
    wait: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        """Refuse what is no address of the web.

        Raises:
            DumpError: it is none.
        """
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise DumpError(f"{self.url!r} is not the address of an api.php")

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
        raise DumpError(f"{self.url} did not answer after {self.tries} tries: {problem}")

    def query(self, params: Mapping[str, str | int]) -> Iterator[Answer]:
        """The answers to a query, each a part, following its continuation to the end."""
        return (part for part, _ in self.parts(params))

    def parts(
        self, params: Mapping[str, str | int], more: Mapping[str, str] | None = None
    ) -> Iterator[tuple[Answer, Mapping[str, str]]]:
        """The same from a continuation on, each part with the one to go on from; empty at the end.

        Raises:
            RefusedRequest: the wiki answers with an error.
            DumpError: there is no answer.
        """
        more = more or {}
        while True:
            answer = self.ask({"action": "query", **params, **more})
            more = answer.get("continue", {})
            yield answer.get("query", {}), more
            if not more:
                return

    def _asked(self, params: Mapping[str, str | int]) -> Answer:
        body = urlencode({**_COMMON, **params}).encode()
        headers = {"User-Agent": _AGENT, "Accept-Encoding": "gzip"}
        request = Request(self.url, body, headers)  # noqa: S310 - its scheme was checked
        try:
            with urlopen(request, timeout=self.timeout) as response:  # noqa: S310
                data = response.read(_MOST_BYTES)
                packed = response.headers.get("Content-Encoding") == "gzip"
                retry = response.headers.get("Retry-After")
        except HTTPError as error:
            with error:
                raise self._refused(error) from None
        except (URLError, OSError) as error:
            raise _Busy(str(error), None) from error
        return self._checked(_decoded(data, self.url, packed=packed), retry)

    def _refused(self, error: HTTPError) -> Exception:
        if error.code in _BUSY:
            return _Busy(f"HTTP {error.code}", _seconds(error.headers.get("Retry-After")))
        return DumpError(f"{self.url} answers HTTP {error.code}")

    def _checked(self, answer: Answer, retry: str | None) -> Answer:
        if error := answer.get("error"):
            code, info = error.get("code"), error.get("info", "")
            if code in ("maxlag", "ratelimited", "readonly"):
                raise _Busy(str(info), _seconds(retry))
            raise RefusedRequest(f"{self.url} answers {code}: {info}", str(code))
        return answer


def _decoded(data: bytes, url: str, *, packed: bool) -> Answer:
    try:
        text = gzip.decompress(data) if packed else data
        answer = json.loads(text)
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise DumpError(f"{url} answers no JSON: is it an api.php?") from error
    if not isinstance(answer, dict):
        raise DumpError(f"{url} answers no JSON object")
    return answer


def _seconds(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else None
