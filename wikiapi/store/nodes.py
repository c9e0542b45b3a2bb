"""SQL that Peewee has no portable words for."""

from __future__ import annotations

from typing import Any

from peewee import WrappedNode


class RawBytes(WrappedNode):
    """A column's value as ``bytes``, whatever they are.

    SQLite would decode a TEXT value; sort keys and compressed texts may be no UTF-8.
    """

    def __sql__(self, ctx: Any) -> Any:
        if _quote(ctx) == '"' and ctx.state.param == "?":
            return ctx.literal("CAST(").sql(self.node).literal(" AS BLOB)")
        return ctx.sql(self.node)


class AsText(WrappedNode):
    """The other way round: bytes, given as a value, to be compared with a column of text."""

    def __sql__(self, ctx: Any) -> Any:
        if _quote(ctx) == '"' and ctx.state.param == "?":
            return ctx.literal("CAST(").sql(self.node).literal(" AS TEXT)")
        return ctx.sql(self.node)


class AddressId(WrappedNode):
    """The number in a content address ``tt:N``, for joining the text table on its key."""

    def __sql__(self, ctx: Any) -> Any:
        kind = "UNSIGNED" if _quote(ctx) == "`" else "BIGINT"
        return ctx.literal("CAST(SUBSTR(").sql(self.node).literal(f", 4) AS {kind})")


def _quote(ctx: Any) -> str:
    return str(ctx.state.quote)[:1]
