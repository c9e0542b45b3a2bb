"""Transactions during which others can write, and the ids of the rows that they insert.

On database servers, writers of different pages need not wait for each other. What is usual in an
edit is prepared for it:

- New rows get their ids from the database, rather than the number after the greatest id.
- Rows on which a change is based are locked when they are read: the page, and the categories of
  which members are counted. Each statement sees what others have committed until then, so that who
  has waited for a lock sees the result of those before.
- Rows that nearly all writers change are changed last: see ``Database.at_end``.
- What cannot be locked, because it does not exist yet, is looked at once more when the transaction
  has been committed: the pages that use the changed one, and those that a page uses.

Everything else calls ``Database.exclude_others`` first, as :func:`~wikiapi.store.write.ids.next_id`
does. The transaction is then undone and repeated, alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.engines.dialect import numbers_of
from wikiapi.store.models import (
    Archive,
    Category,
    ChangeTag,
    Comment,
    Content,
    LinkTarget,
    Logging,
    Page,
    RecentChanges,
    Revision,
    Text,
    Watchlist,
)

_MODELS = (
    *(Archive, Category, ChangeTag, Comment, Content, LinkTarget, Logging, Page, RecentChanges),
    *(Revision, Text, Watchlist),
)
"""The models with rows that get their ids from the database, or whose ids these must not get."""


@contextmanager
def sharing(db: Database, *, durable: bool = True) -> Iterator[None]:
    """Run the block in a transaction during which others can write, if the database permits it.

    Run it by ``Database.repeated``: if others are in the way, it has to be repeated, and is alone
    after some attempts.
    """
    if db.can_share and not db.gives_ids and not db.is_in_transaction:
        # Whoever has filled the tables may have given the rows their ids.
        with db.atomic():
            places = sorted(place for model in _MODELS for place in numbers_of(model))
            if not db.number_above(places):
                _number_above_deleted(db)
        db.gives_ids = True
    with db.atomic(durable=durable, alone=False):
        yield


def _number_above_deleted(db: Database) -> None:
    """Let new rows get ids above those of deleted ones, which the database does not note."""
    meta: Any = Archive._meta
    for place, (_, name) in sorted(numbers_of(Archive)):
        greatest = int(db.scalar(Archive.select(fn.MAX(meta.columns[name]))) or 0)
        if greatest > db.catalog.last_number(*place):
            for statement in db.dialect.number_after(*place, greatest):
                db.execute_sql(*statement)
