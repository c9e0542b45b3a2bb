"""CPU time of ``action=parse`` with ``parser=parsoid``, as a ratio to that with the other parser.

The requests are the recorded ones, of whole pages and of texts, if the reference wiki is available,
and otherwise those for the pages of the demo wiki. No rendering is cached, but the trees of
templates and modules are, as in production. Both parsers take turns in one process; the smaller
time of each counts, because other work can only add to it.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bench.report import Figure, publish
from bench.wikis import largest
from tests.reference import material
from tests.reference.replay import recorded_rows
from wikiapi.factory import open_site
from wikiapi.site import Site
from wikiapi.testing.asking import ask

ROUNDS = 3
MAX_RATIO = 1.5
"""The largest allowed ratio of times for all pages together."""
Params = Mapping[str, str]


def run() -> bool:
    """Measure; return whether the target is met."""
    with tempfile.TemporaryDirectory() as state, largest(Path(state)) as config:
        site = open_site(replace(config, cache=replace(config.cache, url="")))
        with closing(site.db):
            requests = _recorded() if material.available() else {"page": _pages(site)}
            rows = [row for kind, each in requests.items() for row in _figures(site, kind, each)]
            return publish("parsoid", rows)


def _recorded() -> Mapping[str, Sequence[Params]]:
    """Return the recorded requests by the kind of what they render: a page or a text."""
    requests = defaultdict[str, list[Params]](list)
    for row in recorded_rows("parsoid"):
        requests[row["group"].removeprefix("parsoid-")].append(row["params"])
    return requests


def _pages(site: Site) -> Sequence[Params]:
    pages = ask(site, {"action": "query", "list": "allpages", "aplimit": "max"}).data
    return [
        {"action": "parse", "pageid": str(page["pageid"]), "prop": "text", "parser": "parsoid"}
        for page in pages["query"]["allpages"]
    ]


def _figures(site: Site, kind: str, requests: Sequence[Params]) -> list[Figure]:
    times = [_times(site, params) for params in requests]
    legacy, parsoid = (sum(each) * 1000 for each in zip(*times, strict=True))
    median = statistics.median(parsoid / legacy for legacy, parsoid in times)
    target = MAX_RATIO if kind == "page" else None
    return [
        Figure(f"{len(requests)} {kind}s, legacy", legacy, "ms", 1.0),
        Figure(f"{len(requests)} {kind}s, Parsoid's", parsoid, "ms", parsoid / legacy, target),
        Figure(f"median ratio for a {kind}", median, ""),
    ]


def _times(site: Site, params: Params) -> tuple[float, float]:
    """Return the CPU seconds of a request with either parser; each is sent once before."""
    rounds = [
        [_seconds(site, {**params, "parser": parser}) for parser in ("legacy", "parsoid")]
        for _ in range(ROUNDS + 1)
    ]
    legacy, parsoid = (min(each) for each in zip(*rounds[1:], strict=True))
    return legacy, parsoid


def _seconds(site: Site, params: Params) -> float:
    start = time.thread_time()
    ask(site, params)
    return time.thread_time() - start
