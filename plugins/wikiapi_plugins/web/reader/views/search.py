"""Search: a title that is meant goes straight to its page, anything else lists what is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.store import pages, revisions, search, texts
from wikiapi.store.search import Column
from wikiapi.title import Title
from wikiapi_plugins.query.search.matching import ParsedQuery, near_match, parse_query, snippet
from wikiapi_plugins.query.search.prefixes import prefix_search
from wikiapi_plugins.web.reader.visit import Visit
from wikiapi_plugins.web.replies import redirect_reply

_PER_PAGE = 20
_MOST = 10_000
"""Results that can be reached; nobody turns as many pages."""


@dataclass(frozen=True, slots=True)
class Found:
    """A page that was found, and where the words stand in it."""

    title: Title
    snippet: Markup
    timestamp: str
    length: int


@dataclass(frozen=True, slots=True)
class Results:
    """A part of what was found."""

    by_title: tuple[Title, ...] = ()
    by_text: tuple[Found, ...] = ()
    total: int = 0
    has_more: bool = False


def show_search(visit: Visit, _: Title | None = None) -> Reply:
    """The results for ``search`` from ``offset`` on; ``fulltext`` keeps from going to a page."""
    text = visit.param("search").strip()
    row = near_match(visit.site, text) if text else None
    if row is not None and "fulltext" not in visit.request.params:
        return redirect_reply(visit.url(visit.site.titles.make(*row.key)))
    offset = min(visit.number("offset") or 0, _MOST)
    everywhere = visit.param("ns") == "all"
    results = _results(visit, text, offset, everywhere=everywhere) if text else Results()
    exact = visit.site.titles.make(*row.key) if row else None
    return visit.draw(
        "search.html",
        visit.text("search-results"),
        text=text,
        exact=exact,
        results=results,
        offset=offset,
        previous=max(0, offset - _PER_PAGE),
        following=offset + _PER_PAGE,
        everywhere=everywhere,
        has_index=bool(visit.db.full_text),
    )


def _results(visit: Visit, text: str, offset: int, *, everywhere: bool) -> Results:
    namespaces = visit.site.namespaces
    spaces = namespaces.ids() if everywhere else namespaces.content or (0,)
    if not visit.db.full_text:
        found = prefix_search(visit.site, text, spaces, _PER_PAGE, offset)
        return Results(by_title=tuple(title for title, _ in found))
    query = parse_query(visit.site, text, spaces)
    titles = _titles(visit, query) if not offset else ()
    wanted = _search(search.Column.TEXT, query)
    ids = search.page_ids(visit.db, wanted, _PER_PAGE + 1, offset)
    found_pages = pages.by_ids(visit.db, ids)
    rows = [found_pages[number] for number in ids[:_PER_PAGE] if number in found_pages]
    by_text = tuple(_found(visit, rows, query))
    return Results(titles, by_text, search.count(visit.db, wanted), len(ids) > _PER_PAGE)


def _titles(visit: Visit, query: ParsedQuery) -> tuple[Title, ...]:
    ids = search.page_ids(visit.db, _search(search.Column.TITLE, query), _PER_PAGE)
    found = pages.by_ids(visit.db, ids)
    return tuple(visit.site.titles.make(*found[number].key) for number in ids if number in found)


def _search(column: Column, query: ParsedQuery) -> search.Search:
    return search.Search(column, query.wanted, query.unwanted, query.namespaces)


def _found(visit: Visit, rows: Sequence[pages.PageRow], query: ParsedQuery) -> list[Found]:
    """What is shown of the pages, but for those whose text is suppressed. Two queries."""
    contents = texts.of_revisions(visit.db, [row.latest for row in rows])
    latest = revisions.by_ids(visit.db, [row.latest for row in rows])
    found = []
    for row in rows:
        stored = contents.get(row.latest)
        if stored is None or stored.text is None:
            continue
        shown = snippet(stored.text, query.highlight)
        revision = latest.get(row.latest)
        title = visit.site.titles.make(*row.key)
        timestamp = revision.timestamp if revision else ""
        found.append(Found(title, Markup(shown), timestamp, row.length))  # noqa: S704
    return found
