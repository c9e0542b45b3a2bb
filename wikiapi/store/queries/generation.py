"""The generation of a store: a number that increases when an import changes its pages.

Results cached in an earlier generation are outdated. A page may look different after a template, a
file or a linked page has changed, which MediaWiki records for each affected page
(``page_touched``). An import affects all pages at once and increases this number instead, which is
stored in ``updatelog``.
"""

from __future__ import annotations

from functools import partial

from wikiapi.store.database import Database
from wikiapi.store.engines.dialect import BoundStatement
from wikiapi.store.models import UpdateLog
from wikiapi.store.sql.compiled import CompiledQuery

KEY = "wikiapi generation"


_SELECT = CompiledQuery(lambda: UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == KEY))


def current(db: Database) -> int:
    """Return the generation; 0 before the first import, and in MediaWiki's databases."""
    return int(db.scalar(_SELECT()) or 0)


def advance(db: Database) -> None:
    """Increase the generation, when the transaction ends if others can write during it."""
    with db.atomic():
        if db.is_sharing:
            db.at_end(_Advance, partial(_Advance, db))
        else:
            db.execute_sql(db.dialect.count_up, (KEY,))


class _Advance:
    """Increases the generation.

    Whoever has done it holds the row until the transaction is committed: the numbers are in the
    order in which others see the changes.
    """

    place = 2

    def __init__(self, db: Database) -> None:
        self._db = db

    def statements(self) -> list[BoundStatement]:
        return [(self._db.dialect.count_up, (KEY,))]
