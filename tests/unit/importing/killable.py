"""``python killable.py DATABASE DUMP STATEMENTS``: import a dump, dying at that statement.

It dies by SIGKILL, which leaves no chance to clean up. With 0 it lives and prints their number.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.importing.finish import finish_unless_done
from wikiapi.importing.importer import DumpImporter
from wikiapi.importing.source import open_source
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.store.write.bulk import loading


def main(database: str, dump: str, statements: int) -> None:
    db = Database(f"sqlite:///{database}")
    migrate.upgrade(db)
    counter = Counter(statements)
    site = open_site(Config(), database=db)
    with loading(db):
        with open_source(dump) as source:
            DumpImporter(site, items_per_transaction=20).import_dump(source)
        LinksUpdate(site).run()
    finish_unless_done(site)
    print(counter.count)


class Counter:
    """Counts the calls of the database, and ends the process at one of them."""

    def __init__(self, fatal: int) -> None:
        self.count = 0
        self._fatal = fatal
        for name in ("insert_many", "execute_write", "execute", "execute_sql"):
            setattr(Database, name, self._counted(name, getattr(Database, name)))

    def _counted(self, name: str, method: Any) -> Any:
        def wrapper(db: Database, what: Any, *args: Any, **options: Any) -> Any:
            self.count += 1
            if self.count == self._fatal and name == "insert_many":
                # In the midst of a batch of rows, not before it.
                args = (_dying(args[0]), *args[1:])
            elif self.count == self._fatal:
                os.kill(os.getpid(), signal.SIGKILL)
            return method(db, what, *args, **options)

        return wrapper


def _dying(rows: Any) -> Any:
    rows = list(rows)
    yield from rows[: len(rows) // 2]
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
