"""How far replicas are behind the primary database.

A position is a number that increases with everything that is written to the primary database. The
primary's is noted once a second; a replica lags by the age of the oldest note that it has not
reached, whatever the clocks of the servers say.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

INTERVAL = 1.0
"""Seconds between two measurements, which are made when they are asked for."""
_MOST_NOTES = 3_600


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a replica is: its position, and the age in seconds of what it replayed last.

    The age is also that of the last write of a wiki that nobody has written to for a long time.
    """

    position: int
    age: float


class _Note(NamedTuple):
    """The position of the primary at a time of the monotonic clock."""

    moment: float
    position: int


class Lags:
    """Measures by how many seconds each replica lags."""

    def __init__(
        self,
        position: Callable[[], int | None],
        progress: Callable[[int], Progress | None],
        number: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take functions that return the primary's position and the progress of a replica.

        They return ``None`` if it is unknown, because the database cannot be reached or is not a
        replica that follows the primary. ``number`` is that of the replicas.
        """
        self._position, self._progress, self._clock = position, progress, clock
        self._lags: list[float | None] = [None] * number
        self._notes: deque[_Note] = deque(maxlen=_MOST_NOTES)
        self._has_dropped = False
        self._due = float("-inf")
        self._measuring = threading.Lock()

    def now(self) -> list[float | None]:
        """Return the lag of each replica in seconds; ``None`` if it is unknown.

        They are measured at most once a second, by one thread at a time; the others get the last.
        """
        if self._clock() >= self._due and self._measuring.acquire(blocking=not self._notes):
            try:
                if self._clock() >= self._due:
                    self._lags = self._measured()
                    self._due = self._clock() + INTERVAL
            finally:
                self._measuring.release()
        return self._lags

    def _measured(self) -> list[float | None]:
        position = self._position()
        if position is not None and (not self._notes or position > self._notes[-1].position):
            self._has_dropped |= len(self._notes) == _MOST_NOTES
            self._notes.append(_Note(self._clock(), position))
        reached = [self._progress(number) for number in range(len(self._lags))]
        lags = [None if each is None else self._lag(each) for each in reached]
        positions = [each.position for each in reached if each is not None]
        # What every replica has reached tells nothing more, but the last note.
        while len(self._notes) > 1 and positions and self._notes[1].position <= min(positions):
            self._notes.popleft()
            self._has_dropped = True
        return lags

    def _lag(self, progress: Progress) -> float:
        missing = next((note for note in self._notes if note.position > progress.position), None)
        if missing is None:
            return 0.0
        if missing is self._notes[0] and not self._has_dropped:
            # It may have been missing for long before the first note.
            return progress.age
        return self._clock() - missing.moment
