"""SQL that Peewee has no portable words for."""

from __future__ import annotations

from typing import Any

from peewee import WrappedNode

from wikiapi.store.fields import Payload


class PerDialect(WrappedNode):
    """An expression around ``{}``, the wrapped one, that each database spells its own way."""

    sqlite = mysql = postgres = "{}"

    def __sql__(self, ctx: Any) -> Any:
        before, _, after = self._template(ctx).partition("{}")
        return ctx.literal(before).sql(self.node).literal(after)

    def _template(self, ctx: Any) -> str:
        if ctx.state.quote.startswith("`"):
            return self.mysql
        return self.sqlite if ctx.state.param == "?" else self.postgres


class RawBytes(PerDialect):
    """A column's value as ``bytes``, whatever they are.

    SQLite would decode a TEXT value; sort keys and compressed texts may be no UTF-8.
    """

    sqlite = "CAST({} AS BLOB)"
    postgres = "convert_to({}, 'UTF8')"

    def _template(self, ctx: Any) -> str:
        template = super()._template(ctx)
        stored_as_bytes = isinstance(self.node, Payload) and template == self.postgres
        return "{}" if stored_as_bytes else template


class AsText(PerDialect):
    """The other way round: bytes, given as a value, to be compared with a column of text."""

    sqlite = "CAST({} AS TEXT)"
    postgres = "convert_from({}, 'UTF8')"


class AddressId(PerDialect):
    """The number in a content address ``tt:N``, for joining the text table on its key."""

    sqlite = "CAST(SUBSTR({}, 4) AS BIGINT)"
    postgres = "CAST(SUBSTRING({} FROM '^tt:([0-9]+)') AS BIGINT)"
    mysql = "CAST(SUBSTR({}, 4) AS UNSIGNED)"
