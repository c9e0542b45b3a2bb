"""What wikiapi notes about a store, by key: the settings of its links, the progress of imports.

Notes are rows of the table ``updatelog``, in which MediaWiki logs the updates of a database.
"""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog


def note(db: Database, key: str) -> str:
    """Return what is noted under a key; empty if nothing is. One query."""
    query = UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == key)
    return str(db.scalar(query) or "")


def put_note(db: Database, key: str, value: str) -> None:
    """Note a value under a key, in place of the one before; a column holds 65,535 bytes."""
    db.insert_many(UpdateLog, [(key, value)], on_conflict="replace")


def remove_note(db: Database, key: str) -> None:
    """Remove what is noted under a key."""
    db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == key))
