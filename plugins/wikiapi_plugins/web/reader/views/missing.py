"""A page that does not exist: where else to look."""

from __future__ import annotations

from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.query.search.prefixes import prefix_search
from wikiapi_plugins.web.reader.visit import Declined, Visit
from wikiapi_plugins.web.replies import redirect_reply

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


_HEADINGS = {400: "bad-title", 403: "not-allowed", 404: "not-found", 503: "not-available"}


def show_refusal(visit: Visit, declined: Declined) -> Reply:
    """A page with the reason; on a private wiki it holds nothing else of the wiki."""
    return visit.draw(
        "refusal.html",
        visit.text(_HEADINGS.get(declined.status, "not-found")),
        status=declined.status,
        reason=visit.tell(declined.message),
    )


def show_elsewhere(visit: Visit, title: Title) -> Reply:
    """Lead on to a wiki of the same family; to any other only by a link that is seen."""
    url = visit.url(title)
    entry = visit.site.interwiki.get(title.interwiki)
    if entry and entry.local and url.startswith(("https://", "http://", "//")):
        return redirect_reply(visit.full_url(url))
    return visit.draw("elsewhere.html", title.prefixed_text, status=404, url=url)
