"""A page that does not exist: where else to look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.query.search.prefixes import prefix_search

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit

_SUGGESTED = 8


def show_missing(visit: Visit, title: Title) -> Reply:
    """Status 404, with titles that begin alike and a search for the words."""
    return visit.draw(
        "missing.html",
        title.prefixed_text,
        title=title,
        status=404,
        similar=_similar(visit, title),
    )


def _similar(visit: Visit, title: Title) -> list[Title]:
    """Titles that begin like it, or like its first word."""
    for text in (title.text, title.text.split(" ")[0].rstrip(",;:")):
        if len(text) > 1:
            found = prefix_search(visit.site, f"{title.namespace.prefix}{text}", (), _SUGGESTED)
            if found:
                return [page for page, _ in found]
    return []
