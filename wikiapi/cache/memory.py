"""Caches in the memory of this process, bounded in bytes, that evict the least recently used value.

Both are safe to use from several threads, and return the same objects that were put in. For
functions of short texts there is :func:`wikiapi.memoize.memoize`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache, TLRUCache

Key = TypeVar("Key")
Value = TypeVar("Value")

OVERHEAD = 512
"""The approximate bytes that an entry takes in addition to its key and value."""


class BoundedCache(Generic[Key, Value]):
    """Caches values of one type that do not expire."""

    def __init__(self, max_bytes: int) -> None:
        """Create a cache of at most ``max_bytes``."""
        self._lock = Lock()
        self._entries: LRUCache[Key, tuple[Value, int]] = LRUCache(
            max_bytes, getsizeof=lambda entry: entry[1]
        )

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if there is none."""
        with self._lock:
            entry = self._entries.get(key)
        return None if entry is None else entry[0]

    def put(self, key: Key, value: Value, size: int) -> None:
        """Set the value of a key; a value larger than the cache is not stored.

        ``size`` is the size of the key and the value in bytes.
        """
        size += OVERHEAD
        with self._lock:
            self._entries.pop(key, None)
            if size <= self._entries.maxsize:
                self._entries[key] = value, size

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self._entries)


class _Entry(NamedTuple):
    value: object
    seconds: float
    size: int


class MemoryCache:
    """Caches values of any type, each for its own number of seconds."""

    enabled = True

    def __init__(self, max_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Create a cache of at most ``max_bytes``."""
        self._lock = Lock()
        self._entries: TLRUCache[Hashable, _Entry] = TLRUCache(
            max_bytes,
            ttu=lambda _key, entry, now: now + entry.seconds,
            timer=clock,
            getsizeof=lambda entry: entry.size,
        )

    def get(self, key: Hashable) -> object | None:
        """Return the value of a key, or None if there is none or it has expired."""
        with self._lock:
            entry = self._entries.get(key)
        return entry.value if entry else None

    def put(self, key: Hashable, value: object, *, seconds: float, size: int) -> None:
        """Cache a value for a number of seconds; one larger than the cache is not stored."""
        entry = _Entry(value, seconds, size + OVERHEAD)
        with self._lock:
            if entry.size <= self._entries.maxsize:
                self._entries[key] = entry

    def close(self) -> None:
        """Remove all values."""
        with self._lock:
            self._entries.clear()

    def __len__(self) -> int:
        """Return the number of values."""
        with self._lock:
            return len(self._entries)
