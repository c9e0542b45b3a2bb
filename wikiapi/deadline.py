"""How long a request may take, whatever it does.

SQL and Lua are bounded on their own; this bounds everything together. Whoever works for long looks
at the request's deadline now and then, and is thrown out of its work once the time is up: nothing
that is half done is answered or kept.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from wikiapi.errors import DeadlineExceeded
from wikiapi.swapped import Swapped

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

_FOREVER = float("inf")


class Deadline:
    """A moment by which something must have ended."""

    __slots__ = ("_clock", "_moment", "seconds")

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Give it so many seconds from now, by a clock that never goes back."""
        self.seconds = seconds
        self._clock = clock
        self._moment = clock() + seconds

    def check(self) -> None:
        """Raise DeadlineExceeded if the time is up; costs next to nothing otherwise."""
        if self._clock() > self._moment:
            raise DeadlineExceeded(self.seconds)

    def sooner(self, other: Deadline) -> Deadline:
        """That of the two which comes first."""
        return other if other._moment < self._moment else self

    @property
    def left(self) -> float:
        """Seconds that are left, 0 if none are."""
        return max(0.0, self._moment - self._clock())


class Deadlines:
    """The deadlines that are in force on one site, one for each thread that answers a request."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Measure with a clock that never goes back, in seconds."""
        self._clock = clock
        self._own = _Own(Deadline(_FOREVER, clock))

    @property
    def current(self) -> Deadline:
        """That of this thread's request; one that never comes where there is none."""
        return self._own.deadline

    def within(self, seconds: float) -> AbstractContextManager[Deadline]:
        """Give this thread so long for the block; 0 is for ever.

        An enclosing deadline that comes sooner stays in force.
        """
        asked = Deadline(seconds or _FOREVER, self._clock)
        return Swapped(self._own, "deadline", asked.sooner(self.current))


class _Own(threading.local):
    """What each thread has of its own."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
