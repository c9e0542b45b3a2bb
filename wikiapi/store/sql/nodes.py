"""Our own kinds of SQL expressions, which differ between engines."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from peewee import WrappedNode

from wikiapi.store.engines.dialect import Dialect


class DialectNode(WrappedNode):
    """An expression that wraps another one in SQL of the dialect."""

    @abstractmethod
    def template(self, dialect: Dialect) -> str:
        """Return the SQL, in which ``{}`` stands for the wrapped expression."""

    def __sql__(self, ctx: Any) -> Any:
        before, _, after = self.template(ctx.state.dialect).partition("{}")
        return ctx.literal(before).sql(self.node).literal(after)


class RawBytes(DialectNode):
    """The value of a column as ``bytes``.

    Sort keys and compressed texts may not be valid UTF-8, and TEXT values of SQLite are decoded.
    """

    def template(self, dialect: Dialect) -> str:
        return dialect.bytes_of(self.node)


class SortKeyOf(DialectNode):
    """Bytes that are given as a value, for comparison with a column of sort keys."""

    def template(self, dialect: Dialect) -> str:
        return dialect.sort_key_of_bytes


class ComparableSortKey(DialectNode):
    """A sort key as the argument of an aggregate function such as MIN."""

    def template(self, dialect: Dialect) -> str:
        return dialect.comparable_sort_key


class AddressId(DialectNode):
    """The number in a content address ``tt:N``, to join the text table on its key."""

    def template(self, dialect: Dialect) -> str:
        return dialect.text_id_of_address
