"""Memory and time to send a large answer in pieces, compared with sending it as a whole.

Memory is Python's peak of allocations (tracemalloc) in addition to the tree of the answer; it does
not depend on the machine. The times are CPU times; the smallest counts, because other work can only
add to it.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bench.report import Figure, publish
from wikiapi.api import dispatch
from wikiapi.api.request import ApiRequest
from wikiapi.http.compression import compress, compress_pieces
from wikiapi.site import Site
from wikiapi.testing import make_context, make_site

ROUNDS = 7
MAX_MEMORY_RATIO = 0.25
"""This and the two below are maximum ratios to an answer that is sent as a whole."""
MAX_TIME_RATIO = 1.25
MAX_WAIT_RATIO = 0.25
_PAGES = 50
_ABOVE = 1_048_576
_LATIN = "plain text with a [[link]] and 'quotes' " * 3000
_CYRILLIC = "Съешь ещё этих мягких французских булок. " * 1800
_CONTENT = {"action": "query", "generator": "allpages", "gaplimit": "50", "format": "json",
            "prop": "revisions", "rvprop": "content", "rvslots": "main"}  # fmt: skip
_EXPORT = {"action": "query", "generator": "allpages", "gaplimit": "50", "export": "1",
           "exportnowrap": "1"}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A request for a large answer, and the content coding of the answer."""

    name: str
    text: str
    params: Mapping[str, str]
    coding: str = "identity"

    @property
    def has_tree(self) -> bool:
        """Whether the whole tree of the answer exists before anything is sent."""
        return "export" not in self.params


CASES = (
    Case("JSON", _LATIN, _CONTENT),
    Case("JSON, gzip", _LATIN, _CONTENT, "gzip"),
    Case("JSON, zstd", _LATIN, _CONTENT, "zstd"),
    Case("JSON, Cyrillic escaped", _CYRILLIC, _CONTENT),
    Case("XML", _LATIN, {**_CONTENT, "format": "xml"}),
    Case("PHP", _LATIN, {**_CONTENT, "format": "php"}),
    Case("export", _LATIN, _EXPORT),
    Case("export, gzip", _LATIN, _EXPORT, "gzip"),
)


def run() -> bool:
    """Measure; return whether the targets are met."""
    return publish("streaming", [figure for case in CASES for figure in _figures(case)])


def _figures(case: Case) -> list[Figure]:
    pages = {f"Page {number}": case.text for number in range(_PAGES)}
    sites = [make_site(pages, config={"http": {"stream_above": above}}) for above in (0, _ABOVE)]
    memory = [_memory(case, site) for site in sites]
    # They take turns, so that other work on the machine affects both.
    turns = [[_times(case, site) for site in sites] for _ in range(ROUNDS)]
    for site in sites:
        site.db.close()
    first, last = ([min(turn[way][n] for turn in turns) for way in (0, 1)] for n in (0, 1))
    return [
        Figure(
            f"{case.name}: memory", memory[1] / 1e6, "MB", memory[1] / memory[0], MAX_MEMORY_RATIO
        ),
        Figure(
            f"{case.name}: first byte", first[1] * 1000, "ms", first[1] / first[0], MAX_WAIT_RATIO
        ),
        Figure(f"{case.name}: last byte", last[1] * 1000, "ms", last[1] / last[0], MAX_TIME_RATIO),
    ]


def _memory(case: Case, site: Site) -> int:
    """Return the peak of the bytes allocated while an answer is sent."""
    held: list[int] = []

    def begin() -> None:
        gc.collect()
        tracemalloc.reset_peak()
        held.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    try:
        for _ in _sent(case, site, begin):
            pass
        return tracemalloc.get_traced_memory()[1] - held[0]
    finally:
        tracemalloc.stop()


def _times(case: Case, site: Site) -> tuple[float, float]:
    """Return the CPU seconds until the first byte and until the last."""
    moments: list[float] = []

    def note() -> None:
        moments.append(time.process_time())

    for _ in _sent(case, site, note):
        note()
    return moments[1] - moments[0], moments[-1] - moments[0]


def _sent(case: Case, site: Site, begin: Callable[[], None]) -> Iterator[bytes]:
    """Yield the pieces that a client receives; call ``begin`` when the tree is complete."""
    context = make_context(site, ApiRequest(params=case.params))
    if not case.has_tree:
        begin()
    dispatch.perform(context)
    if case.has_tree:
        begin()
    rendered = dispatch.render(context, site.config.http.stream_above)
    if rendered.pieces is None:
        yield compress(rendered.body, case.coding)[0]
    else:
        yield from compress_pieces(rendered.pieces, case.coding)[0]
