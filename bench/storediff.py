"""Comparison of two SQLite stores: rows, indexes, and the words of the search index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any

_TABLES = (
    "SELECT name FROM sqlite_master WHERE type = 'table'"
    " AND name NOT LIKE 'searchindex%' ORDER BY 1"
)
_INDEXES = "SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY 1"
_WORDS = "CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'searchindex', 'row')"
_CHECK = "INSERT INTO searchindex (searchindex, rank) VALUES ('integrity-check', 1)"


def differences(one: Path, other: Path) -> Iterator[str]:
    """Yield each table in which the stores differ, with the first pair of different rows."""
    with closing(sqlite3.connect(one)) as left, closing(sqlite3.connect(other)) as right:
        yield from _difference("tables", _rows(left, _TABLES), _rows(right, _TABLES))
        yield from _difference("indexes", _rows(left, _INDEXES), _rows(right, _INDEXES))
        for (table,) in _rows(left, _TABLES):
            yield from _difference(table, _content(left, table), _content(right, table))
        yield from _difference("words", _words(left), _words(right))


def _difference(what: str, left: Iterator[Any], right: Iterator[Any]) -> Iterator[str]:
    for number, (mine, theirs) in enumerate(zip_longest(left, right)):
        if mine != theirs:
            yield f"{what}, row {number}: {mine!r} and {theirs!r}"[:400]
            return


def _rows(db: sqlite3.Connection, sql: str) -> Iterator[Any]:
    return iter(db.execute(sql).fetchall())


def _content(db: sqlite3.Connection, table: str) -> Iterator[Any]:
    # Sorted by the primary key, so that no table has to be in memory.
    keys = db.execute("SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk", (table,))
    order = ", ".join(f'"{name}"' for (name,) in keys) or "1, 2"
    yield from db.execute(f'SELECT * FROM "{table}" ORDER BY {order}')


def _words(db: sqlite3.Connection) -> Iterator[Any]:
    db.execute(_CHECK)
    db.rollback()
    db.execute(_WORDS)
    yield from db.execute("SELECT * FROM temp.words ORDER BY term")
