"""Expressions that each database engine writes in its own way."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from peewee import WrappedNode

from wikiapi.store.engines.dialect import Dialect


class DialectNode(WrappedNode):
    """An expression around another one, whose SQL comes from the dialect."""

    @abstractmethod
    def template(self, dialect: Dialect) -> str:
        """Return the SQL, in which ``{}`` stands for the wrapped expression."""

    def __sql__(self, ctx: Any) -> Any:
        before, _, after = self.template(ctx.state.dialect).partition("{}")
        return ctx.literal(before).sql(self.node).literal(after)


class RawBytes(DialectNode):
    """A column's value as ``bytes``, whatever they are.

    SQLite would decode a TEXT value; sort keys and compressed texts may be no UTF-8.
    """

    def template(self, dialect: Dialect) -> str:
        return dialect.bytes_of(self.node)


class AsText(DialectNode):
    """The other way round: bytes, given as a value, to be compared with a column of text."""

    def template(self, dialect: Dialect) -> str:
        return dialect.text_of_bytes


class AddressId(DialectNode):
    """The number in a content address ``tt:N``, for joining the text table on its key."""

    def template(self, dialect: Dialect) -> str:
        return dialect.text_id_of_address
