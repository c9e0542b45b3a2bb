"""Search: redirects to the page if the query is a title, and shows results otherwise."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace

from wikiapi.errors import SearchRefused
from wikiapi.http import Reply
from wikiapi.search import (
    Hit,
    SearchResults,
    default_namespaces,
    near_match,
    prefix_search,
    search,
    suggestions,
)
from wikiapi.title import Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.replies import NO_STORE, content_reply, redirect_reply

_PER_PAGE = 20
_LAST_OFFSET = 500
_SUGGESTIONS = 8


def show_search(context: ViewContext, _: Title | None = None) -> Reply:
    """Show the results for ``search`` from ``offset`` on; ``fulltext`` prevents the redirect.

    With ``suggest``, the text typed so far, the answer is JSON with suggestions for the search box.
    """
    site = context.site
    if started := context.param("suggest").strip():
        return _suggest(context, started)
    text = context.param("search").strip()
    if text and "fulltext" not in context.request.params:
        row = near_match(site, text)
        if row is not None:
            return redirect_reply(context.url(site.titles.make(*row.key)))
    offset = min(context.number("offset") or 0, _LAST_OFFSET)
    everywhere = context.param("ns") == "all"
    spaces = site.namespaces.ids() if everywhere else default_namespaces(site)
    results, titles = SearchResults(), []
    if text and site.db.full_text:
        with suppress(SearchRefused):  # a query without words has no results
            results = search(site, text, spaces, limit=_PER_PAGE, offset=offset)
    elif text:
        matches = prefix_search(site, text, spaces, _PER_PAGE, offset)
        titles = [title for title, _ in matches]
    following = offset + _PER_PAGE
    return context.render(
        "search.html",
        context.text("search-results"),
        text=text,
        titles=titles,
        results=results,
        offset=offset,
        last=min(following, results.total),
        following=following if following < results.total else None,
        everywhere=everywhere,
        has_index=bool(site.db.full_text),
        section_of=_section_of,
        digits_of=lambda timestamp: "".join(filter(str.isdigit, timestamp)),
    )


def _suggest(context: ViewContext, text: str) -> Reply:
    """Return titles for the beginning of a query, with the redirects that lead to them, as JSON."""
    suggested = suggestions(context.site, text, default_namespaces(context.site), _SUGGESTIONS)
    items = [
        {
            "title": title.prefixed_text,
            "redirect": redirect.prefixed_text if redirect else None,
        }
        for title, redirect in suggested
    ]
    body = json.dumps(items, ensure_ascii=False).encode("utf-8", "replace")
    return content_reply(body, "application/json", cache=NO_STORE)


def _section_of(hit: Hit) -> Title:
    """Return the title of the section that matches, to link to it."""
    return replace(hit.page, fragment=(hit.section or "").replace(" ", "_"))
