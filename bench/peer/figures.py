"""Figures of the samples: medians, totals and ratios of wikiapi to MediaWiki."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from bench.peer.measure import Pair
from bench.report import Figure


def medians(name: str, pairs: Sequence[Pair], max_ratio: float | None = None) -> Iterator[Figure]:
    """Yield the medians of both servers; ``max_ratio`` is the target of their ratio."""
    theirs = statistics.median(pair.theirs.median for pair in pairs) * 1000
    ours = statistics.median(pair.ours.median for pair in pairs) * 1000
    yield from _both(f"{name}, median", theirs, ours, "ms", max_ratio)
    theirs = statistics.median(pair.theirs.cpu_median for pair in pairs) * 1000
    ours = statistics.median(pair.ours.cpu_median for pair in pairs) * 1000
    yield from _both(f"{name}, median CPU time", theirs, ours, "ms", None)


def totals(name: str, pairs: Sequence[Pair], max_ratio: float | None = None) -> Iterator[Figure]:
    """Yield the total time of all requests."""
    theirs = sum(pair.theirs.median for pair in pairs)
    ours = sum(pair.ours.median for pair in pairs)
    yield from _both(f"{name}, total", theirs, ours, "s", max_ratio)
    theirs = sum(pair.theirs.cpu_median for pair in pairs)
    ours = sum(pair.ours.cpu_median for pair in pairs)
    yield from _both(f"{name}, total CPU time", theirs, ours, "s", None)


def first(name: str, pairs: Sequence[Pair]) -> Iterator[Figure]:
    """Yield the total time of all requests in the first round, with nothing cached."""
    theirs = sum(pair.theirs.first for pair in pairs)
    ours = sum(pair.ours.first for pair in pairs)
    yield from _both(f"{name}, 1st round", theirs, ours, "s", None)


def _both(
    name: str, theirs: float, ours: float, unit: str, max_ratio: float | None
) -> Iterator[Figure]:
    yield Figure(f"{name}: MediaWiki", theirs, unit, 1.0)
    yield Figure(f"{name}: wikiapi", ours, unit, ours / theirs, max_ratio)
