"""The generation of a store: a number that increases when an import changes its pages.

Results cached in an earlier generation are outdated. A page may look different after a template, a
file or a linked page has changed, which MediaWiki records for each affected page
(``page_touched``). An import affects all pages at once and increases this number instead, which is
stored in ``updatelog``.
"""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog

KEY = "wikiapi generation"


def current(db: Database) -> int:
    """Return the generation; 0 before the first import, and in MediaWiki's databases."""
    query = UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == KEY)
    return int(db.scalar(query) or 0)


def advance(db: Database) -> None:
    """Increase the generation."""
    with db.atomic():
        last = current(db)
        if last:
            number = UpdateLog.update(ul_value=str(last + 1))
            db.execute_write(number.where(UpdateLog.ul_key == KEY))
        else:
            db.execute_write(UpdateLog.insert(ul_key=KEY, ul_value="1"))
