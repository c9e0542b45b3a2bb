"""Recent changes, without the values that are hidden."""

from __future__ import annotations

from typing import Any, NamedTuple

from wikiapi.store.models import Actor, Comment, RecentChanges
from wikiapi.store.queries.visibility import ACTION, COMMENT, USER, readable_bits

LOG_SOURCE = "mw.log"


class ChangeRow(NamedTuple):
    """A recent change. Flags are 0 or 1, ``patrolled`` also 2 (automatically); lengths in bytes.

    ``deleted`` contains the visibility bits. They hide ``comment``; ``user_name`` and ``user_id``;
    and for log entries ``namespace``, ``title``, ``page_id``, ``log_action`` and ``params``. Hidden
    values are None. The IP address of a change is private and never selected.
    """

    change_id: int
    timestamp: str
    namespace: int | None
    title: str | None
    minor: int
    bot: int
    page_id: int | None
    this_revision: int
    last_revision: int
    type: int
    source: str
    patrolled: int
    old_length: int | None
    new_length: int | None
    deleted: int
    log_id: int
    log_type: str | None
    log_action: str | None
    params: str | None
    user_id: int | None
    user_name: str | None
    comment: str | None
    readable: int = 0
    """The visibility bits of hidden values that are present because the reader may see them."""


CHANGE_COLUMNS = (
    RecentChanges.rc_id,
    RecentChanges.rc_timestamp,
    RecentChanges.rc_namespace,
    RecentChanges.rc_title,
    RecentChanges.rc_minor,
    RecentChanges.rc_bot,
    RecentChanges.rc_cur_id,
    RecentChanges.rc_this_oldid,
    RecentChanges.rc_last_oldid,
    RecentChanges.rc_type,
    RecentChanges.rc_source,
    RecentChanges.rc_patrolled,
    RecentChanges.rc_old_len,
    RecentChanges.rc_new_len,
    RecentChanges.rc_deleted,
    RecentChanges.rc_logid,
    RecentChanges.rc_log_type,
    RecentChanges.rc_log_action,
    RecentChanges.rc_params,
    Actor.actor_user,
    Actor.actor_name,
    Comment.comment_text,
)

WIDTH = len(CHANGE_COLUMNS)


SELECT_CHANGES = (
    RecentChanges.select(*CHANGE_COLUMNS)
    .join_from(RecentChanges, Actor, on=(Actor.actor_id == RecentChanges.rc_actor))
    .join_from(RecentChanges, Comment, on=(Comment.comment_id == RecentChanges.rc_comment_id))
)
"""All recent changes: add conditions, columns and an order, and read the rows with ``read``.

Callers that filter by user, title or log action must add ``visibility.not_hidden``, otherwise
the filter reveals hidden values. Indexes exist for rc_timestamp alone and after actor or namespace
and title.
"""


def read(row: tuple[Any, ...], readable: int = 0) -> ChangeRow:
    """Return the change in a row of ``SELECT_CHANGES``, without hidden values.

    ``readable`` contains the visibility bits of hidden values that the reader may see.
    """
    change = ChangeRow(*row[:WIDTH])
    change = change._replace(readable=readable_bits(change.deleted, readable))
    bits = change.deleted & ~change.readable
    if change.user_id is None:
        change = change._replace(user_id=0)
    # The first bit means the action of a log entry, or the text of a revision, which is not here.
    if bits & ACTION and change.source == LOG_SOURCE:
        change = change._replace(
            namespace=None, title=None, page_id=None, log_action=None, params=None
        )
    if bits & COMMENT:
        change = change._replace(comment=None)
    return change._replace(user_id=None, user_name=None) if bits & USER else change
