"""What the reader's pages cost: statements, and work that several visitors want at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from tests.plugins.web.readers import Browser
from tests.plugins.web.readerwiki import reader_wiki
from wikiapi.site import Site

VIEWS = (
    "/wiki/Hub",
    "/wiki/Category:Kind",
    "/wiki/Hub_that_is_missing",
    "/wiki/File:Photo.png",
    "/w/index.php?title=Hub&action=history",
    "/w/index.php?title=Hub&diff=cur",
    "/w/index.php?title=Special:Search&search=common&fulltext=1",
    "/w/index.php?title=Special:Search&suggest=mem",
    "/wiki/Special:AllPages",
    "/wiki/Special:Categories",
    "/wiki/Special:RecentChanges",
    "/wiki/Special:WhatLinksHere/Hub",
    "/wiki/Special:WhatLinksHere/File:Photo.png",
    "/wiki/Special:ListFiles",
    "/wiki/Special:ListUsers",
    "/wiki/Special:MediaStatistics",
    "/wiki/Special:Statistics",
    "/wiki/Special:MostLinkedPages",
    "/wiki/Special:WantedPages",
    "/wiki/Special:Contributions/127.0.0.1",
    "/wiki/Special:Log",
)
MOST = 20


def wiki_of(make_site: Callable[..., Site], size: int) -> Site:
    """A wiki with a page that is linked, shows a picture, has revisions: ``size`` times each."""
    members = {
        f"Member {n}": f"common [[Hub]] [[File:Photo.png]] [[Category:Kind]] [[Category:C{n}]]"
        for n in range(size)
    }
    links = "".join(f"[[Member {n}]] [[Missing {n}]] [[Category:C{n}]]" for n in range(size))
    return reader_wiki(make_site, {**members, "Hub": [f"{links} {n}" for n in range(size)]})


def statements(site: Site, address: str) -> list[str]:
    wiki = Browser(site)
    with site.db.recording() as log:
        assert wiki.get(*address.partition("?")[::2]).status in (200, 404)
    return [record.sql for record in log]


@pytest.fixture(scope="module")
def sites() -> tuple[Site, Site]:
    from wikiapi.testing import make_site

    return wiki_of(make_site, 3), wiki_of(make_site, 40)


@pytest.mark.parametrize("address", VIEWS)
def test_large_pages_take_no_more_statements(sites: tuple[Site, Site], address: str) -> None:
    small, large = (statements(site, address) for site in sites)
    assert len(large) <= len(small) <= MOST, "\n".join(large)


def test_a_page_that_many_want_is_rendered_once(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    wiki = Browser(site)
    started, go_on = threading.Event(), threading.Event()
    rendered: list[str] = []
    parse = site.parser.parse

    def waiting(text: str, *rest: object) -> object:
        rendered.append(text)
        started.set()
        assert go_on.wait(10)
        return parse(text, *rest)  # type: ignore[arg-type]

    site.parser.parse = waiting  # type: ignore[method-assign,assignment]
    statuses: list[int] = []
    visitors = [
        threading.Thread(target=lambda: statuses.append(wiki.get("/wiki/Coffee").status))
        for _ in range(4)
    ]
    for visitor in visitors:
        visitor.start()
    assert started.wait(10)
    go_on.set()
    for visitor in visitors:
        visitor.join()
    assert statuses == [200] * 4
    assert len(rendered) == 1
