"""How SQLite runs the statements of a log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.store.database import Database

_LIMIT = re.compile(r"(?<=LIMIT )\d+")


def steps_of(db: Database, sql: str) -> list[str]:
    """The steps of a statement, from SQLite's plan for it.

    Statements are planned without their values, which the log has written in. Of these a limit
    alone would make for another plan, and so is taken out again.
    """
    limits = tuple(map(int, _LIMIT.findall(sql)))
    plan = db.raw(f"EXPLAIN QUERY PLAN {_LIMIT.sub('?', sql)}", limits)
    return [str(row[3]) for row in plan]
