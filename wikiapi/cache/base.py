"""What every cache offers."""

from __future__ import annotations

from typing import Protocol


class Cache(Protocol):
    """Keeps values under keys for a while. Safe to use from several threads; never raises.

    ``keeps`` says whether anything that is put in may ever be found again.
    """

    keeps: bool

    def get(self, key: str) -> object | None:
        """The value of a key; ``None`` if there is none (any more).

        It may be the very object that was put in, so nobody changes it.
        """

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Keep a value.

        Args:
            key: any text; keys of several wikis must differ.
            value: what can be pickled and is not ``None``.
            seconds: how long it is good.
            size: what it costs in bytes, roughly.
        """

    def close(self) -> None:
        """Let go of what the cache holds open; it is not used any more."""


class NoCache:
    """Keeps nothing."""

    keeps = False

    def get(self, key: str) -> object | None:
        """Nothing."""

    def put(self, key: str, value: object, *, seconds: int, size: int) -> None:
        """Forget the value at once."""

    def close(self) -> None:
        """Nothing is open."""
