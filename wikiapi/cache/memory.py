"""A cache in the memory of this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import NamedTuple

from cachetools import TLRUCache

OVERHEAD = 512
"""Bytes that an entry costs beside its value, roughly."""


class _Entry(NamedTuple):
    value: object
    seconds: float
    size: int


class MemoryCache:
    """Keeps objects up to a total size; the least recently used go first."""

    keeps = True

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Keep at most so many bytes."""
        self._lock = Lock()
        self._entries: TLRUCache[Hashable, _Entry] = TLRUCache(
            most, ttu=_until, timer=clock, getsizeof=_size
        )

    def get(self, key: Hashable) -> object | None:
        """The very object that was put in."""
        with self._lock:
            entry = self._entries.get(key)
        return entry.value if entry else None

    def put(self, key: Hashable, value: object, *, seconds: float, size: int) -> None:
        """Keep an object, unless it alone is larger than the cache."""
        entry = _Entry(value, seconds, size + OVERHEAD)
        with self._lock:
            if entry.size <= self._entries.maxsize:
                self._entries[key] = entry

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()

    def __len__(self) -> int:
        """Number of objects kept."""
        with self._lock:
            return len(self._entries)


def _until(_key: object, entry: _Entry, now: float) -> float:
    return now + entry.seconds


def _size(entry: _Entry) -> int:
    return entry.size
