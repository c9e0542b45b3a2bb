"""Queries that are compiled once, since only their values differ.

Building a simple query with Peewee and finding its shape (``shapes``) takes 10 µs, twice as long as
SQLite takes to answer it. Queries of a fixed form that many requests run are therefore built and
compiled when they are first run, with parameters in the place of their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

import peewee

from wikiapi.store.sql.batches import BATCH, Key, by_namespace
from wikiapi.store.sql.shapes import PaddingContext, padded
from wikiapi.store.sql.statements import Query, Row, Statement, compile_query

if TYPE_CHECKING:
    from wikiapi.store.database import Database


class CompiledQuery:
    """A query that is compiled once for each number of values in its lists."""

    __slots__ = ("build",)

    def __init__(self, build: Callable[..., Query]) -> None:
        """Take a function that returns the query for its values, and is called with parameters.

        It must use each of them as it is, and only as an operand or the list of an ``IN``.
        """
        self.build = build

    def __call__(self, *arguments: Any) -> BoundQuery:
        """Return the query with values, or lists of them.

        They are not converted, so each must have the type of its column. It cannot be None, which
        SQL compares in another way.
        """
        values: list[Any] = []
        sizes: list[int | None] = []
        for argument in arguments:
            if type(argument) is list or type(argument) is tuple:
                listed = padded(argument)
                sizes.append(len(listed))
                values += listed
            else:
                sizes.append(None)
                values.append(argument)
        if None in values:
            raise TypeError("None as a value of a compiled query")
        return BoundQuery(self, tuple(sizes), values)


class BoundQuery(NamedTuple):
    """A compiled query with its values, one after the other."""

    query: CompiledQuery
    sizes: tuple[int | None, ...]
    """The length of each list, None for a single value."""
    values: list[Any]


class CompiledStatement(NamedTuple):
    """The statement of a compiled query, and the order of its values."""

    statement: Statement
    places: Sequence[_Place | Any] | None
    """What is bound: places of values, and constants. None if it is the values as they are."""

    def bound(self, values: list[Any]) -> list[Any]:
        """Return the values in the order of the SQL, with the constants."""
        if self.places is None:
            return values
        return [values[each.index] if type(each) is _Place else each for each in self.places]


def compile_bound(context: PaddingContext, query: BoundQuery) -> CompiledStatement:
    """Return the statement for queries with lists of the same sizes, written in a new context."""
    parameters, start = [], 0
    for size in query.sizes:
        parameters.append(_Parameter(start, size))
        start += 1 if size is None else size
    statement, params = compile_query(context, query.query.build(*parameters))
    order = [each.index if type(each) is _Place else None for each in params]
    return CompiledStatement(statement, None if order == list(range(start)) else params)


class _Place:
    """The place of a value in the list of all, which the compiled SQL binds instead of it."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


class _Parameter(peewee.ColumnBase):
    """Stands for a value, or for the list of an ``IN``, while a query is compiled."""

    def __init__(self, start: int, size: int | None) -> None:
        super().__init__()
        self._start = start
        self._size = size

    def __sql__(self, ctx: Any) -> Any:
        if self._size is None:
            return ctx.value(_Place(self._start), converter=False)
        ctx.literal("(")
        for index in range(self._start, self._start + self._size):
            ctx.literal("" if index == self._start else ", ")
            ctx.value(_Place(index), converter=False)
        return ctx.literal(")")


class ByValues(CompiledQuery):
    """A query for the rows in which a column has one of many values."""

    __slots__ = ()

    def __init__(self, query: Query, column: Any) -> None:
        """Take the query for all rows."""
        super().__init__(lambda values: query.where(column.in_(values)))

    def rows(self, db: Database, values: Iterable[Any]) -> Iterator[Row]:
        """Yield the rows. Runs one query for every 512 distinct values."""
        distinct = list(dict.fromkeys(values))
        for start in range(0, len(distinct), BATCH):
            yield from db.execute(self(distinct[start : start + BATCH]))


class ByKeys(CompiledQuery):
    """A query for the rows in which two columns are one of many (namespace, dbkey) pairs."""

    __slots__ = ()

    def __init__(self, query: Query, namespace: Any, title: Any) -> None:
        """Take the query for all rows."""

        def build(*groups: Any) -> Query:
            pairs = zip(groups[::2], groups[1::2], strict=True)
            conditions = ((namespace == number) & title.in_(names) for number, names in pairs)
            return query.where(reduce(or_, conditions))

        super().__init__(build)

    def rows(self, db: Database, keys: Iterable[Key]) -> Iterator[Row]:
        """Yield the rows. Runs one query for every 512 distinct keys."""
        distinct = list(dict.fromkeys(keys))
        for start in range(0, len(distinct), BATCH):
            groups = by_namespace(distinct[start : start + BATCH])
            yield from db.execute(self(*chain.from_iterable(groups)))
