"""How far the copying of a store has come, kept in its target in the transactions that copy."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from peewee import fn

from wikiapi.errors import StoreError
from wikiapi.store import catalog
from wikiapi.store.models import Logging, Page, Revision, UpdateLog

if TYPE_CHECKING:
    from wikiapi.store.database import Database

_KEY = "wikiapi-copying"


class CopyProgress:
    """Which tables have been copied, and how many rows of the one that is under way."""

    def __init__(self, source: Database, target: Database) -> None:
        """Go on with what the target knows, or begin.

        Raises StoreError where the target holds a part of another source, or of what the source
        was then; and for a source that is itself a part of another store.
        """
        if is_unfinished(source):
            raise StoreError("the source is a copy that was not finished")
        self._target = target
        self._source = _fingerprint(source)
        state = _state(target)
        if state is not None and state["source"] != self._source:
            raise StoreError(
                "the target holds a part of another store, or the source has changed since: "
                "copy into an empty database"
            )
        self.is_under_way = state is not None
        self._done: dict[str, int] = state["done"] if state else {}
        self._table: str = state["table"] if state else ""
        self._rows: int = state["rows"] if state else 0

    def done(self, table: str) -> int | None:
        """How many rows a table has that was copied to its end; None for one that was not."""
        return self._done.get(table)

    def begun(self, table: str) -> int | None:
        """How many rows of a table have been copied; None if it was not begun."""
        return self._rows if self._table == table else None

    def note(self, table: str, rows: int) -> None:
        """Note how many rows of a table have been copied; call in the transaction that does it."""
        self._table, self._rows = table, rows
        self._save()

    def end(self, table: str, rows: int) -> None:
        """Note that a table has been copied to its end."""
        self._done[table] = rows
        self._table, self._rows = "", 0
        self._save()

    def clear(self) -> None:
        """Note that everything has been copied."""
        self._target.run(UpdateLog.delete().where(UpdateLog.ul_key == _KEY))

    def _save(self) -> None:
        state = {"source": self._source, "done": self._done}
        text = json.dumps({**state, "table": self._table, "rows": self._rows})
        self._target.insert_many(UpdateLog, [(_KEY, text)], on_conflict="replace")


def is_unfinished(db: Database) -> bool:
    """Whether the store is a copy of which a part is missing."""
    return _state(db) is not None


def _state(db: Database) -> dict[str, Any] | None:
    if not _is_there(db, UpdateLog):
        return None
    value = db.scalar(UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == _KEY))
    return json.loads(value) if value else None


def _fingerprint(db: Database) -> str:
    """What tells one store, and one state of it, from others."""
    greatest: tuple[Any, ...] = (Page.page_id, Revision.rev_id, Logging.log_id)
    found = [
        db.scalar(column.model.select(fn.MAX(column)))
        for column in greatest
        if _is_there(db, column.model)
    ]
    log = UpdateLog.select(UpdateLog.ul_key, UpdateLog.ul_value)
    noted = sorted(db.rows(log), key=repr) if _is_there(db, UpdateLog) else []
    return sha256(repr((found, noted)).encode()).hexdigest()[:32]


def _is_there(db: Database, model: Any) -> bool:
    return model._meta.table_name in catalog.tables(db)
