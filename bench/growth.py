"""Latency on a wiki of many pages compared with one of ten thousand, at random positions.

Run it by ``python -m bench growth --pages 1000000``. Requests are sent to both wikis in turns, in
one process, with different titles each time, so that no cache can answer them.
"""

from __future__ import annotations

import gc
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from wsgiref.types import WSGIApplication

from bench import growth_store as store
from bench.inprocess import query_of, send
from bench.report import Figure, publish
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app

SMALL = 10_000
PAGES = 1_000_000
ROUNDS = 200
MAX_RATIO = 1.5
_WARM_UP = 5
_FIRST = 1_000_000_000
_SECONDS = 60

Params = dict[str, str]


@dataclass(frozen=True)
class Wiki:
    """A wiki and its number of pages."""

    app: WSGIApplication
    pages: int

    def page(self, remainder: int, kinds: int = 100) -> int:
        """Return the id of a random page that has this remainder modulo ``kinds``."""
        return random.randrange(self.pages // kinds) * kinds + remainder

    def article(self) -> str:
        """Return the title of a random page."""
        return f"Article {self.page(random.choice((4, 5, 6, 7, 8)))}"

    def moment(self) -> str:
        """Return a random time between the first change and the last."""
        seconds = _FIRST + random.randrange(self.pages) * _SECONDS
        return time.strftime("%Y%m%d%H%M%S", time.gmtime(seconds))


@dataclass(frozen=True)
class Case:
    """A kind of request; ``make_params`` returns the parameters of one at a random position."""

    name: str
    make_params: Callable[[Wiki], Params]
    max_ratio: float | None = MAX_RATIO


def _prop(name: str, **more: str) -> Callable[[Wiki], Params]:
    return lambda wiki: {"prop": name, "titles": wiki.article(), **more}


def _backlinks(wiki: Wiki) -> Params:
    return {"list": "backlinks", "bltitle": wiki.article()}


def _small_category(wiki: Wiki) -> Params:
    return {"list": "categorymembers", "cmtitle": f"Category:C{100 + wiki.page(0)}"}


def _large_category(wiki: Wiki) -> Params:
    number = 100 * random.randint(1, store.LARGE_CATEGORIES)
    start = f"ARTICLE {wiki.page(5)}"
    return {
        "list": "categorymembers",
        "cmtitle": f"Category:C{number}",
        "cmstarthexsortkey": start.encode().hex(),
    }


def _embedded(wiki: Wiki) -> Params:
    number = 100 * random.randrange(store.SHARED_TEMPLATES) + 1
    at = wiki.page(0)
    return {"list": "embeddedin", "eititle": f"Template:T{number}", "eicontinue": f"0|{at}"}


CASES = (
    Case("info", _prop("info")),
    Case("info, 50 titles", lambda w: {
        "prop": "info", "titles": "|".join(w.article() for _ in range(50))
    }),
    Case("links", _prop("links")),
    Case("links, max", _prop("links", pllimit="max")),
    Case("categorymembers, small", _small_category),
    Case("categorymembers, large", _large_category),
    Case("categorymembers, by time", lambda w: _large_category(w) | {
        "cmsort": "timestamp", "cmstarthexsortkey": "",
    }),
    Case("backlinks", _backlinks),
    Case("backlinks, redirects followed", lambda w: _backlinks(w) | {"blredirect": "1"}),
    Case("backlinks, popular page", lambda w: {
        "list": "backlinks", "blredirect": "1",
        "bltitle": f"Article {100 * random.randrange(w.pages // 1000) + 5}",
    }),
    Case("alltransclusions", lambda w: {
        "list": "alltransclusions", "atfrom": f"T{w.page(1)}"
    }),
    Case("alltransclusions, unique", lambda w: {
        "list": "alltransclusions", "atfrom": f"T{w.page(1)}", "atunique": "1"
    }),
    Case("generator=alltransclusions", lambda w: {
        "generator": "alltransclusions", "gatfrom": f"T{w.page(1)}"
    }),
    Case("embeddedin, shared template", _embedded, None),
    Case("allpages", lambda w: {"list": "allpages", "apfrom": w.article()}, None),
    Case("search, rare word", lambda w: {
        "list": "search", "srsearch": f"subject{random.randrange(w.pages // 10)}"
    }, None),
    Case("search, frequent word", lambda w: {
        "list": "search", "srsearch": f"colour{random.randrange(997)}"
    }, None),
    Case("usercontribs", lambda w: {
        "list": "usercontribs", "ucuser": f"User {1 + random.randrange(w.pages // 100)}"
    }, None),
    Case("recentchanges", lambda w: {"list": "recentchanges", "rcstart": w.moment()}, None),
    Case("allrevisions", lambda w: {"list": "allrevisions", "arvstart": w.moment()}, None),
    Case("revisions with content", _prop("revisions", rvprop="content|ids", rvslots="main"), None),
    Case("parse", lambda w: {"action": "parse", "page": w.article(), "prop": "text"}, None),
)  # fmt: skip


def run(pages: int = PAGES) -> bool:
    """Measure with a wiki of this number of pages; return whether the targets are met."""
    with tempfile.TemporaryDirectory(prefix="growth-") as folder, ExitStack() as stack:
        start = time.perf_counter()
        wikis = [_wiki(Path(folder), size, stack) for size in (SMALL, pages)]
        made = Figure(f"generating {pages} pages", time.perf_counter() - start, "s")
        _fill_page_cache(Path(folder))
        samples = measure(wikis, CASES)
        return publish("growth", [made, *_figures(wikis, samples)])


def _fill_page_cache(folder: Path) -> None:
    """Read the files, so that they are in the system's page cache like those of a server."""
    for file in folder.glob("*.sqlite"):
        with file.open("rb") as stream:
            while stream.read(1 << 24):
                pass


def _wiki(folder: Path, pages: int, stack: ExitStack) -> Wiki:
    url = store.make(folder / f"{pages}.sqlite", pages)
    plain = Config()
    config = replace(
        plain,
        http=replace(plain.http, debug_info="off"),
        cache=replace(plain.cache, url=""),
        database=replace(plain.database, url=url, read_only=True),
    )
    site = open_site(config)
    stack.enter_context(closing(site.db))
    return Wiki(make_app(site), pages)


def measure(wikis: Sequence[Wiki], cases: Sequence[Case]) -> Mapping[tuple[str, int], list[float]]:
    """Return the seconds that requests take, by case and size of the wiki, measured in turns."""
    samples: dict[tuple[str, int], list[float]] = {}
    gc.collect()
    gc.freeze()
    gc.disable()
    for number in range(_WARM_UP + ROUNDS):
        for case in cases:
            # Alternate the order, so that neither wiki is always the second one.
            for wiki in wikis if number % 2 else reversed(wikis):
                seconds = _measure_request(wiki, case)
                if number >= _WARM_UP:
                    samples.setdefault((case.name, wiki.pages), []).append(seconds)
    gc.enable()
    return samples


def _measure_request(wiki: Wiki, case: Case) -> float:
    return send(wiki.app, query_of({"action": "query", **case.make_params(wiki)}))[0]


def _figures(wikis: Sequence[Wiki], samples: Mapping[tuple[str, int], list[float]]) -> list[Figure]:
    figures = []
    for case in CASES:
        small, large = (statistics.median(samples[case.name, wiki.pages]) for wiki in wikis)
        figures.append(Figure(case.name, large * 1000, "ms", large / small, case.max_ratio))
    return figures
