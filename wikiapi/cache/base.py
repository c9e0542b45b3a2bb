"""The interface of the caches that can be configured."""

from __future__ import annotations

from typing import Protocol


class Cache(Protocol):
    """Holds values for a limited time. Safe to use from several threads; never raises."""

    enabled: bool
    """False if nothing is ever stored, so that callers can skip preparing values."""

    def get(self, key: str) -> object | None:
        """Return the value of a key, or None if there is none or it has expired.

        The value may be the same object that was passed to :meth:`put`, so it must not be changed.
        """

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Cache a value.

        Args:
            key: any text; the keys of different wikis must differ.
            value: a picklable object other than None.
            seconds: how long the value is valid.
            size: its approximate size in bytes.
        """

    def close(self) -> None:
        """Close connections; the cache cannot be used again."""


class NoCache:
    """A cache that stores nothing."""

    enabled = False

    def get(self, key: str) -> object | None:
        """Return None."""

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
