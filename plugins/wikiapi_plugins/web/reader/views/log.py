"""``Special:Log``: the entries of the logs, or a single entry by its id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.store.models import Actor, Logging
from wikiapi.store.queries import logs
from wikiapi.store.queries.logs import LogRow
from wikiapi.store.queries.visibility import ACTION, COMMENT, shown
from wikiapi.store.queries.visibility import USER as USER_BIT
from wikiapi.store.sql.bounds import ordered, starting_at
from wikiapi.title import Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.authorship import RESTRICTED_LOGS
from wikiapi_plugins.query.changes.logevents import LOG_ACTIONS
from wikiapi_plugins.web.reader.context import ViewContext

_PER_PAGE = 50
_POSITION = re.compile(r"([0-9]{14})\.([0-9]{1,15})\Z", re.ASCII)
_FILTERS = ("logid", "type", "user", "page")


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of a log. ``title`` is ``None`` if it is hidden, or not that of a page."""

    row: LogRow
    title: Title | None
    comment: Markup

    @property
    def is_user_hidden(self) -> bool:
        """Whether the user name is suppressed."""
        return self.row.user_name is None

    @property
    def is_comment_hidden(self) -> bool:
        """Whether the comment is suppressed."""
        return bool(self.row.deleted & COMMENT)


def show_log(context: ViewContext, title: Title) -> Reply:
    """Show the newest entries from the position in ``from`` on, or the one that ``logid`` names.

    The parameters ``type`` (or the subpage), ``user`` and ``page`` filter the entries.
    """
    columns = (Logging.log_timestamp, Logging.log_id)
    query = logs.SELECT_LOG_ENTRIES.where(*_conditions(context, title))
    position = _POSITION.match(context.param("from"))
    if position:
        query = query.where(starting_at(columns, (position[1], int(position[2])), descending=True))
    found = context.db.execute(ordered(query, *columns, descending=True).limit(_PER_PAGE + 1))
    rows = [logs.read(row) for row in found]
    older = rows[_PER_PAGE] if rows[_PER_PAGE:] else None
    kept: dict[str, str | int] = {
        name: context.param(name) for name in _FILTERS if context.param(name)
    }
    return context.render(
        "log.html",
        context.text("logs"),
        people=[row.user_name for row in rows[:_PER_PAGE]],
        types=[name for name in LOG_ACTIONS if name and name not in RESTRICTED_LOGS],
        type=_type(context, title),
        user=context.param("user"),
        page=context.param("page"),
        events=list(_events(context, rows[:_PER_PAGE])),
        first=context.special("Log", **kept) if position else "",
        following=(
            context.special("Log", **kept, **{"from": f"{older.timestamp}.{older.log_id}"})
            if older
            else ""
        ),
    )


def _type(context: ViewContext, title: Title) -> str:
    name = context.param("type") or title.dbkey.partition("/")[2]
    return name if name in LOG_ACTIONS else ""


def _conditions(context: ViewContext, title: Title) -> Iterator[Any]:
    yield Logging.log_type.not_in(list(RESTRICTED_LOGS))
    if log_type := _type(context, title):
        yield Logging.log_type == log_type
    number = context.number("logid")
    if number is not None:
        yield Logging.log_id == number
    if user := context.param("user"):
        yield (Actor.actor_name == user) & shown(Logging.log_deleted, USER_BIT)
    if name := context.param("page"):
        page = context.site.titles.try_parse(name)
        key = page.key if page and not page.interwiki else (0, "")
        yield (Logging.log_namespace == key[0]) & (Logging.log_title == key[1])
        yield shown(Logging.log_deleted, ACTION)


def _events(context: ViewContext, rows: list[LogRow]) -> Iterator[Event]:
    titles = [_title(context, row) for row in rows]
    main = context.site.main_page
    comments = format_comments(
        context.site.parser,
        [(row.comment or "", page or main) for row, page in zip(rows, titles, strict=True)],
    )
    for row, page, comment in zip(rows, titles, comments, strict=True):
        yield Event(row, page, Markup(comment))  # noqa: S704


def _title(context: ViewContext, row: LogRow) -> Title | None:
    if row.namespace is None or not row.title:
        return None
    return context.site.titles.make(row.namespace, row.title)
