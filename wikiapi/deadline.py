"""How long a request may take, whatever it does.

SQL and Lua are bounded on their own; this bounds everything together. Whoever works for long looks
at the request's deadline now and then, and is thrown out of its work once the time is up: nothing
that is half done is answered or kept.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wikiapi.errors import DeadlineExceeded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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

    @property
    def left(self) -> float:
        """Seconds that are left, 0 if none are."""
        return max(0.0, self._moment - self._clock())


class Deadlines:
    """The deadlines that are in force on one site, one for each thread that answers a request."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Measure with a clock that never goes back, in seconds."""
        self._clock = clock
        self._never = Deadline(_FOREVER, clock)
        self._own = threading.local()

    @property
    def current(self) -> Deadline:
        """That of this thread's request; one that never comes where there is none."""
        found: Deadline = getattr(self._own, "deadline", self._never)
        return found

    @contextmanager
    def within(self, seconds: float) -> Iterator[Deadline]:
        """Give this thread so long for the block; 0 is for ever.

        An enclosing deadline that comes sooner stays in force.
        """
        outer = self.current
        asked = Deadline(seconds or _FOREVER, self._clock)
        self._own.deadline = inner = min(asked, outer, key=lambda deadline: deadline.left)
        try:
            yield inner
        finally:
            self._own.deadline = outer
