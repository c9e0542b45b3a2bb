"""Answers remembered for a while."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Value = TypeVar("Value")


class ExpiringCache(Generic[Value]):
    """A cache with a life time in seconds and a bounded cost; the least recently used goes first.

    Safe to use from several threads.
    """

    def __init__(
        self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``most`` is the largest sum of the entries' costs; 0 seconds remember nothing."""
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._entries: OrderedDict[Hashable, tuple[float, int, Value]] = OrderedDict()
        self._cost = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> tuple[Value] | None:
        """The value of a key, in a tuple of one: a remembered ``None`` is a value too."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            if entry[0] <= self._clock():
                self._drop(key)
                return None
            self._entries.move_to_end(key)
            return (entry[2],)

    def put(self, key: Hashable, value: Value, cost: int = 1) -> None:
        """Remember a value, unless it alone costs more than everything may."""
        if self._seconds <= 0 or cost > self._most:
            return
        with self._lock:
            if key in self._entries:
                self._drop(key)
            self._entries[key] = (self._clock() + self._seconds, cost, value)
            self._cost += cost
            while self._cost > self._most:
                self._drop(next(iter(self._entries)))

    def _drop(self, key: Hashable) -> None:
        self._cost -= self._entries.pop(key)[1]
