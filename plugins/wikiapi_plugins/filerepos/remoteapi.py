"""A client of another wiki's action API that costs little time when that wiki fails."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar, cast
from urllib.parse import urlencode

from wikiapi.budget import Budget, Budgets
from wikiapi.cache import MemoryCache
from wikiapi.fetching import Busy, HttpClient, Unacceptable
from wikiapi.filerepo import RepositoryUnavailable

RETRY_AFTER = 10.0
"""Seconds for which a wiki that failed to answer is not contacted again."""

LONGEST_WAIT = 1.0
"""Seconds that a thread waits for its turn while other threads are contacting the wiki."""

_LONGEST_QUERY = 2000
"""Characters of a query that is sent in the URL; a longer one is posted."""
_MAX_ROUNDS = 20
_IN_ALL = 1.5
"""How long a request may wait for all its answers, as a multiple of the limit for one."""
_FAIR = 1.0
"""Seconds that a wiki must have been given to answer before a timeout counts as its failure."""
_REQUEST_ERRORS = ("urlparam", "bad", "invalid")
"""Prefixes of error codes that are about a single request, not about the wiki."""
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Bounds(NamedTuple):
    """Limits on requests to a wiki.

    Attributes:
        seconds: how long to wait for one answer.
        size: how many bytes all batches of an answer may have together.
        at_once: how many threads may wait for answers at the same time.
    """

    seconds: float
    size: int
    at_once: int


Fetch = Callable[[Mapping[str, str], float], bytes]
"""Returns the body of the answer to a request with parameters, within some seconds, or raises
RepositoryUnavailable."""


def fetch(client: HttpClient, url: str, params: Mapping[str, str], seconds: float) -> bytes:
    """Return the body of the answer to a request with parameters to a URL.

    Raises:
        RepositoryUnavailable: there was no answer within ``seconds``, or an unusable one.
    """
    query = urlencode(params)
    try:
        if len(query) <= _LONGEST_QUERY:
            address = f"{url}?{query}"
            return client.fetch(address, seconds=seconds, accept="application/json").body
        return client.fetch(url, params, seconds=seconds, accept="application/json").body
    except Unacceptable as error:
        raise RepositoryUnavailable(f"its server {error}") from error
    except Busy as error:
        raise RepositoryUnavailable(str(error)) from error


class RemoteApi:
    """Queries an API within bounds, and within the budget of the request being answered.

    Safe to use from several threads.
    """

    def __init__(
        self,
        fetch: Fetch,
        bounds: Bounds,
        budgets: Budgets,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Initialise; ``clock`` returns the time in seconds."""
        self._fetch = fetch
        self._bounds = bounds
        self._budgets = budgets
        self._clock = clock
        self._turns = _Turns(bounds.at_once, clock)
        self._waited = _Waited()

    def query(self, *, follow: str = "", **params: str) -> Iterator[dict[str, Any]]:
        """Yield the ``query`` objects of a query, one for each batch of results.

        Args:
            follow: the continuation parameter to follow; others are ignored.
            params: the parameters of the query.

        Raises:
            RepositoryUnavailable: the wiki cannot be reached, or its answer is an error or invalid.
            DeadlineExceeded: the time of the request that is being answered is up.
        """
        base = {"action": "query", "format": "json", "formatversion": "2", **params}
        position: dict[str, str] = {}
        total = 0
        for _ in range(_MAX_ROUNDS):
            answer, size = self._ask(base | position)
            total += size
            if total > self._bounds.size:
                break
            query = answer.get("query", {})
            yield query if isinstance(query, dict) else {}
            following = answer.get("continue")
            if not isinstance(following, dict) or follow not in following:
                return
            position = {str(name): str(value) for name, value in following.items()}
        self._turns.note_failure()
        raise RepositoryUnavailable("the answer does not end")

    def _ask(self, params: Mapping[str, str]) -> tuple[dict[str, Any], int]:
        budget = self._budgets.current
        start = self._clock()
        try:
            with self._turns.take(min(LONGEST_WAIT, budget.left, self._may_still_wait(budget))):
                seconds = min(self._bounds.seconds, budget.left, self._may_still_wait(budget))
                if seconds <= 0 or not budget.may_fetch():
                    raise RepositoryUnavailable(
                        "this request has used up its time or its number of fetches"
                    )
                return self._answer(params, seconds)
        except RepositoryUnavailable:
            budget.check()
            raise
        finally:
            self._waited.seconds += self._clock() - start

    def _answer(self, params: Mapping[str, str], seconds: float) -> tuple[dict[str, Any], int]:
        start = self._clock()
        try:
            body = self._fetch(params, seconds)
            answer = _decode(body)
        except _RequestRefused:
            raise
        except RepositoryUnavailable:
            in_time = self._clock() - start < seconds
            if in_time or seconds >= min(_FAIR, self._bounds.seconds):
                self._turns.note_failure()
            raise
        self._turns.note_answer()
        return answer, len(body)

    def _may_still_wait(self, budget: Budget) -> float:
        """Return how many seconds this thread may still wait for the wiki in its current request.

        The rest of the request's time is reserved for other work. Outside a request, or in one
        without a deadline, only the limit for one answer applies.
        """
        if self._waited.budget is not budget:
            self._waited.budget, self._waited.seconds = budget, 0.0
        if not budget.allowance.seconds:
            return self._bounds.seconds
        return _IN_ALL * self._bounds.seconds - self._waited.seconds


class _Waited(threading.local):
    """How long a thread has waited for the wiki in its current request."""

    budget: Budget | None = None
    seconds = 0.0


class _Turns:
    """Limits how many threads contact the wiki at the same time.

    The other threads of the server stay free, whatever the wiki does. After a failure, no thread
    contacts it for a while; then a single one tries again.
    """

    def __init__(self, at_once: int, clock: Callable[[], float]) -> None:
        self._at_once = at_once
        self._clock = clock
        self._changed = threading.Condition()
        self._running = 0
        self._has_failed = False
        self._rests_until = 0.0

    @contextmanager
    def take(self, patience: float) -> Iterator[None]:
        """Hold a turn; raise RepositoryUnavailable if there is none within ``patience`` seconds."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._has_failed or self._running < self._at_once, patience
            )
            if reason := self._why_not():
                raise RepositoryUnavailable(reason)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify()

    def note_answer(self) -> None:
        """End the pause after a failure."""
        self._has_failed = False

    def note_failure(self) -> None:
        """Begin a pause in which the wiki receives no requests."""
        with self._changed:
            self._has_failed = True
            self._rests_until = self._clock() + RETRY_AFTER
            self._changed.notify_all()

    def _why_not(self) -> str:
        if not self._has_failed:
            return "" if self._running < self._at_once else "other threads are waiting for it"
        pause = self._rests_until - self._clock()
        if pause > 0:
            return f"it failed to answer; next attempt in {pause:.0f} s"
        return "it failed to answer and is being tried again" if self._running else ""


class _RequestRefused(RepositoryUnavailable):
    """The wiki works but rejected this request, which is no reason for a pause."""


def _decode(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body, parse_constant=_refuse)
        if _SURROGATE.search(body):
            answer = json.loads(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise RepositoryUnavailable("the answer is not JSON") from error
    if not isinstance(answer, dict):
        raise RepositoryUnavailable("the answer is not an object")
    if problem := answer.get("error"):
        code = str(problem.get("code") if isinstance(problem, dict) else problem)[:100]
        kind = _RequestRefused if code.startswith(_REQUEST_ERRORS) else RepositoryUnavailable
        raise kind(f"the answer is the error {code!r}")
    return answer


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


Value = TypeVar("Value")


class ExpiringCache(Generic[Value]):
    """A cache whose entries all expire after the same time. Safe to use from several threads."""

    def __init__(
        self, seconds: float, max_bytes: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Make a cache of at most ``max_bytes``; with 0 seconds it stays empty."""
        self._seconds = seconds
        self._entries = MemoryCache(max_bytes, clock)

    def get(self, key: Hashable) -> tuple[Value] | None:
        """Return the value of a key in a 1-tuple, since it may be None; None if not cached."""
        return cast("tuple[Value] | None", self._entries.get(key))

    def put(self, key: Hashable, value: Value, size: int) -> None:
        """Cache a value of ``size`` bytes, unless it is larger than the cache."""
        self._entries.put(key, (value,), seconds=self._seconds, size=size)
