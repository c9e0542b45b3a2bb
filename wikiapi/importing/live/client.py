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
from typing import Any
from urllib.parse import urlsplit

import orjson

from wikiapi.errors import DumpError
from wikiapi.fetching import (
    Busy,
    HttpClient,
    OnRetry,
    Unacceptable,
    WebAddress,
    parse_retry_after,
    printable,
    retry_while_busy,
    user_agent,
)
from wikiapi.importing.live.jsonobject import unusable

Answer = dict[str, Any]

_COMMON = {"format": "json", "formatversion": "2", "maxlag": "5", "errorformat": "bc"}
_PARAMETER = re.compile(r"[a-z]{1,32}", re.ASCII)
_LONGEST_VALUE = 1_000
"""Characters of a value in a continuation."""
_MAX_PARAMETERS = 20


class RefusedRequest(DumpError):
    """The wiki answers with an error; ``code`` is the API's."""

    def __init__(self, message: str, code: str) -> None:
        """Create the error with its message and the code."""
        super().__init__(message)
        self.code = code


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
            WebAddress.of(self.url)
        except ValueError:
            raise DumpError(f"{self.url!r} is not the address of an api.php") from None
        parts = urlsplit(self.url)
        if parts.query or parts.fragment:
            raise DumpError(f"{self.url!r} is not the address of an api.php")

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
        client = HttpClient(
            self.agent,
            public_only=self.public_only,
            use_proxies=True,
            idle_seconds=self.timeout,
            before_request=self.before_request,
        )
        form = {**_COMMON, **params}
        try:
            reply = client.fetch(self.url, form, seconds=self.total_timeout, compressed=True)
        except Unacceptable as error:
            raise DumpError(f"{self.url} {error}") from error
        try:
            answer = orjson.loads(reply.body)
        except ValueError as error:
            raise DumpError(f"{self.url} does not answer with JSON: is it an api.php?") from error
        if not isinstance(answer, dict):
            raise DumpError(f"{self.url} does not answer with a JSON object")
        if problem := answer.get("error"):
            details = problem if isinstance(problem, dict) else {}
            code = printable(str(details.get("code")))
            info = printable(str(details.get("info", "")))
            if code in ("maxlag", "ratelimited", "readonly"):
                raise Busy(info, parse_retry_after(reply.headers.get("Retry-After")))
            raise RefusedRequest(f"{self.url} answers {code}: {info}", code)
        return answer
