"""``diff``: two revisions side by side."""

from __future__ import annotations

from markupsafe import Markup, escape

from wikiapi.http import Reply
from wikiapi.i18n import Message, Num
from wikiapi.title import Title
from wikiapi_plugins.diffs import neighbours
from wikiapi_plugins.diffs.table import table_rows
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.pagerevision import PageRevision, load_page, require_revision
from wikiapi_plugins.web.reader.views.history import revision_entries

_MOST = 4_000_000
"""Largest size of the rows of a difference, in characters."""


def show_difference(context: ViewContext, title: Title) -> Reply:
    """Show the difference between the two revisions that ``diff`` and ``oldid`` name.

    Raises:
        ViewError: a revision does not exist or is suppressed, or the difference is too large.
    """

    def line_label(number: int) -> str:
        return str(escape(context.message_text(Message("lineno", (Num(number),)))))

    before, after = _sides(context, title)
    rows = table_rows(
        "" if before is None else before.visible_text, after.visible_text, line_label, _MOST
    )
    if rows is None:
        raise ViewError(404, "reader-diff-too-large")
    shown = [side for side in (before, after) if side]
    entries = revision_entries(context, [(side.revision, side.title) for side in shown])
    return context.render(
        "difference.html",
        context.text("difference-of", context.plain(after.title.prefixed_text)),
        title=after.title,
        is_cacheable=True,
        people=[side.revision.user_name for side in shown],
        rows=Markup(rows),  # noqa: S704
        before=entries[0] if before else None,
        after=entries[-1],
        earlier=neighbours.before(context.db, before.revision) if before else None,
        later=neighbours.after(context.db, after.revision),
    )


def _sides(context: ViewContext, title: Title) -> tuple[PageRevision | None, PageRevision]:
    """Return the older revision, ``None`` if the newer one is a page's first, and the newer one."""
    number, other = context.number("oldid"), context.number("diff")
    if not number:
        newer = require_revision(context.site, other) if other else _newest(context, title)
        return _before(context, newer), newer
    one = require_revision(context.site, number)
    if context.param("diff") == "prev":
        return _before(context, one), one
    if context.param("diff") == "next":
        later = neighbours.after(context.db, one.revision)
        return (
            (one, require_revision(context.site, later)) if later else (_before(context, one), one)
        )
    return one, require_revision(context.site, other) if other else _newest(context, one.title)


def _before(context: ViewContext, stored: PageRevision) -> PageRevision | None:
    number = neighbours.before(context.db, stored.revision)
    return require_revision(context.site, number) if number else None


def _newest(context: ViewContext, title: Title) -> PageRevision:
    stored = load_page(context.site, title)
    if stored is None:
        raise ViewError(404, "reader-missing", context.plain(title.prefixed_text))
    return stored
