"""The agreement of both imports on links: rows of the link tables, compared by title."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

Link = tuple[str, int, str, int, str]

_FROM = "SELECT '{table}', page_namespace, page_title, {target} FROM {table}"
_PAGE = "JOIN page ON page_id = {source}"
_NAMED = "JOIN linktarget ON lt_id = {target}"
# Each table with its prefix, and the columns of the target in older versions.
_TABLES = (
    ("pagelinks", "pl", "pl_namespace, pl_title"),
    ("templatelinks", "tl", "tl_namespace, tl_title"),
    ("categorylinks", "cl", "14, cl_to"),
    ("imagelinks", "il", "6, il_to"),
)


def agreement(theirs: Path, ours: Path) -> float:
    """Return the percentage of all links that are in both MediaWiki's and wikiapi's database."""
    one, other = links(theirs), links(ours)
    return 100 * len(one & other) / max(len(one | other), 1)


def links(database: Path) -> set[Link]:
    """Return the links in a database of MediaWiki's layout, from 1.39 on."""
    rows: set[Link] = set()
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        for table, prefix, older in _TABLES:
            rows.update(db.execute(_query(db, table, prefix, older)))
    return rows


def _query(db: sqlite3.Connection, table: str, prefix: str, older: str) -> str:
    columns = {name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))}
    target_id = f"{prefix}_target_id"
    normalised = target_id in columns
    target = "lt_namespace, lt_title" if normalised else older
    parts = [
        _FROM.format(table=table, target=target),
        _PAGE.format(source=f"{prefix}_from"),
        _NAMED.format(target=target_id) if normalised else "",
    ]
    return " ".join(parts)
