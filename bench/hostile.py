"""Rendering time of hostile texts: a text of twice the length may take at most 2.3 times as long.

Measures the CPU time of the fastest of three rounds, at a size that takes at least 0.1 s.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from bench.hostile_texts import TEXTS
from bench.report import Figure, publish
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions

GROWTH = 2.3
_ROUNDS = 3
_MIN_SECONDS = 0.1
_FIRST_SIZE = 500
_LAST_SIZE = 16_000
_OPTIONS = ParserOptions(limit_report=False)


def run() -> bool:
    """Measure; return whether the targets are met."""
    # Trees are not cached, because rendering from a cached tree would cost little.
    site = make_site(config={"limits": {"template_cache_bytes": 0}})
    with closing(site.db), _without_gc():
        figures = [_measure(site, name) for name in TEXTS]
    return publish("hostile", figures)


@contextmanager
def _without_gc() -> Iterator[None]:
    """Disable the garbage collector inside the block, because it runs at unpredictable moments."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _measure(site: Site, name: str) -> Figure:
    size, seconds = _FIRST_SIZE, _seconds(site, TEXTS[name](_FIRST_SIZE))
    while seconds < _MIN_SECONDS and size < _LAST_SIZE:
        size *= 2
        seconds = _seconds(site, TEXTS[name](size))
    doubled = _seconds(site, TEXTS[name](2 * size))
    return Figure(name, doubled, "s", doubled / seconds, GROWTH)


def _seconds(site: Site, text: str) -> float:
    title = site.titles.parse("Page")
    rounds = []
    for _ in range(_ROUNDS):
        # Garbage of earlier texts must not count for this one.
        gc.collect()
        start = time.process_time()
        site.parser.parse(text, title, _OPTIONS)
        rounds.append(time.process_time() - start)
    return min(rounds)
