"""Pages that cannot be shown: missing ones, errors, and pages of other wikis."""

from __future__ import annotations

from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.query.search.prefixes import prefix_search
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.replies import redirect_reply

_SUGGESTED = 8


def show_missing(context: ViewContext, title: Title) -> Reply:
    """Show that a page does not exist, with similar titles and a search form. Status 404."""
    return context.render(
        "missing.html",
        title.prefixed_text,
        title=title,
        status=404,
        similar=_similar(context, title),
    )


def _similar(context: ViewContext, title: Title) -> list[Title]:
    """Return titles that begin with this one, or with its first word."""
    for text in (title.text, title.text.split(" ")[0].rstrip(",;:")):
        if len(text) > 1:
            found = prefix_search(context.site, f"{title.namespace.prefix}{text}", (), _SUGGESTED)
            if found:
                return [page for page, _ in found]
    return []


_HEADINGS = {400: "bad-title", 403: "not-allowed", 404: "not-found", 503: "not-available"}


def show_error(context: ViewContext, error: ViewError) -> Reply:
    """Show the reason of an error; on a private wiki the page has nothing else of the wiki."""
    return context.render(
        "refusal.html",
        context.text(_HEADINGS.get(error.status, "not-found")),
        status=error.status,
        reason=context.message_text(error.message),
    )


def show_interwiki(context: ViewContext, title: Title) -> Reply:
    """Redirect to a wiki of the same family; show a link to any other."""
    url = context.url(title)
    entry = context.site.interwiki.get(title.interwiki)
    if entry and entry.local and url.startswith(("https://", "http://", "//")):
        return redirect_reply(context.full_url(url))
    return context.render("elsewhere.html", title.prefixed_text, status=404, url=url)
