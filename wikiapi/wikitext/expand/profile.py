"""Measures the time that each template takes, for the transclusion expansion time report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

TOTAL = "-total"


class TransclusionProfile:
    """Seconds and calls by template name. Times include the templates that a template uses."""

    def __init__(self) -> None:
        """Create an empty profile."""
        self._seconds: dict[str, float] = {}
        self._calls: dict[str, int] = {}
        self._running: dict[str, int] = {}

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Measure a call. The time of a call nested in another of the same name counts once."""
        self._running[name] = self._running.get(name, 0) + 1
        start = perf_counter()
        try:
            yield
        finally:
            self._running[name] -= 1
            self._calls[name] = self._calls.get(name, 0) + 1
            if not self._running[name]:
                self._seconds[name] = self._seconds.get(name, 0.0) + perf_counter() - start

    def rows(self, limit: int) -> list[tuple[float, float, int, str]]:
        """Return per cent of the total, milliseconds, calls and name; the slowest first."""
        total = self._seconds.get(TOTAL) or 1e-9
        names = sorted(self._seconds, key=lambda name: -self._seconds[name])
        return [
            (100 * self._seconds[name] / total, 1000 * self._seconds[name], self._calls[name], name)
            for name in names[:limit]
        ]
