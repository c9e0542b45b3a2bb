"""A cache for what is made often and needed again soon: the least recently used goes first."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

OVERHEAD = 256
"""Bytes that an entry costs beside its key and its value, roughly."""


class BoundedCache(Generic[Key, Value]):
    """Keeps values up to a total size in bytes. Safe to use from several threads.

    :class:`~wikiapi.cache.memory.MemoryCache` is for what is good for a while only. This one is
    for where it counts what a look costs.
    """

    def __init__(self, most: int) -> None:
        """Keep at most so many bytes."""
        self._most = most
        self._size = 0
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """The value of a key, if it is kept: the very object that was put in."""
        with self._lock:
            try:
                self._entries.move_to_end(key)
                return self._entries[key][0]
            except KeyError:
                return None

    def put(self, key: Key, value: Value, size: int) -> None:
        """Keep a value, unless it alone is too large; ``size`` is that of key and value in bytes.

        What was kept under the key before is forgotten in any case.
        """
        size += OVERHEAD
        with self._lock:
            if (old := self._entries.pop(key, None)) is not None:
                self._size -= old[1]
            if size > self._most:
                return
            self._entries[key] = value, size
            self._size += size
            while self._size > self._most:
                _, (_, freed) = self._entries.popitem(last=False)
                self._size -= freed

    def __len__(self) -> int:
        """Number of values kept."""
        return len(self._entries)
