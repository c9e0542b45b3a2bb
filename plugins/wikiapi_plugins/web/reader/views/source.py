"""``action=edit``: the wiki is read-only, so this is where its wikitext is looked at."""

from __future__ import annotations

from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.web.reader.views.missing import show_missing
from wikiapi_plugins.web.reader.views.page import asked_revision, text_of
from wikiapi_plugins.web.reader.visit import Declined, Visit
from wikiapi_plugins.web.replies import CHECKED_AGAIN, content_reply


def show_source(visit: Visit, title: Title) -> Reply:
    """The source of a page or revision.

    Raises:
        Declined: its text is suppressed.
    """
    stored = asked_revision(visit, title)
    if stored is None:
        return show_missing(visit, title)
    return visit.draw(
        "source.html",
        visit.text("source-of", visit.plain(stored.title.prefixed_text)),
        title=stored.title,
        view="source",
        is_kept=True,
        stored=stored,
        text=text_of(stored),
    )


_TYPE = "text/x-wiki; charset=utf-8"
"""Of scripts too: no browser runs them under this type."""


def show_raw(visit: Visit, title: Title) -> Reply:
    """The text of a revision.

    Raises:
        Declined: there is none, or it is suppressed.
    """
    stored = asked_revision(visit, title)
    if stored is None:
        raise Declined(404, "reader-missing", visit.plain(title.prefixed_text))
    etag = f"raw-{stored.revision.rev_id}"
    body = text_of(stored).encode("utf-8", "replace")
    return content_reply(body, _TYPE, cache=CHECKED_AGAIN, etag=etag)
