"""``diff``: two revisions side by side."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup, escape

from wikiapi.http import Reply
from wikiapi.i18n import Message, Num
from wikiapi.title import Title
from wikiapi_plugins.diffs import neighbours
from wikiapi_plugins.diffs.table import table_rows
from wikiapi_plugins.web.reader.stored import StoredPage, load_page, load_revision
from wikiapi_plugins.web.reader.views.history import entries_of
from wikiapi_plugins.web.reader.views.page import text_of
from wikiapi_plugins.web.reader.visit import Declined, Visit

_MOST = 4_000_000
"""Characters of the largest difference that is drawn."""


def show_difference(visit: Visit, title: Title) -> Reply:
    """The two revisions that ``diff`` and ``oldid`` name.

    Raises:
        Declined: one does not exist or is suppressed, or the difference is too large.
    """
    before, after = _sides(visit, title)
    rows = table_rows(
        "" if before is None else text_of(before), text_of(after), _line_label(visit), _MOST
    )
    if rows is None:
        raise Declined(404, "reader-diff-too-large")
    shown = [side for side in (before, after) if side]
    entries = entries_of(visit, [(side.revision, side.title) for side in shown])
    return visit.draw(
        "difference.html",
        visit.text("difference-of", visit.plain(after.title.prefixed_text)),
        title=after.title,
        is_kept=True,
        rows=Markup(rows),  # noqa: S704
        before=entries[0] if before else None,
        after=entries[-1],
        earlier=neighbours.before(visit.db, before.revision) if before else None,
        later=neighbours.after(visit.db, after.revision),
    )


def _sides(visit: Visit, title: Title) -> tuple[StoredPage | None, StoredPage]:
    """The older side, ``None`` for what was before a page's first revision, and the newer one."""
    asked, number = visit.param("diff"), visit.number("oldid")
    named = visit.number("diff")
    if not number:
        newer = _revision(visit, named) if named else _newest(visit, title)
        return _before(visit, newer), newer
    one = _revision(visit, number)
    if asked == "prev":
        return _before(visit, one), one
    if asked == "next":
        later = neighbours.after(visit.db, one.revision)
        return (one, _revision(visit, later)) if later else (_before(visit, one), one)
    return one, _revision(visit, named) if named else _newest(visit, one.title)


def _before(visit: Visit, stored: StoredPage) -> StoredPage | None:
    number = neighbours.before(visit.db, stored.revision)
    return _revision(visit, number) if number else None


def _revision(visit: Visit, number: int) -> StoredPage:
    stored = load_revision(visit.site, number)
    if stored is None:
        raise Declined(404, "reader-no-revision", number)
    return stored


def _newest(visit: Visit, title: Title) -> StoredPage:
    stored = load_page(visit.site, title)
    if stored is None:
        raise Declined(404, "reader-missing", visit.plain(title.prefixed_text))
    return stored


def _line_label(visit: Visit) -> Callable[[int], str]:
    def label(number: int) -> str:
        return str(escape(visit.tell(Message("lineno", (Num(number),)))))

    return label
