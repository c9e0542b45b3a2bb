"""``action=edit`` and ``raw``: the source of a page, which is read-only."""

from __future__ import annotations

from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.views.errors import show_missing
from wikiapi_plugins.web.replies import REVALIDATE, content_reply


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
    )


_TYPE = "text/x-wiki; charset=utf-8"
"""Also of scripts: no browser runs them with this type."""


def show_raw(context: ViewContext, title: Title) -> Reply:
    """Send the text of a revision.

    Raises:
        ViewError: there is none, or it is suppressed.
    """
    stored = context.requested_revision(title)
    if stored is None:
        raise ViewError(404, "reader-missing", context.plain(title.prefixed_text))
    etag = f"raw-{stored.revision.rev_id}"
    body = stored.visible_text.encode("utf-8", "replace")
    return content_reply(body, _TYPE, cache=REVALIDATE, etag=etag)
