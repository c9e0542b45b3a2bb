"""Answers for pages that cannot be shown: missing pages, errors, and pages of other wikis."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from wikiapi.http import Reply
from wikiapi.store.queries.pages import by_title
from wikiapi.title import MAIN, USER, USER_TALK, Title
from wikiapi_plugins.query.search.matching import near_match
from wikiapi_plugins.query.search.prefixes import prefix_search
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.searching import default_namespaces, similar_titles
from wikiapi_plugins.web.replies import redirect_reply

_SUGGESTED = 8
_COMPARED = 400
"""Largest number of titles that are compared with a misspelled one."""
_LEAST_ALIKE = 0.72


def show_missing(context: ViewContext, title: Title) -> Reply:
    """Show that a page does not exist, with similar titles and a search form. Status 404."""
    user = title.text.partition("/")[0] if title.ns in (USER, USER_TALK) else ""
    return context.render(
        "missing.html",
        title.prefixed_text,
        title=title,
        status=404,
        similar=_similar(context, title),
        contributions=context.contributions_url(user) if user else "",
    )


def _similar(context: ViewContext, title: Title) -> list[Title]:
    """Return similar titles, the most likely first. At most eight queries.

    They are spelled similarly, begin with this title or its first word, or share words with it.
    """
    found: dict[tuple[int, str], Title] = {}
    for proposed in _proposals(context, title):
        found.update((other.key, other) for other in proposed if other.key not in found)
        if len(found) >= _SUGGESTED:
            break
    return list(found.values())[:_SUGGESTED]


def _proposals(context: ViewContext, title: Title) -> Iterator[list[Title]]:
    site = context.site
    row = near_match(site, title.prefixed_text)
    yield [site.titles.make(*row.key)] if row else []
    yield _written_alike(context, title)
    first = title.text.split(" ")[0].rstrip(",;:")
    for text in dict.fromkeys((title.text, first)):
        if len(text) > 1:
            name = f"{title.namespace.prefix}{text}"
            yield [page for page, _ in prefix_search(site, name, (), _SUGGESTED)]
    spaces = default_namespaces(site) if title.ns == MAIN else (title.ns,)
    rows = similar_titles(site, title.text, spaces, _SUGGESTED)
    yield [site.titles.make(*row.key) for row in rows]


def _written_alike(context: ViewContext, title: Title) -> list[Title]:
    """Return titles with the same first letters that differ in a few others. One query."""
    beginning = title.dbkey[:2]
    if len(title.dbkey) < 4:
        return []
    rows = by_title(context.db, title.ns, _COMPARED, prefix=beginning)
    names = [name for name, _ in rows if abs(len(name) - len(title.dbkey)) <= 4]
    near = get_close_matches(title.dbkey, names, _SUGGESTED, _LEAST_ALIKE)
    return [context.site.titles.make(title.ns, name) for name in near]


_HEADINGS = {400: "bad-title", 403: "not-allowed", 404: "not-found", 503: "not-available"}


def show_error(context: ViewContext, error: ViewError) -> Reply:
    """Show the reason for an error. The page contains no content of a private wiki."""
    return context.render(
        "refusal.html",
        context.text(_HEADINGS.get(error.status, "not-found")),
        status=error.status,
        reason=context.message_text(error.message),
    )


def show_interwiki(context: ViewContext, title: Title) -> Reply:
    """Redirect to another wiki if it is local in the interwiki table; otherwise show a link."""
    url = context.url(title)
    entry = context.site.interwiki.get(title.interwiki)
    if entry and entry.local and url.startswith(("https://", "http://", "//")):
        return redirect_reply(context.full_url(url))
    return context.render("elsewhere.html", title.prefixed_text, status=404, url=url)
