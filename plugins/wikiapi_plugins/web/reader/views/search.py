"""Search: redirects to the page if the query is a title, and shows results otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.store.queries import revisions, texts
from wikiapi.title import Title
from wikiapi.title.contentmodel import WIKITEXT
from wikiapi_plugins.query.search.matching import near_match
from wikiapi_plugins.query.search.prefixes import prefix_search
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.plaintext import excerpt, plain_text
from wikiapi_plugins.web.reader.searching import (
    MOST,
    Result,
    Results,
    default_namespaces,
    search,
    suggestions,
)
from wikiapi_plugins.web.replies import NO_STORE, content_reply, redirect_reply

_PER_PAGE = 20
_SUGGESTIONS = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A search result: a page, the redirect to it that matches better, if any, and an excerpt."""

    title: Title
    redirect: Title | None
    snippet: Markup
    timestamp: str
    length: int


def show_search(context: ViewContext, _: Title | None = None) -> Reply:
    """Show the results for ``search`` from ``offset`` on; ``fulltext`` prevents the redirect.

    With ``suggest``, the text typed so far, the answer is JSON with suggestions for the search box.
    """
    if started := context.param("suggest").strip():
        return _suggest(context, started)
    text = context.param("search").strip()
    if text and "fulltext" not in context.request.params:
        row = near_match(context.site, text)
        if row is not None:
            return redirect_reply(context.url(context.site.titles.make(*row.key)))
    offset = min(context.number("offset") or 0, MOST)
    everywhere = context.param("ns") == "all"
    site = context.site
    spaces = site.namespaces.ids() if everywhere else default_namespaces(site)
    has_index = bool(context.db.full_text)
    results = search(site, text, spaces) if text and has_index else Results()
    titles = _titles(context, text, spaces, offset) if text and not has_index else ()
    return context.render(
        "search.html",
        context.text("search-results"),
        text=text,
        titles=titles,
        results=results,
        found=_found(context, results, results.found[offset : offset + _PER_PAGE]),
        offset=offset,
        following=offset + _PER_PAGE if offset + _PER_PAGE < len(results.found) else None,
        everywhere=everywhere,
        has_index=has_index,
    )


def _suggest(context: ViewContext, text: str) -> Reply:
    found = suggestions(context.site, text, default_namespaces(context.site), _SUGGESTIONS)
    told = [
        {
            "title": title.prefixed_text,
            "redirect": redirect.prefixed_text if redirect else None,
        }
        for title, redirect in found
    ]
    body = json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
    return content_reply(body, "application/json", cache=NO_STORE)


def _titles(
    context: ViewContext, text: str, spaces: Sequence[int], offset: int
) -> tuple[Title, ...]:
    found = prefix_search(context.site, text, spaces, _PER_PAGE, offset)
    return tuple(title for title, _ in found)


def _found(context: ViewContext, results: Results, shown: Sequence[Result]) -> list[Found]:
    """Return the results to show, except pages with suppressed text. Two queries."""
    latest = [result.row.latest for result in shown]
    contents = texts.of_revisions(context.db, latest)
    edits = revisions.by_ids(context.db, latest)
    make = context.site.titles.make
    found = []
    for row, redirect, _ in shown:
        stored = contents.get(row.latest)
        if stored is None or stored.text is None:
            continue
        is_wikitext = stored.model == WIKITEXT
        text = plain_text(stored.text, context.site.titles) if is_wikitext else stored.text
        edit = edits.get(row.latest)
        found.append(
            Found(
                make(*row.key),
                make(*redirect.key) if redirect else None,
                excerpt(text, results.terms),
                edit.timestamp if edit else "",
                row.length,
            )
        )
    return found
