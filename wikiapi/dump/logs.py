"""Log entries of a dump to rows of the logging table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.dump.convert import person
from wikiapi.store.batches import fetch_in
from wikiapi.store.models import Logging
from wikiapi.store.statements import slots
from wikiapi.store.write.people import Actors, Comments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.dump.records import LogItem
    from wikiapi.dump.titles import DumpTitles
    from wikiapi.store.database import Database


class LogWriter:
    """Writes log entries; one that the store has is kept."""

    def __init__(self, db: Database, titles: DumpTitles) -> None:
        """Write to this store."""
        self._db = db
        self._titles = titles
        self._actors, self._comments = Actors(db), Comments(db)

    def write(self, items: Sequence[LogItem]) -> int:
        """Write a batch; returns how many of them are new."""
        known = {row[0] for row in fetch_in(self._db, _ids, (item.id for item in items))}
        items = [item for item in items if item.id not in known]
        actors = self._actors.ids(person(item.contributor) for item in items)
        comments = self._comments.ids(item.comment for item in items)
        rows = [
            (
                item.id,
                item.type,
                item.action,
                item.timestamp,
                actors[person(item.contributor)],
                *(self._titles.find(item.title) or (0, "")),
                None,
                comments[item.comment],
                item.params,
                item.hidden,
            )
            for item in items
        ]
        self._db.insert_many(Logging, rows, on_conflict="ignore")
        return len(rows)


def _ids(count: int) -> Any:
    return Logging.select(Logging.log_id).where(Logging.log_id.in_(slots(count)))
