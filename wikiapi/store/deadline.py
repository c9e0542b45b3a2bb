"""The time limit for the SQL statements of a request."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol

from wikiapi.errors import StoreTimeout


class Holder(Protocol):
    """An object that may have a deadline."""

    deadline: Deadline | None


_PAUSE = 0.1
"""Total seconds between statements after which ``moment`` is moved, as moving it costs time."""


class Deadline:
    """A context manager that limits the time of a thread's statements.

    They must end within ``seconds``, and may not take more than ``work`` seconds in total. Time
    between statements does not count as work, so that a page whose Lua modules compute for a long
    time can still query its links.
    """

    __slots__ = ("_end", "_ended", "_holder", "_outer", "_pauses", "moment")

    def __init__(self, holder: Holder, seconds: float, work: float | None) -> None:
        """Start the time now. An enclosing deadline that ends sooner remains in force."""
        now = time.monotonic()
        self._holder = holder
        self._outer = holder.deadline
        self._end = now + seconds
        self.moment = self._end if work is None else min(self._end, now + work)
        if self._outer:
            self._end = min(self._end, self._outer._end)
            self.moment = min(self.moment, self._outer.moment)
        self._ended = now
        self._pauses = 0.0

    def begin(self) -> None:
        """Note that a statement begins, which may run until ``moment`` of the monotonic clock.

        Raises:
            StoreTimeout: that time has passed.
        """
        now = time.monotonic()
        self._pauses += now - self._ended
        if self._pauses > _PAUSE:
            self.moment = min(self._end, self.moment + self._pauses)
            self._pauses = 0.0
        if now > self.moment:
            raise StoreTimeout("the time for this request is up")

    def end(self) -> None:
        """Note that the statement has ended."""
        self._ended = time.monotonic()

    def __enter__(self) -> Deadline:
        self._holder.deadline = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._holder.deadline = self._outer
        if self._outer:
            # Time spent in this block is not a pause between statements of the outer deadline.
            self._outer.end()
