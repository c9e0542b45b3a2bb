"""The interface of the caches that a configuration names."""

from __future__ import annotations

from typing import Protocol


class Cache(Protocol):
    """Holds values for a limited time. Safe to use from several threads; never raises."""

    enabled: bool
    """Whether a value that is put in can be found again at all."""

    def get(self, key: str) -> object | None:
        """Return the value of a key, None if there is none or its time is over.

        It may be the very object that was put in, so it must not be changed.
        """

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Cache a value.

        Args:
            key: any text; keys of several wikis must differ.
            value: an object other than None that can be pickled.
            seconds: how long it may be used.
            size: its size in bytes, roughly.
        """

    def close(self) -> None:
        """Close connections; the cache cannot be used again."""


class NoCache:
    """Never holds anything."""

    enabled = False

    def get(self, key: str) -> object | None:
        """Return None."""

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
