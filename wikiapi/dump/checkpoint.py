"""How far an import has come, kept in the store in the same transactions as the pages.

The rows stand in ``updatelog``, where MediaWiki notes what has been done to a database.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog

_DUMP_KEY = "wikiapi-import-"
_WIKI_KEY = "wikiapi-wiki"
_FINISHED_KEY = "wikiapi-finished"


@dataclass(slots=True)
class Checkpoint:
    """What has been read of one dump: pages and log entries together, and whether it is all."""

    identity: str
    items: int = 0
    done: bool = False

    def save(self, db: Database) -> None:
        """Note the state; call inside the transaction that writes the items."""
        values = asdict(self)
        del values["identity"]
        _put(db, _DUMP_KEY + self.identity, json.dumps(values))


def load_checkpoint(db: Database, identity: str) -> Checkpoint:
    """The state of a dump's import; at its beginning for one that was never seen."""
    text = _get(db, _DUMP_KEY + identity)
    return Checkpoint(identity, **json.loads(text)) if text else Checkpoint(identity)


def unfinished(db: Database) -> list[int]:
    """How far each import has come that was begun and not ended, in pages and log entries."""
    query = UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key.startswith(_DUMP_KEY))
    states = [json.loads(value) for (value,) in db.execute(query) if value]
    return [state["items"] for state in states if not state["done"]]


def wiki_id(db: Database) -> str | None:
    """Which wiki's dumps the store holds; None before the first."""
    return _get(db, _WIKI_KEY)


def set_wiki_id(db: Database, name: str) -> None:
    """Note which wiki's dumps the store holds."""
    _put(db, _WIKI_KEY, name)


def finished(db: Database) -> str | None:
    """How what follows from the pages was derived last; None if pages have come in since."""
    return _get(db, _FINISHED_KEY)


def set_finished(db: Database, how: str) -> None:
    """Note that nothing is left to be derived; call inside the transaction that derives it."""
    _put(db, _FINISHED_KEY, how)


def set_unfinished(db: Database) -> None:
    """Note that something is; call inside the transaction that makes it so."""
    db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == _FINISHED_KEY))


def _get(db: Database, key: str) -> str | None:
    value = db.scalar(UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == key))
    return str(value) if value else None


def _put(db: Database, key: str, value: str) -> None:
    db.insert_many(UpdateLog, [(key, value)], on_conflict="replace")
