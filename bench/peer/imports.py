"""Imports of the dump by wikiapi and MediaWiki in turns, each time into a new, empty wiki.

For wikiapi, this is one command. MediaWiki is measured in two ways: as its manual describes, which
creates pages, links, search index, recent changes and statistics like wikiapi's import, and in the
shortest way, which imports only pages and links.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.peer.cpu import Cost, cost_of
from bench.peer.dump import Dump
from bench.peer.emptywiki import EmptyWiki
from bench.peer.linktables import agreement
from bench.peer.maintenance import Maintenance
from bench.peer.mediawiki import import_full, import_lean
from bench.peer.store import Store
from bench.report import Figure

Import = Callable[[Maintenance, Path], None]

MAX_ROUNDS = 3
MAX_RATIO = 0.1
"""Target of wikiapi's time divided by MediaWiki's, both with all derived data."""


@dataclass
class Imports:
    """The cost of each import by round, and the percentage of links that both found."""

    ours: list[Cost] = field(default_factory=list)
    full: list[Cost] = field(default_factory=list)
    lean: list[Cost] = field(default_factory=list)
    agreement: float = 0.0


def measure_imports(
    empty: EmptyWiki, store: Store, dump: Dump, interwiki: str, rounds: int
) -> Imports:
    """Import in turns; the store of the last import remains."""
    costs_by_kind = Imports()
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        wiki = Path(folder, "wiki")
        for turn in range(rounds):
            print(f"importing, round {turn + 1} of {rounds}", flush=True)
            # Alternate the order, so that neither is always the second one.
            if turn % 2:
                costs_by_kind.ours.append(store.fill(dump, interwiki))
            costs_by_kind.lean.append(_into_mediawiki(import_lean, empty, wiki, dump))
            costs_by_kind.full.append(_into_mediawiki(import_full, empty, wiki, dump))
            if not turn % 2:
                costs_by_kind.ours.append(store.fill(dump, interwiki))
        costs_by_kind.agreement = agreement(wiki / "data" / "peer.sqlite", store.database)
    return costs_by_kind


def _into_mediawiki(way: Import, empty: EmptyWiki, folder: Path, dump: Dump) -> Cost:
    scripts = empty.copy(folder)
    return cost_of(lambda: way(scripts, dump.path))


def figures(costs_by_kind: Imports) -> Iterator[Figure]:
    """Yield the medians, and the ratios of wikiapi's to MediaWiki's."""
    for name, kind in (("clock", "wall"), ("CPU", "cpu")):
        full, lean, ours = (
            statistics.median(getattr(cost, kind) for cost in costs)
            for costs in (costs_by_kind.full, costs_by_kind.lean, costs_by_kind.ours)
        )
        yield Figure(f"{name}, all: MediaWiki", full, "s", 1.0)
        yield Figure(f"{name}, all: wikiapi", ours, "s", ours / full, MAX_RATIO)
        yield Figure(f"{name}, only links: MediaWiki", lean, "s", 1.0)
        yield Figure(f"{name}, to only links: wikiapi", ours, "s", ours / lean)
    yield Figure("links that both found", costs_by_kind.agreement, "%")
