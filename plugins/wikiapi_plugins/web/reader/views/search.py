"""Search: a text that is a title redirects to its page, any other shows the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.store.fulltext import search
from wikiapi.store.fulltext.search import Column
from wikiapi.store.queries import pages, revisions, texts
from wikiapi.title import Title
from wikiapi_plugins.query.search.matching import ParsedQuery, near_match, parse_query, snippet
from wikiapi_plugins.query.search.prefixes import prefix_search
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.replies import redirect_reply

_PER_PAGE = 20
_MOST = 10_000
"""The largest offset of results."""


@dataclass(frozen=True, slots=True)
class Found:
    """A page that was found, and an excerpt with the words."""

    title: Title
    snippet: Markup
    timestamp: str
    length: int


@dataclass(frozen=True, slots=True)
class Results:
    """A part of the results."""

    by_title: tuple[Title, ...] = ()
    by_text: tuple[Found, ...] = ()
    total: int = 0
    has_more: bool = False


def show_search(context: ViewContext, _: Title | None = None) -> Reply:
    """Show the results for ``search`` from ``offset`` on; ``fulltext`` prevents the redirect."""
    text = context.param("search").strip()
    row = near_match(context.site, text) if text else None
    if row is not None and "fulltext" not in context.request.params:
        return redirect_reply(context.url(context.site.titles.make(*row.key)))
    offset = min(context.number("offset") or 0, _MOST)
    everywhere = context.param("ns") == "all"
    results = _results(context, text, offset, everywhere=everywhere) if text else Results()
    exact = context.site.titles.make(*row.key) if row else None
    return context.render(
        "search.html",
        context.text("search-results"),
        text=text,
        exact=exact,
        results=results,
        offset=offset,
        previous=max(0, offset - _PER_PAGE),
        following=offset + _PER_PAGE,
        everywhere=everywhere,
        has_index=bool(context.db.full_text),
    )


def _results(context: ViewContext, text: str, offset: int, *, everywhere: bool) -> Results:
    namespaces = context.site.namespaces
    spaces = namespaces.ids() if everywhere else namespaces.content or (0,)
    if not context.db.full_text:
        found = prefix_search(context.site, text, spaces, _PER_PAGE, offset)
        return Results(by_title=tuple(title for title, _ in found))
    query = parse_query(context.site, text, spaces)
    titles = _titles(context, query) if not offset else ()
    text_search = _search(search.Column.TEXT, query)
    ids = search.page_ids(context.db, text_search, _PER_PAGE + 1, offset)
    found_pages = pages.by_ids(context.db, ids)
    rows = [found_pages[number] for number in ids[:_PER_PAGE] if number in found_pages]
    by_text = tuple(_found(context, rows, query))
    return Results(titles, by_text, search.count(context.db, text_search), len(ids) > _PER_PAGE)


def _titles(context: ViewContext, query: ParsedQuery) -> tuple[Title, ...]:
    ids = search.page_ids(context.db, _search(search.Column.TITLE, query), _PER_PAGE)
    found = pages.by_ids(context.db, ids)
    return tuple(context.site.titles.make(*found[number].key) for number in ids if number in found)


def _search(column: Column, query: ParsedQuery) -> search.Search:
    return search.Search(column, query.wanted, query.unwanted, query.namespaces)


def _found(context: ViewContext, rows: Sequence[pages.PageRow], query: ParsedQuery) -> list[Found]:
    """Return the results for pages, except those with suppressed text. Two queries."""
    contents = texts.of_revisions(context.db, [row.latest for row in rows])
    latest = revisions.by_ids(context.db, [row.latest for row in rows])
    found = []
    for row in rows:
        stored = contents.get(row.latest)
        if stored is None or stored.text is None:
            continue
        shown = snippet(stored.text, query.highlight)
        revision = latest.get(row.latest)
        title = context.site.titles.make(*row.key)
        timestamp = revision.timestamp if revision else ""
        found.append(Found(title, Markup(shown), timestamp, row.length))  # noqa: S704
    return found
