"""Compiled statements: Peewee builds a query in about as long as SQLite runs thirty of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import peewee

from wikiapi.store.fields import Column, Payload
from wikiapi.store.nodes import RawBytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Convert = Callable[[Any], Any]

Row = tuple[Any, ...]


class Slot:
    """Stands for a value that is given when a compiled statement is run."""


SLOT = Slot()


def slot() -> Any:
    """A place in a query for a value to come; use it wherever a value may stand."""
    return peewee.Value(SLOT, converter=_unchanged)


def slots(count: int) -> list[Any]:
    """So many places, for the right side of ``in_``."""
    return [slot() for _ in range(count)]


def padded(values: Sequence[Any]) -> tuple[Any, ...]:
    """Values repeated to the next power of two, so that lists of any length share few shapes.

    For the right side of ``IN``, where a value that comes twice changes nothing.
    """
    missing = (1 << (len(values) - 1).bit_length()) - len(values)
    return (*values, *([values[-1]] * missing))


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL with its parameters; those that are slots are filled when it is run."""

    sql: str
    params: tuple[Any, ...]
    slots: tuple[int, ...]
    payloads: frozenset[int]
    repairs: tuple[tuple[int, Convert], ...]

    def fill(self, values: Sequence[Any]) -> Sequence[Any]:
        """The parameters with the slots filled in the order in which the SQL has them."""
        if len(self.slots) != len(values):
            raise ValueError(f"{len(self.slots)} values expected, {len(values)} given")
        if len(self.slots) == len(self.params):
            return values
        params = list(self.params)
        for index, value in zip(self.slots, values, strict=True):
            params[index] = value
        return params

    def with_slots(self, values: Sequence[Any]) -> Statement | None:
        """The same with a slot for every parameter, in the order of these values.

        ``None`` where Peewee has not taken the values as they are: another value might be
        changed in another way.
        """
        if len(values) != len(self.params):
            return None
        if any(one is not other for one, other in zip(values, self.params, strict=True)):
            return None
        return replace(self, slots=tuple(range(len(values))))

    def convert(self, rows: list[Row], *, trusted: bool) -> list[Row]:
        """The rows with every value in its Python form.

        ``trusted`` says that the driver gives texts as ``str``; then one look at the first row
        spares looking at every value.
        """
        if not rows:
            return rows
        if not trusted or any(
            type(value) is bytes and index not in self.payloads
            for index, value in enumerate(rows[0])
        ):
            rows = [self._plain(row) for row in rows]
        return [self._repair(row) for row in rows] if self.repairs else rows

    def _plain(self, row: Row) -> Row:
        return tuple(
            unwrapped(value) if index in self.payloads else plain(value)
            for index, value in enumerate(row)
        )

    def _repair(self, row: Row) -> Row:
        values = list(row)
        for index, repair in self.repairs:
            values[index] = repair(values[index])
        return tuple(values)


def compile_query(database: Any, query: Any) -> Statement:
    """Compile a Peewee query for a Peewee database, which the models need not be bound to."""
    sql, params = database.get_sql_context().sql(query).query()
    columns = [_field(node) for node in getattr(query, "_returning", None) or ()]
    return Statement(
        sql,
        tuple(params),
        tuple(i for i, param in enumerate(params) if param is SLOT),
        frozenset(i for i, column in enumerate(columns) if isinstance(column, Payload | RawBytes)),
        tuple(
            (i, column.repair)
            for i, column in enumerate(columns)
            if isinstance(column, Column) and column.needs_repair
        ),
    )


def plain(value: Any) -> Any:
    """A driver's value as the rest of the program knows it: ``str``, ``int``, ``float``, None."""
    convert = _PLAIN.get(type(value))
    return value if convert is None else convert(value)


def unwrapped(value: Any) -> Any:
    """A payload without the memoryview that PostgreSQL's driver puts around it."""
    return bytes(value) if isinstance(value, memoryview) else value


def decode(value: bytes | bytearray | memoryview) -> str:
    """Text from a column of bytes; what is no UTF-8 becomes U+FFFD."""
    return bytes(value).decode("utf-8", "replace")


def _timestamp(value: datetime) -> str:
    moment = value.astimezone(UTC) if value.tzinfo else value
    return moment.strftime("%Y%m%d%H%M%S")


def _unchanged(value: Any) -> Any:
    return value


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


def chunked(values: Iterable[Any], size: int) -> Iterable[list[Any]]:
    """Lists of at most ``size`` of the values, in their order."""
    chunk: list[Any] = []
    for value in values:
        chunk.append(value)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
