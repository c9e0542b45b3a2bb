"""Letting one thread make what several want at the same time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class _Flight(Generic[Value]):
    """Something that is being made."""

    def __init__(self) -> None:
        self.ended = Event()
        self.made: tuple[Value] | None = None


class Coalescer(Generic[Value]):
    """Runs a function once for all threads that ask for the same key meanwhile."""

    def __init__(self, patience: float = 30.0) -> None:
        """``patience``: seconds that a thread waits for another before it does the work itself."""
        self._patience = patience
        self._flights: dict[str, _Flight[Value]] = {}
        self._lock = Lock()

    def run(self, key: str, make: Callable[[], Value], patience: float | None = None) -> Value:
        """What ``make`` returns, here or in the thread that was first.

        An exception is the first thread's own; the others then try for themselves. ``patience``
        is for one that can wait for less than the others.
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
