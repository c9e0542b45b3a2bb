"""The budget of a request: limits on time, steps, memory and requests to other servers.

One object limits everything that a request does. Code that may run for long calls
:meth:`Budget.step`, code that stores something until the request ends calls :meth:`Budget.keep`,
and code that contacts another server calls :meth:`Budget.may_fetch` first. The core makes these
calls around every stage, parser function, tag, strip marker and call from Lua, so plugins are
limited without doing anything themselves.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

from wikiapi.errors import BudgetExceeded, DeadlineExceeded
from wikiapi.temporary import temporary_attribute

__all__ = [
    "Budget",
    "Budgets",
]


_UNBOUNDED = float("inf")
_RESOURCES = ("seconds", "steps", "bytes")


class Allowance(NamedTuple):
    """The limits with which a budget starts; 0 means no limit."""

    seconds: float = 0.0
    steps: int = 0
    """Units of work: nodes expanded, functions and tags called, calls from Lua answered."""
    kept_bytes: int = 0
    """Memory for data stored until the request ends, such as strip markers' contents and headings.
    """
    fetches: int = 0
    """Requests to other servers."""


class Budget:
    """The remaining budget of one request, which is used by one thread at a time."""

    __slots__ = (
        "_clock",
        "_end",
        "_fetches_left",
        "_kept_left",
        "_least_left",
        "_steps_left",
        "allowance",
    )

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        """Start the budget's time now, as measured by ``clock``, which must be monotonic."""
        self.allowance = allowance
        self._clock = clock
        self._end = clock() + (allowance.seconds or _UNBOUNDED)
        self._steps_left = allowance.steps or _UNBOUNDED
        self._kept_left = self._least_left = allowance.kept_bytes or _UNBOUNDED
        self._fetches_left = allowance.fetches or _UNBOUNDED

    @property
    def left(self) -> float:
        """The seconds that remain, 0 if the time is up."""
        return max(0.0, self._end - self._clock())

    def check(self) -> None:
        """Raise DeadlineExceeded if the time is up."""
        if self._clock() > self._end:
            raise DeadlineExceeded(self.allowance.seconds)

    def step(self, count: int = 1) -> None:
        """Count ``count`` steps of work that is about to be done.

        Raises:
            DeadlineExceeded: the time is up.
            BudgetExceeded: the request has taken more steps than it may.
        """
        self._steps_left -= count
        if self._steps_left < 0:
            raise BudgetExceeded("steps", self.allowance.steps)
        if self._clock() > self._end:
            raise DeadlineExceeded(self.allowance.seconds)

    @property
    def limits(self) -> Mapping[str, float]:
        """The limits that there are, by the names that ``BudgetExceeded.resource`` has."""
        allowance = self.allowance
        limits = (allowance.seconds, allowance.steps, allowance.kept_bytes)
        return {name: limit for name, limit in zip(_RESOURCES, limits, strict=True) if limit}

    def shares_left(self) -> Mapping[str, float]:
        """Return the shares that remain of each limited resource, from 1 to 0."""
        remaining = (self.left, self._steps_left, self._kept_left)
        left = dict(zip(_RESOURCES, remaining, strict=True))
        return {name: max(0.0, left[name] / limit) for name, limit in self.limits.items()}

    def keep(self, value: object) -> None:
        """Count memory that is not released before the request ends.

        Args:
            value: the stored object, of which only its own size counts, without the objects it
                refers to; or a number of bytes.

        Raises:
            BudgetExceeded: the request has used more memory than it may.
        """
        self._kept_left -= value if isinstance(value, int) else sys.getsizeof(value)
        if self._kept_left < 0:
            raise BudgetExceeded("bytes", self.allowance.kept_bytes)

    @property
    def most_kept(self) -> int:
        """The highest number of bytes counted at any time; 0 if memory is not limited."""
        limit = self.allowance.kept_bytes
        return int(limit - min(self._least_left, self._kept_left)) if limit else 0

    @contextmanager
    def borrow(self, size: int) -> Iterator[None]:
        """Count ``size`` bytes as used within the block, besides what is kept.

        Raises:
            BudgetExceeded: on entering, if they are more than the request may use.
        """
        self.keep(size)
        try:
            yield
        finally:
            self._least_left = min(self._least_left, self._kept_left)
            self._kept_left += size

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Release the memory that is counted within the block at its end."""
        before = self._kept_left
        try:
            yield
        finally:
            self._least_left = min(self._least_left, self._kept_left)
            self._kept_left = before

    def may_fetch(self) -> bool:
        """Count a request to another server; return false if no more are allowed.

        Raises:
            DeadlineExceeded: the time is up.
        """
        self.check()
        self._fetches_left -= 1
        return self._fetches_left >= 0


class Budgets:
    """The budgets in force on one site, one for each thread that answers a request."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Take a monotonic clock that returns seconds."""
        self._clock = clock
        self.outside = Budget(Allowance(), clock)
        """The unlimited budget outside of requests and batches."""
        self._thread = _Thread(self.outside)

    @property
    def current(self) -> Budget:
        """The budget of this thread's request or batch; :attr:`outside` if there is none."""
        return self._thread.budget

    def begin(self, allowance: Allowance) -> AbstractContextManager[Budget]:
        """Return a context manager that gives this thread a budget, unless it already has one."""
        if self.current.allowance != Allowance():
            return self.use(self.current)
        return self.use(Budget(allowance, self._clock))

    def batch(self) -> AbstractContextManager[Budget]:
        """Return a context manager for a batch of work without limits.

        Within it, what requests look up once is looked up once for the batch. A thread that has a
        budget keeps it.
        """
        if self.current is self.outside:
            return self.use(Budget(Allowance(), self._clock))
        return self.use(self.current)

    def use(self, budget: Budget) -> AbstractContextManager[Budget]:
        """Return a context manager in which this thread uses an existing budget."""
        return temporary_attribute(self._thread, "budget", budget)


class _Thread(threading.local):
    """The state of each thread."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
