"""Answers remembered for a while."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from wikiapi.cache.memory import MemoryCache

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Value = TypeVar("Value")


class ExpiringCache(Generic[Value]):
    """A cache in which everything has the same life time. Safe to use from several threads."""

    def __init__(
        self, seconds: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Keep at most so many bytes; 0 seconds remember nothing."""
        self._seconds = seconds
        self._entries = MemoryCache(most, clock)

    def get(self, key: Hashable) -> tuple[Value] | None:
        """The value of a key, in a tuple of one: a remembered ``None`` is a value too."""
        return cast("tuple[Value] | None", self._entries.get(key))

    def put(self, key: Hashable, value: Value, size: int) -> None:
        """Remember a value of so many bytes, unless it alone is larger than the cache."""
        self._entries.put(key, (value,), seconds=self._seconds, size=size)
