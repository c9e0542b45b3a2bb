"""``action=history``: the revisions of a page, newest first, and the differences between two."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup, escape

from wikiapi.http import Reply
from wikiapi.languages import Message, Num
from wikiapi.store import RevisionRow, bounds
from wikiapi.store.models import Revision
from wikiapi.store.queries import pages, revisions, visibility
from wikiapi.title import Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.shared.diffs import neighbours
from wikiapi_plugins.shared.diffs.table import table_rows
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.pagerevision import PageRevision, load_page, require_revision
from wikiapi_plugins.web.reader.views.errors import show_missing
from wikiapi_plugins.web.reader.views.feeds import history_link, is_feed, show_history_feed

_PER_PAGE = 50
_POSITION = re.compile(r"([0-9]{14})\.([0-9]{1,15})\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the history. ``change`` is in bytes, ``None`` if it is not known."""

    row: RevisionRow
    comment: Markup
    change: int | None

    @property
    def is_text_hidden(self) -> bool:
        """Whether the text is suppressed."""
        return visibility.is_hidden(self.row.deleted, visibility.TEXT)

    @property
    def is_user_hidden(self) -> bool:
        """Whether the user name is suppressed."""
        return visibility.is_hidden(self.row.deleted, visibility.USER)

    @property
    def is_comment_hidden(self) -> bool:
        """Whether the summary is suppressed."""
        return visibility.is_hidden(self.row.deleted, visibility.COMMENT)


def show_history(context: ViewContext, title: Title) -> Reply:
    """Show a part of the history, from the position in ``from`` on, or its feed."""
    page = pages.by_titles(context.db, [title.key]).get(title.key)
    if page is None:
        return show_missing(context, title)
    columns = (Revision.rev_timestamp, Revision.rev_id)
    query = revisions.SELECT_REVISIONS.where(Revision.rev_page == page.page_id)
    position = _POSITION.match(context.param("from"))
    if position:
        query = query.where(
            bounds.starting_at(columns, (position[1], int(position[2])), descending=True)
        )
    query = bounds.ordered(query, *columns, descending=True).limit(_PER_PAGE + 1)
    rows = [revisions.read(row) for row in context.db.execute(query)]
    if is_feed(context):
        return show_history_feed(context, title, rows)
    older = rows[_PER_PAGE] if len(rows) > _PER_PAGE else None
    return context.render(
        "history.html",
        context.phrase("history-of", context.named(title)),
        title=title,
        view="history",
        is_cacheable=True,
        people=[row.user_name for row in rows[:_PER_PAGE]],
        entries=revision_entries(context, [(row, title) for row in rows[:_PER_PAGE]]),
        older=f"{older.timestamp}.{older.rev_id}" if older else "",
        is_first="from" not in context.request.params,
        latest=page.latest,
        feeds=[history_link(context, title)],
    )


def revision_entries(context: ViewContext, rows: list[tuple[RevisionRow, Title]]) -> list[Entry]:
    """Return revisions with their summaries as HTML and their changes in size.

    At most three queries.
    """
    comments = format_comments(
        context.site.parser, [(row.comment or "", title) for row, title in rows]
    )
    parents = revisions.parent_lengths(context.db, {row.parent_id or 0 for row, _ in rows})
    entries = []
    for (row, _), comment in zip(rows, comments, strict=True):
        change = None
        if row.length is not None and (not row.parent_id or row.parent_id in parents):
            change = row.length - parents.get(row.parent_id or 0, 0)
        entries.append(Entry(row, Markup(comment), change))  # noqa: S704
    return entries


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
    sides = [side for side in (before, after) if side]
    entries = revision_entries(context, [(side.revision, side.title) for side in sides])
    return context.render(
        "difference.html",
        context.phrase("difference-of", context.named(after.title)),
        title=after.title,
        is_cacheable=True,
        people=[side.revision.user_name for side in sides],
        rows=Markup(rows),  # noqa: S704
        written=context.language_of(after.title, after.model, after.row.language),
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
