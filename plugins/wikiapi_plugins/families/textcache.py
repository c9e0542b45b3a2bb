"""Texts kept in memory: the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")

_OVERHEAD = 200
"""Characters that an entry costs beside its text, roughly."""


class TextCache(Generic[Key]):
    """A thread-safe LRU cache whose size is counted in characters."""

    def __init__(self, most: int) -> None:
        """Keep at most so many characters."""
        self._most = most
        self._size = 0
        self._entries: OrderedDict[Key, str] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> str | None:
        """The text of a key, if it is kept."""
        with self._lock:
            text = self._entries.get(key)
            if text is not None:
                self._entries.move_to_end(key)
            return text

    def put(self, key: Key, text: str) -> None:
        """Keep a text, unless it alone is too long."""
        if _cost(text) > self._most:
            return
        with self._lock:
            if (old := self._entries.pop(key, None)) is not None:
                self._size -= _cost(old)
            self._entries[key] = text
            self._size += _cost(text)
            while self._size > self._most:
                _, oldest = self._entries.popitem(last=False)
                self._size -= _cost(oldest)

    def __len__(self) -> int:
        """Number of texts kept."""
        return len(self._entries)


def _cost(text: str) -> int:
    return len(text) + _OVERHEAD
