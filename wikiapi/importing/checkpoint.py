"""The progress of imports, saved in the store in the same transactions as the pages.

It is stored in the table ``updatelog``, where MediaWiki logs the updates of a database.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog
from wikiapi.store.notes import note, put_note

_DUMP_KEY = "wikiapi-import-"
_WIKI_KEY = "wikiapi-wiki"


@dataclass(slots=True)
class Checkpoint:
    """The progress of the import of one dump.

    ``items`` is the number of pages and log entries read, ``position`` the number of bytes of the
    file that they took, or 0 when the import is done.
    """

    identity: str
    items: int = 0
    done: bool = False
    position: int = 0

    def save(self, db: Database) -> None:
        """Save the progress; call inside the transaction that writes the items."""
        values = asdict(self)
        del values["identity"]
        put_note(db, _DUMP_KEY + self.identity, json.dumps(values))


def load_checkpoint(db: Database, identity: str) -> Checkpoint:
    """Return the progress of a dump's import; for an unknown dump, that of an import not begun."""
    text = note(db, _DUMP_KEY + identity)
    return Checkpoint(identity, **json.loads(text)) if text else Checkpoint(identity)


def unfinished(db: Database) -> list[int]:
    """Return the progress of each unfinished import, in pages and log entries."""
    query = UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key.startswith(_DUMP_KEY))
    states = [json.loads(value) for (value,) in db.execute(query) if value]
    return [state["items"] for state in states if not state["done"]]


def wiki_id(db: Database) -> str | None:
    """Return the id of the wiki whose dumps the store holds; None before the first import."""
    return note(db, _WIKI_KEY) or None


def set_wiki_id(db: Database, name: str) -> None:
    """Save the id of the wiki whose dumps the store holds."""
    put_note(db, _WIKI_KEY, name)
