"""Coalesces computations: one thread computes a value that several need at the same time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class _Flight(Generic[Value]):
    """A computation in progress. ``made`` is its result in a tuple, or None if it failed."""

    def __init__(self) -> None:
        self.ended = Event()
        self.made: tuple[Value] | None = None


class Coalescer(Generic[Value]):
    """Runs a function once for all threads that need the same key at the same time."""

    def __init__(self, patience: float = 30.0) -> None:
        """Let threads wait up to ``patience`` seconds before they compute a value themselves."""
        self._patience = patience
        self._flights: dict[str, _Flight[Value]] = {}
        self._lock = Lock()

    def run(self, key: str, make: Callable[[], Value], patience: float | None = None) -> Value:
        """Return the result of ``make``, called here or in the first thread that needed the key.

        If ``make`` raises an exception in the first thread, the others call ``make`` themselves.
        ``patience`` can shorten the wait of this call, but not extend it.
        """
        mine: _Flight[Value] = _Flight()
        with self._lock:
            flight = self._flights.setdefault(key, mine)
        if flight is mine:
            try:
                value = make()
                mine.made = (value,)
                return value
            finally:
                with self._lock:
                    del self._flights[key]
                mine.ended.set()
        flight.ended.wait(self._patience if patience is None else min(patience, self._patience))
        return flight.made[0] if flight.made else make()
