"""Coalescing: one thread computes what several need at the same time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class _Flight(Generic[Value]):
    """A computation that is going on."""

    def __init__(self) -> None:
        self.ended = Event()
        self.made: tuple[Value] | None = None


class Coalescer(Generic[Value]):
    """Runs a function once for all threads that need the same key at the same time."""

    def __init__(self, patience: float = 30.0) -> None:
        """Let threads wait ``patience`` seconds before they compute the value themselves."""
        self._patience = patience
        self._flights: dict[str, _Flight[Value]] = {}
        self._lock = Lock()

    def run(self, key: str, make: Callable[[], Value], patience: float | None = None) -> Value:
        """Return the result of ``make``, computed here or in the thread that was first.

        An exception is raised in the first thread only; the others then call ``make`` themselves.
        A ``patience`` shortens the wait for this call.
        """
        mine: _Flight[Value] = _Flight()
        with self._lock:
            flight = self._flights.setdefault(key, mine)
        if flight is mine:
            return self._lead(key, mine, make)
        flight.ended.wait(self._patience if patience is None else min(patience, self._patience))
        return flight.made[0] if flight.made else make()

    def _lead(self, key: str, flight: _Flight[Value], make: Callable[[], Value]) -> Value:
        try:
            value = make()
            flight.made = (value,)
            return value
        finally:
            with self._lock:
                del self._flights[key]
            flight.ended.set()
