"""Where a walk in the order of several columns starts or stops: the SQL of continuation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from peewee import fn


def starting_at(columns: Sequence[Any], values: Sequence[Any], *, descending: bool = False) -> Any:
    """Return a condition: the row is at or after the values in the order of the columns.

    The first column is compared on its own as well, so that an index on it bounds the search.
    """
    first, value = columns[0], values[0]
    bound = (first <= value) if descending else (first >= value)
    if len(columns) == 1:
        return bound
    beyond = (first < value) if descending else (first > value)
    rest = starting_at(columns[1:], values[1:], descending=descending)
    return bound & (beyond | rest)


def before(columns: Sequence[Any], values: Sequence[Any], *, descending: bool = False) -> Any:
    """Return a condition: the row precedes this one in the order of the columns."""
    first, value = columns[0], values[0]
    earlier = (first > value) if descending else (first < value)
    if len(columns) == 1:
        return earlier
    bound = (first >= value) if descending else (first <= value)
    return bound & (earlier | before(columns[1:], values[1:], descending=descending))


def between(column: Any, start: Any, end: Any, *, descending: bool = False) -> list[Any]:
    """Return conditions for a range of a column from ``start`` to ``end``; either may be None."""
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
    """Return conditions: the column starts with the text. An index serves them; no wildcards."""
    if not prefix:
        return []
    end = following(prefix)
    return [column >= prefix] if end is None else [column >= prefix, column < end]


def following(prefix: str) -> str | None:
    """Return the smallest text that is greater than everything that starts with the prefix.

    There is none, ``None``, for a prefix that holds nothing but the last code point.
    """
    stem = prefix.rstrip(chr(sys.maxunicode))
    if not stem:
        return None
    last = ord(stem[-1])
    # The surrogates are no characters; the order of UTF-8 steps over them.
    return stem[:-1] + chr(0xE000 if last == 0xD7FF else last + 1)


def unindexed(column: Any) -> Any:
    """Return the value of a column that is not null, in a form that no index serves.

    For a condition that many rows meet and that would lure the planner away from the index in
    whose order a walk goes: it would read and sort all of those rows for the few that are listed.
    """
    return fn.COALESCE(column, column)


def ordered(query: Any, *columns: Any, descending: bool = False) -> Any:
    """Return the query in the order of the columns, all ascending or all descending."""
    return query.order_by(*(column.desc() if descending else column.asc() for column in columns))
