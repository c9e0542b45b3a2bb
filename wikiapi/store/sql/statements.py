"""Statements compiled from Peewee queries, and the conversion of the values they return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeAlias

import peewee

from wikiapi.store.fields import Column, Payload
from wikiapi.store.sql.nodes import RawBytes
from wikiapi.store.sql.shapes import PaddingContext

Convert = Callable[[Any], Any]

Query: TypeAlias = peewee.Query
"""Any Peewee query: a select, insert, update or delete."""

Row: TypeAlias = tuple[Any, ...]
"""A row, as a tuple of ``str``, ``int``, ``float`` and None, and ``bytes`` from payloads."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, and how to convert the rows that it returns.

    Attributes:
        sql: the SQL, with placeholders for the values.
        payloads: the indexes of the columns with bytes that must not be decoded.
        repairs: the indexes of columns whose values must be repaired, and the functions for them.
    """

    sql: str
    payloads: frozenset[int]
    repairs: tuple[tuple[int, Convert], ...]

    def convert(self, rows: list[Row], *, trusted: bool) -> list[Row]:
        """Return the rows, at least one, with all values converted as described at ``Row``.

        ``trusted`` says that the driver returns texts as ``str``. In this case only the values of
        the first row are checked.
        """
        if not trusted or any(
            type(value) is bytes and index not in self.payloads
            for index, value in enumerate(rows[0])
        ):
            rows = [
                tuple(
                    unwrapped(value) if index in self.payloads else plain(value)
                    for index, value in enumerate(row)
                )
                for row in rows
            ]
        for index, repair in self.repairs:
            rows = [(*row[:index], repair(row[index]), *row[index + 1 :]) for row in rows]
        return rows


def compile_query(context: PaddingContext, query: Query) -> tuple[Statement, tuple[Any, ...]]:
    """Return the statement of a query, written in a new context, and the values to bind."""
    sql, params = context.sql(query).query()
    columns = [_field(node) for node in getattr(query, "_returning", None) or ()]
    statement = Statement(
        sql,
        frozenset(i for i, column in enumerate(columns) if isinstance(column, Payload | RawBytes)),
        tuple(
            (i, column.repair)
            for i, column in enumerate(columns)
            if isinstance(column, Column) and column.needs_repair
        ),
    )
    return statement, tuple(params)


def plain(value: Any) -> Any:
    """Return a driver's value converted to ``str``, ``int``, ``float`` or None."""
    convert = _PLAIN.get(type(value))
    return value if convert is None else convert(value)


def unwrapped(value: Any) -> Any:
    """Return a payload as ``bytes`` if it is a memoryview, as PostgreSQL's driver returns it."""
    return bytes(value) if isinstance(value, memoryview) else value


def decode(value: bytes | bytearray | memoryview) -> str:
    """Return a value of bytes as text; bytes that are not UTF-8 become U+FFFD."""
    return bytes(value).decode("utf-8", "replace")


def _timestamp(value: datetime) -> str:
    moment = value.astimezone(UTC) if value.tzinfo else value
    return moment.strftime("%Y%m%d%H%M%S")


def _field(node: Any) -> Any:
    while isinstance(node, peewee.WrappedNode) and not isinstance(node, RawBytes):
        node = node.node
    return node.field if isinstance(node, peewee.FieldAlias) else node


def _number(value: Decimal) -> int | float:
    return int(value) if value == int(value) else float(value)


_PLAIN: dict[type, Callable[[Any], Any]] = {
    bool: int,
    bytes: decode,
    bytearray: decode,
    memoryview: decode,
    datetime: _timestamp,
    Decimal: _number,
}
