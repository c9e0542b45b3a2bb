"""Work that several requests want at once is done by one of them."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator


class OneAtATime:
    """A lock for each key, kept as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        """Nobody holds anything."""
        self._guard = Lock()
        self._locks: dict[Hashable, tuple[Lock, int]] = {}

    @contextmanager
    def holding(self, key: Hashable) -> Iterator[None]:
        """Wait until nobody else is within a block of the same key."""
        with self._guard:
            lock, users = self._locks.get(key, (Lock(), 0))
            self._locks[key] = lock, users + 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, users = self._locks.pop(key)
                if users > 1:
                    self._locks[key] = lock, users - 1
