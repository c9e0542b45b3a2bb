"""Until when the statements of a request may run."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol

from wikiapi.errors import StoreTimeout


class Holder(Protocol):
    """What has a deadline, or none."""

    deadline: Deadline | None


_PAUSE = 0.1
"""Seconds between statements after which the moment is set again: setting it costs time."""


class Deadline:
    """A block by whose end the statements of a thread must have ended.

    They also may not take longer than ``work`` seconds together. Time that passes between them does
    not count as theirs: a page whose modules compute for long may still query its links.
    """

    __slots__ = ("_end", "_ended", "_holder", "_outer", "_pauses", "moment")

    def __init__(self, holder: Holder, seconds: float, work: float | None) -> None:
        """Begin now; an enclosing deadline that comes sooner stays in force."""
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
        """Begin a statement, which may run until ``moment`` of the monotonic clock.

        Raises:
            StoreTimeout: that moment has passed.
        """
        now = time.monotonic()
        self._pauses += now - self._ended
        if self._pauses > _PAUSE:
            self.moment = min(self._end, self.moment + self._pauses)
            self._pauses = 0.0
        if now > self.moment:
            raise StoreTimeout("the time for this request is up")

    def end(self) -> None:
        """End the statement."""
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
            # What ran within counts as statements of the outer one.
            self._outer.end()
