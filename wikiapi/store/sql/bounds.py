"""Conditions that bound a sorted query, to continue it where an earlier one ended."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from peewee import fn


def starting_at(columns: Sequence[Any], values: Sequence[Any], *, descending: bool = False) -> Any:
    """Return the condition that a row is at or after the values in the order of the columns.

    The first column is also compared by itself, so that an index on it can be used.
    """
    first, value = columns[0], values[0]
    bound = (first <= value) if descending else (first >= value)
    if len(columns) == 1:
        return bound
    beyond = (first < value) if descending else (first > value)
    rest = starting_at(columns[1:], values[1:], descending=descending)
    return bound & (beyond | rest)


def before(columns: Sequence[Any], values: Sequence[Any], *, descending: bool = False) -> Any:
    """Return the condition that a row is before the values in the order of the columns."""
    first, value = columns[0], values[0]
    earlier = (first > value) if descending else (first < value)
    if len(columns) == 1:
        return earlier
    bound = (first >= value) if descending else (first <= value)
    return bound & (earlier | before(columns[1:], values[1:], descending=descending))


def with_first(condition: Any, query: Any) -> Any:
    """Return a query with one more condition, in front of its others.

    If several conditions bound a column from the same side, SQLite looks up the first one in the
    index and compares the others row by row. So this one must be the narrowest.
    """
    first = query.clone()
    first._where = condition if query._where is None else condition & query._where
    return first


def between(column: Any, start: Any, end: Any, *, descending: bool = False) -> list[Any]:
    """Return the conditions that a column is from ``start`` to ``end``; either may be None."""
    low, high = (end, start) if descending else (start, end)
    return [
        condition
        for condition in (
            None if low is None else column >= low,
            None if high is None else column <= high,
        )
        if condition is not None
    ]


def with_prefix(column: Any, prefix: str) -> list[Any]:
    """Return the conditions that a column starts with a text, for which an index can be used."""
    if not prefix:
        return []
    end = following(prefix)
    return [column >= prefix] if end is None else [column >= prefix, column < end]


def following(prefix: str) -> str | None:
    """Return the smallest text that is greater than all texts that start with the prefix.

    Returns None if the prefix consists only of the last code point, so that there is none.
    """
    stem = prefix.rstrip(chr(sys.maxunicode))
    if not stem:
        return None
    last = ord(stem[-1])
    # Surrogates are skipped, because they are not characters.
    return stem[:-1] + chr(0xE000 if last == 0xD7FF else last + 1)


def unindexed(column: Any) -> Any:
    """Return an expression for the value of a non-null column for which no index can be used.

    For a condition that many rows meet. With the column itself, the planner might use the column's
    index rather than that of the order, and read and sort all these rows to list only a few.
    """
    return fn.COALESCE(column, column)


def ordered(query: Any, *columns: Any, descending: bool = False) -> Any:
    """Return the query sorted by the columns, all ascending or all descending."""
    return query.order_by(*(column.desc() if descending else column.asc() for column in columns))
