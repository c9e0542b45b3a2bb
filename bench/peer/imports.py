"""Both imports of the dump in one run: each time into a new, empty wiki, and in turns.

wikiapi's is one command. For MediaWiki there are two ways: what its manual tells to do, after which
pages, links, search index, recent changes and statistics are there as they are after wikiapi's; and
the shortest, which leaves out all but pages and links.
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

MOST_ROUNDS = 3
WITHIN = 0.1
"""wikiapi's time to MediaWiki's, both with all that is derived."""


@dataclass
class Imports:
    """What every import cost, round by round, and how far the links agree."""

    ours: list[Cost] = field(default_factory=list)
    full: list[Cost] = field(default_factory=list)
    lean: list[Cost] = field(default_factory=list)
    agreement: float = 0.0


def measured(empty: EmptyWiki, store: Store, dump: Dump, interwiki: str, rounds: int) -> Imports:
    """Import in turns; the store is left with the last one."""
    found = Imports()
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        wiki = Path(folder, "wiki")
        for turn in range(rounds):
            print(f"importing, round {turn + 1} of {rounds}", flush=True)
            # Neither is always the one that comes second.
            if turn % 2:
                found.ours.append(store.fill(dump, interwiki))
            found.lean.append(_into_mediawiki(import_lean, empty, wiki, dump))
            found.full.append(_into_mediawiki(import_full, empty, wiki, dump))
            if not turn % 2:
                found.ours.append(store.fill(dump, interwiki))
        found.agreement = agreement(wiki / "data" / "peer.sqlite", store.database)
    return found


def _into_mediawiki(way: Import, empty: EmptyWiki, folder: Path, dump: Dump) -> Cost:
    scripts = empty.copy(folder)
    return cost_of(lambda: way(scripts, dump.path))


def figures(found: Imports) -> Iterator[Figure]:
    """Medians, and the ratios of wikiapi's to MediaWiki's."""
    for name, kind in (("clock", "wall"), ("CPU", "cpu")):
        full, lean, ours = (
            statistics.median(getattr(cost, kind) for cost in costs)
            for costs in (found.full, found.lean, found.ours)
        )
        yield Figure(f"{name}, all: MediaWiki", full, "s", 1.0)
        yield Figure(f"{name}, all: wikiapi", ours, "s", ours / full, WITHIN)
        yield Figure(f"{name}, only links: MediaWiki", lean, "s", 1.0)
        yield Figure(f"{name}, to only links: wikiapi", ours, "s", ours / lean)
    yield Figure("links that both found", found.agreement, "%")
