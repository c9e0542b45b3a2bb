"""A number that grows whenever pages change in a store of wikiapi: older results are outdated.

A page looks different when a template, a file or a linked page changes. MediaWiki notes that at
each page it concerns (``page_touched``), and so do databases of its own; an import changes
everything at once and says so here, under a key of ours in ``updatelog``.
"""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog

KEY = "wikiapi generation"


def current(db: Database) -> int:
    """Return the number; 0 if nothing has changed yet, and in databases of MediaWiki."""
    query = UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == KEY)
    return int(db.scalar(query) or 0)


def advance(db: Database) -> None:
    """Record that pages have changed."""
    with db.atomic():
        known = current(db)
        if known:
            number = UpdateLog.update(ul_value=str(known + 1))
            db.execute_write(number.where(UpdateLog.ul_key == KEY))
        else:
            db.execute_write(UpdateLog.insert(ul_key=KEY, ul_value="1"))
