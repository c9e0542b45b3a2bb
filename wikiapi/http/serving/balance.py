"""Distributes connections evenly over processes that accept them from the same socket.

The system wakes all processes that wait for a connection, and the first one accepts it. Of several
connections that are opened at once, an idle process often accepts all before the others are awake.
Clients that keep their connections, as most do, are then all answered by one process. Therefore a
process that has more connections than another one lets the others go first.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_PROCESSES = 256
"""The maximum number of processes that are counted."""
_BYTES = 4
_NONE = 0xFFFF_FFFF
"""The number of a place without a process that accepts connections."""
_HEAD_START = 0.001
"""Seconds that a process waits before it accepts a connection if another one has fewer."""


class ConnectionCounts:
    """The numbers of connections of all processes, in memory that they share.

    The process that starts the others creates it, and gives each of them a place.
    """

    def __init__(self) -> None:
        """Map the memory, which processes that are forked later inherit."""
        self._numbers = memoryview(mmap.mmap(-1, _PROCESSES * _BYTES)).cast("I")
        self._free = list(range(_PROCESSES))
        for index in self._free:
            self._numbers[index] = _NONE

    def take(self) -> Place | None:
        """Return a place for a new process, or ``None`` if all are taken."""
        return Place(self._numbers, self._free.pop(0)) if self._free else None

    def release(self, place: Place) -> None:
        """Make the place of a process that has ended available again."""
        place.set(None)
        self._free.append(place.index)


@dataclass(frozen=True)
class Place:
    """The place of one process among the numbers of all."""

    numbers: memoryview
    index: int

    def set(self, number: int | None) -> None:
        """Set the number of connections of this process, ``None`` if it does not accept any."""
        self.numbers[self.index] = _NONE if number is None else number

    def is_above_least(self) -> bool:
        """Return whether another process has fewer connections."""
        return bool(self.numbers[self.index] > min(self.numbers))


def let_others_accept_first(listener: Any, place: Place) -> None:
    """Make a listener of waitress wait a moment if another process has fewer connections.

    If the other process has accepted the connection by then, nothing happens.
    """
    accept: Callable[[], None] = listener.handle_accept

    def accept_after_others() -> None:
        if place.is_above_least():
            time.sleep(_HEAD_START)
        accept()

    listener.handle_accept = accept_after_others
