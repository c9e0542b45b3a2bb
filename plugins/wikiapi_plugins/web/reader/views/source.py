"""``action=edit`` on a read-only wiki: the source of a page."""

from __future__ import annotations

from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.views.errors import show_missing


def show_source(context: ViewContext, title: Title) -> Reply:
    """Show the source of a page or revision.

    Raises:
        ViewError: its text is suppressed.
    """
    stored = context.requested_revision(title)
    if stored is None:
        return show_missing(context, title)
    return context.render(
        "source.html",
        context.text("source-of", context.plain(stored.title.prefixed_text)),
        title=stored.title,
        view="source",
        is_cacheable=True,
        stored=stored,
        text=stored.visible_text,
        refusals=(),
    )
