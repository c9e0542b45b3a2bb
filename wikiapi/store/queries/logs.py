"""Log entries, without the values that are hidden."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.models import Actor, Comment, Logging
from wikiapi.store.queries.visibility import ACTION, COMMENT, USER, readable_bits
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.sql.statements import Row


class LogRow(NamedTuple):
    """A log entry. ``params`` is as stored: serialised by PHP, or lines in the oldest entries.

    ``deleted`` contains the visibility bits. They hide ``namespace``, ``title``, ``page_id`` and
    ``params``; ``comment``; and ``user_name`` and ``user_id``. Hidden values are None.
    """

    log_id: int
    type: str
    action: str
    timestamp: str
    namespace: int | None
    title: str | None
    page_id: int | None
    params: str | None
    deleted: int
    user_id: int | None
    user_name: str | None
    comment: str | None
    readable: int = 0
    """The visibility bits of hidden values that are present because the reader may see them."""


LOG_COLUMNS = (
    Logging.log_id,
    Logging.log_type,
    Logging.log_action,
    Logging.log_timestamp,
    Logging.log_namespace,
    Logging.log_title,
    Logging.log_page,
    Logging.log_params,
    Logging.log_deleted,
    Actor.actor_user,
    Actor.actor_name,
    Comment.comment_text,
)


SELECT_LOG_ENTRIES = (
    Logging.select(*LOG_COLUMNS)
    .join_from(Logging, Actor, on=(Actor.actor_id == Logging.log_actor))
    .join_from(Logging, Comment, on=(Comment.comment_id == Logging.log_comment_id))
)
"""All log entries: add conditions, columns and an order, and read the rows with ``read``.

Callers that filter by title, user or action must add ``visibility.not_hidden``, otherwise the
filter reveals hidden values. Indexes exist for log_timestamp alone and after type, actor, page id
or title.
"""


def read(row: Row, readable: int = 0) -> LogRow:
    """Return the entry in a row of ``SELECT_LOG_ENTRIES``, without hidden values.

    ``readable`` contains the visibility bits of hidden values that the reader may see.
    """
    entry = LogRow(*row[:12])
    entry = entry._replace(readable=readable_bits(entry.deleted, readable))
    bits = entry.deleted & ~entry.readable
    if entry.user_id is None:
        entry = entry._replace(user_id=0)
    if bits & ACTION:
        entry = entry._replace(namespace=None, title=None, page_id=None, params=None)
    if bits & COMMENT:
        entry = entry._replace(comment=None)
    return entry._replace(user_id=None, user_name=None) if bits & USER else entry


_ENTRIES_BY_ID = ByValues(SELECT_LOG_ENTRIES, Logging.log_id)


def by_ids(db: Database, log_ids: Iterable[int]) -> dict[int, LogRow]:
    """Return the entries with the ids, if they exist. One query."""
    return {row[0]: read(row) for row in _ENTRIES_BY_ID.rows(db, log_ids)}
