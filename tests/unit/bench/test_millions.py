"""The requests of the benchmark ``millions``: what they cost does not grow with the wiki.

Nothing is timed. The plans of statements are looked at, and the steps of SQLite are counted, on two
wikis of different size that are large enough for miser mode and larger than its windows.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bench import growth_store, millions
from wikiapi.api.query import module
from wikiapi.api.query.reports import update_caches
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.store.queries import rarity
from wikiapi.store.queries import search as fulltext
from wikiapi.store.recording import QueryRecord
from wikiapi.testing.conformance.queries import steps_of, whole_scans
from wikiapi_plugins.query.search import search

SIZES = (4_000, 24_000)
MAX_STEPS = 60_000
"""More steps than this may not come with 20,000 pages: a look at each takes at least four."""

GROWING = {
    "action=feedcontributions&user=User 1": "all edits of a user, who has more in a larger wiki",
    "list=alltransclusions&atnamespace=0": "targets of other namespaces are passed over",
    "list=prefixsearch&pssearch=Article&psoffset=": "an offset into an index is counted off",
    "list=querypage&qppage=Longpages&qpoffset=": "the same",
    "list=querypage&qppage=Shortpages&qpoffset=": "the same",
    "list=search&srsearch=article&srnamespace=": "pages found in other namespaces are passed over",
    "list=search&srsearch=article&srwhat=text&srnamespace=": "the same",
}
"""The beginnings of requests whose cost does grow, and why."""


@dataclass(frozen=True)
class Sized:
    """A wiki, and how to send it a request."""

    site: Site
    measure: Callable[[millions.Request], millions.Measured]


@pytest.fixture(scope="module")
def wikis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Sized]]:
    folder = tmp_path_factory.mktemp("millions")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "WINDOW", 500)
        patch.setattr(rarity, "RARE", 50)
        patch.setattr(search, "_MAX_RESULTS", 600)
        patch.setattr(fulltext, "_MAX_SCORED_PAGES", 600)
        # Lists of random pages begin near the end, so that they go on at the beginning.
        patch.setattr(secrets, "randbelow", lambda bound: bound * 999 // 1000)
        yield [_wiki(folder, pages, stack) for pages in SIZES]


def _wiki(folder: Path, pages: int, stack: ExitStack) -> Sized:
    plain = millions.configured(growth_store.make(folder / f"{pages}.sqlite", pages))
    database = replace(plain.database, read_only=False)
    config = replace(plain, database=database, limits=replace(plain.limits, miser_pages=1))
    site = open_site(config)
    stack.enter_context(closing(site.db))
    update_caches(site)
    app = make_app(site)
    return Sized(site, lambda request: millions.measure(site, app, request))


def test_no_statement_reads_a_whole_table(wikis: list[Sized]) -> None:
    wiki = wikis[0]
    scans = set()
    for request in millions.requests(wiki.site):
        with wiki.site.db.recording() as records:
            wiki.measure(request)
        scans |= {
            (step, record.statement)
            for record in records
            for step in whole_scans(wiki.site.db, record)
            if not _goes_along_the_key(wiki.site, record)
        }
    assert not scans


def _goes_along_the_key(site: Site, record: QueryRecord) -> bool:
    """Return whether a statement reads the first rows of a table in the order of its key."""
    is_sorted = any("TEMP B-TREE" in step for step in steps_of(site.db, record))
    return not is_sorted and "LIMIT" in record.statement


def test_steps_do_not_grow(wikis: list[Sized]) -> None:
    small, large = wikis
    growing = []
    for request in millions.requests(small.site):
        before, after = (wiki.measure(request).work.steps for wiki in (small, large))
        if after > before + MAX_STEPS:
            growing.append((request.line, before, after))
    unexpected = [case for case in growing if not case[0].startswith(tuple(GROWING))]
    assert not unexpected
    lines = [line for line, _, _ in growing]
    assert [start for start in GROWING if not any(line.startswith(start) for line in lines)] == []
