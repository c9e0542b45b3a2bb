"""The budget of a request: time, steps, memory and questions to other servers.

One object bounds everything that a request does. What works for long calls :meth:`Budget.step`,
what stays in memory until the request ends is counted by :meth:`Budget.keep`, and what asks another
server asks :meth:`Budget.may_fetch` first. The core does so around every stage, parser function,
tag, strip marker and call from Lua, so that a plugin is bounded without doing anything itself.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from wikiapi.errors import BudgetExceeded, DeadlineExceeded
from wikiapi.temporary import TemporaryAttribute

_UNBOUNDED = float("inf")


class Allowance(NamedTuple):
    """What a budget holds at its beginning; 0 means that something is not bounded."""

    seconds: float = 0.0
    steps: int = 0
    """Pieces of work: nodes expanded, functions and tags called, questions of Lua answered."""
    kept_bytes: int = 0
    """Memory for what stays until the request ends, such as pieces put aside or headings noted."""
    fetches: int = 0
    """Requests to other servers."""


class Budget:
    """What one request may still use. Used by one thread at a time."""

    __slots__ = ("_clock", "_end", "_fetches_left", "_kept_left", "_steps_left", "allowance")

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin now, by a clock that never goes back."""
        self.allowance = allowance
        self._clock = clock
        self._end = clock() + (allowance.seconds or _UNBOUNDED)
        self._steps_left = allowance.steps or _UNBOUNDED
        self._kept_left = allowance.kept_bytes or _UNBOUNDED
        self._fetches_left = allowance.fetches or _UNBOUNDED

    @property
    def left(self) -> float:
        """Seconds that are left, 0 if none are."""
        return max(0.0, self._end - self._clock())

    def check(self) -> None:
        """Raise DeadlineExceeded if the time is up."""
        if self._clock() > self._end:
            raise DeadlineExceeded(self.allowance.seconds)

    def step(self, count: int = 1) -> None:
        """Count work that is about to be done.

        Raises:
            DeadlineExceeded: the time is up.
            BudgetExceeded: there were more steps than a request may take.
        """
        self._steps_left -= count
        if self._steps_left < 0:
            raise BudgetExceeded("steps", self.allowance.steps)
        if self._clock() > self._end:
            raise DeadlineExceeded(self.allowance.seconds)

    def keep(self, value: object) -> None:
        """Count memory that is not given back before the request ends.

        Args:
            value: the value, whose own size counts without that of what it refers to; or a number
                of bytes.

        Raises:
            BudgetExceeded: a request may not use that much.
        """
        self._kept_left -= value if isinstance(value, int) else sys.getsizeof(value)
        if self._kept_left < 0:
            raise BudgetExceeded("bytes", self.allowance.kept_bytes)

    def scope(self) -> AbstractContextManager[object]:
        """Return a block at whose end the memory counted within it has been given back."""
        return TemporaryAttribute(self, "_kept_left", self._kept_left)

    def may_fetch(self) -> bool:
        """Count a request to another server; false if there have been enough.

        Raises:
            DeadlineExceeded: the time is up.
        """
        self.check()
        self._fetches_left -= 1
        return self._fetches_left >= 0


class Budgets:
    """The budgets in force on one site, one for each thread that answers a request."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Measure with a clock that never goes back, in seconds."""
        self._clock = clock
        self._thread = _Thread(Budget(Allowance(), clock))

    @property
    def current(self) -> Budget:
        """The budget of this thread's request; one without bounds where there is none."""
        return self._thread.budget

    def begin(self, allowance: Allowance) -> AbstractContextManager[Budget]:
        """Return a block in which this thread has a budget; one already in force goes on."""
        if self.current.allowance != Allowance():
            return self.use(self.current)
        return self.use(Budget(allowance, self._clock))

    def use(self, budget: Budget) -> AbstractContextManager[Budget]:
        """Return a block in which this thread draws on a budget that has begun already."""
        return TemporaryAttribute(self._thread, "budget", budget)


class _Thread(threading.local):
    """What each thread has of its own."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
