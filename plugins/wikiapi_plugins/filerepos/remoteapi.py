"""Another wiki's action API: what it is asked, and what becomes of a wiki that does not answer."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from wikiapi.budget import Budget, Budgets
from wikiapi.cache import MemoryCache
from wikiapi.filerepo import RepositoryUnavailable

RETRY_AFTER = 10.0
"""Seconds for which a wiki that failed to answer is not asked again."""

LONGEST_WAIT = 1.0
"""Seconds that a thread waits for its turn while others ask."""

_MOST_ROUNDS = 20
_IN_ALL = 1.5
"""How much longer than for one answer a request waits for all answers together."""
_FAIR = 1.0
"""Seconds within which an answer may be expected; failing to answer sooner is no failure."""
_ABOUT_QUESTIONS = ("urlparam", "bad", "invalid")
"""How the codes of errors begin that say nothing about the wiki, but something about a question."""
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Bounds(NamedTuple):
    """What asking a wiki may cost.

    Attributes:
        seconds: to wait for an answer.
        size: bytes of an answer, all its parts together.
        at_once: how many threads may wait for answers at the same time.
    """

    seconds: float
    size: int
    at_once: int


class Fetches(Protocol):
    """Sends a request's parameters and brings the body of the answer."""

    def ask(self, params: Mapping[str, str], seconds: float) -> bytes:
        """The body, within so many seconds; raises RepositoryUnavailable."""


class RemoteApi:
    """Asks an API within bounds, and within the budget of the request that is being answered.

    Safe to use from several threads.
    """

    def __init__(
        self,
        fetcher: Fetches,
        bounds: Bounds,
        budgets: Budgets,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``clock`` tells seconds."""
        self._fetcher = fetcher
        self._bounds = bounds
        self._budgets = budgets
        self._clock = clock
        self._turns = _Turns(bounds.at_once, clock)
        self._waited = _Waited()

    def query(self, *, follow: str = "", **params: str) -> Iterator[dict[str, Any]]:
        """The ``query`` objects of the answers to a query, one for each part of an answer.

        Args:
            follow: the continuation parameter that leads to further parts; others are let be.
            params: the parameters of the query.

        Raises:
            RepositoryUnavailable: the wiki cannot be asked, or answered an error or nonsense.
            DeadlineExceeded: the time of the request that is being answered is up.
        """
        base = {"action": "query", "format": "json", "formatversion": "2", **params}
        position: dict[str, str] = {}
        total = 0
        for _ in range(_MOST_ROUNDS):
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
        raise RepositoryUnavailable("the answer does not come to an end")

    def _ask(self, params: Mapping[str, str]) -> tuple[dict[str, Any], int]:
        budget = self._budgets.current
        start = self._clock()
        try:
            with self._turns.take(min(LONGEST_WAIT, budget.left, self._may_still_wait(budget))):
                seconds = min(self._bounds.seconds, budget.left, self._may_still_wait(budget))
                if seconds <= 0 or not budget.may_fetch():
                    raise RepositoryUnavailable("this request has asked long or often enough")
                return self._answer(params, seconds)
        except RepositoryUnavailable:
            budget.check()
            raise
        finally:
            self._waited.seconds += self._clock() - start

    def _answer(self, params: Mapping[str, str], seconds: float) -> tuple[dict[str, Any], int]:
        start = self._clock()
        try:
            body = self._fetcher.ask(params, seconds)
            answer = _decode(body)
        except _QuestionRefused:
            raise
        except RepositoryUnavailable:
            in_time = self._clock() - start < seconds
            if in_time or seconds >= min(_FAIR, self._bounds.seconds):
                self._turns.note_failure()
            raise
        self._turns.note_answer()
        return answer, len(body)

    def _may_still_wait(self, budget: Budget) -> float:
        """Seconds that this thread may still wait for this wiki in the request it answers.

        What is left of the request's time is for its own work. Without a request there is no end.
        """
        if self._waited.budget is not budget:
            self._waited.budget, self._waited.seconds = budget, 0.0
        if not budget.allowance.seconds:
            return self._bounds.seconds
        return _IN_ALL * self._bounds.seconds - self._waited.seconds


class _Waited(threading.local):
    """How long a thread has waited in the request that it answers."""

    budget: Budget | None = None
    seconds = 0.0


class _Turns:
    """Which threads may ask now.

    Some may ask at the same time, so that the other threads of the server are free whatever the
    wiki does. A wiki that failed rests for a while, then one thread finds out whether it is well.
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
        """A turn; raises RepositoryUnavailable if there is none within so many seconds."""
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
        """The wiki is well."""
        self._has_failed = False

    def note_failure(self) -> None:
        """Let the wiki rest."""
        with self._changed:
            self._has_failed = True
            self._rests_until = self._clock() + RETRY_AFTER
            self._changed.notify_all()

    def _why_not(self) -> str:
        if not self._has_failed:
            return "" if self._running < self._at_once else "others wait for it already"
        pause = self._rests_until - self._clock()
        if pause > 0:
            return f"it failed to answer; asked again in {pause:.0f} s"
        return "it failed to answer and is being tried again" if self._running else ""


class _QuestionRefused(RepositoryUnavailable):
    """The wiki is well and finds fault with what it was asked, so that it need not rest."""


def _decode(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body, parse_constant=_refuse)
        if _SURROGATE.search(body):
            answer = json.loads(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise RepositoryUnavailable("the answer is not JSON") from error
    if not isinstance(answer, dict):
        raise RepositoryUnavailable("the answer is no object")
    if problem := answer.get("error"):
        code = str(problem.get("code") if isinstance(problem, dict) else problem)[:100]
        kind = _QuestionRefused if code.startswith(_ABOUT_QUESTIONS) else RepositoryUnavailable
        raise kind(f"the answer is the error {code!r}")
    return answer


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


Value = TypeVar("Value")


class ExpiringCache(Generic[Value]):
    """A cache in which everything has the same life time. Safe to use from several threads."""

    def __init__(
        self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Keep at most so many bytes; 0 seconds remember nothing."""
        self._seconds = seconds
        self._entries = MemoryCache(most, clock)

    def get(self, key: Hashable) -> tuple[Value] | None:
        """The value of a key, in a tuple of one: a remembered ``None`` is a value too."""
        return cast("tuple[Value] | None", self._entries.get(key))

    def put(self, key: Hashable, value: Value, size: int) -> None:
        """Remember a value of so many bytes, unless it alone is larger than the cache."""
        self._entries.put(key, (value,), seconds=self._seconds, size=size)
