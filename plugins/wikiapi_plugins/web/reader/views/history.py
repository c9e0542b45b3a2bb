"""``action=history``: the revisions of a page, newest first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.store import PageRow, RevisionRow
from wikiapi.store.models import Revision
from wikiapi.store.queries import pages, revisions
from wikiapi.store.queries.visibility import COMMENT, TEXT, USER, is_hidden
from wikiapi.store.sql.bounds import ordered, starting_at
from wikiapi.title import Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.web.reader.context import ViewContext
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
        return is_hidden(self.row.deleted, TEXT)

    @property
    def is_user_hidden(self) -> bool:
        """Whether the user name is suppressed."""
        return is_hidden(self.row.deleted, USER)

    @property
    def is_comment_hidden(self) -> bool:
        """Whether the summary is suppressed."""
        return is_hidden(self.row.deleted, COMMENT)


def show_history(context: ViewContext, title: Title) -> Reply:
    """Show a part of the history, from the position in ``from`` on, or its feed."""
    page = pages.by_titles(context.db, [title.key]).get(title.key)
    if page is None:
        return show_missing(context, title)
    rows = _rows(context, page)
    if is_feed(context):
        return show_history_feed(context, title, rows)
    older = rows[_PER_PAGE] if len(rows) > _PER_PAGE else None
    return context.render(
        "history.html",
        context.text("history-of", context.plain(title.prefixed_text)),
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
    return [
        Entry(row, Markup(comment), _change(row, parents))  # noqa: S704
        for (row, _), comment in zip(rows, comments, strict=True)
    ]


def _rows(context: ViewContext, page: PageRow) -> list[RevisionRow]:
    columns = (Revision.rev_timestamp, Revision.rev_id)
    query = revisions.SELECT_REVISIONS.where(Revision.rev_page == page.page_id)
    position = _POSITION.match(context.param("from"))
    if position:
        query = query.where(starting_at(columns, (position[1], int(position[2])), descending=True))
    query = ordered(query, *columns, descending=True).limit(_PER_PAGE + 1)
    return [revisions.read(row) for row in context.db.execute(query)]


def _change(row: RevisionRow, parents: dict[int, int]) -> int | None:
    if row.length is None or (row.parent_id and row.parent_id not in parents):
        return None
    return row.length - parents.get(row.parent_id or 0, 0)
