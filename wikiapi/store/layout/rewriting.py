"""Rewrites compiled statements of the current layout for an older one.

Texts of users never stand in compiled SQL, only placeholders do; so what looks like a column here
is one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from wikiapi.errors import StoreVersionError

_JOIN = re.compile(
    r' (?:INNER|LEFT OUTER) JOIN (?P<q>["`])(?P<table>\w+)(?P=q) AS (?P=q)(?P<joined>\w+)(?P=q)'
    r" ON \((?P=q)(?P<a>\w+)(?P=q)\.(?P=q)(?P<left>\w+)(?P=q)"
    r" = (?P=q)(?P<b>\w+)(?P=q)\.(?P=q)(?P<right>\w+)(?P=q)\)"
)
_LINK_TARGET = "linktarget"
_ID = "lt_id"


@dataclass(frozen=True, slots=True)
class Titled:
    """How a link table of an older layout names its targets: by columns of its own.

    ``namespace`` is a column, or in parentheses the one namespace of all targets.
    """

    table: str
    namespace: str
    title: str


@dataclass(frozen=True)
class Layout:
    """What differs from the current layout.

    Attributes:
        tables: by name, the query that stands for a table that is missing or lacks columns.
        targets: by the column that should hold a target's id, the columns that hold its title.
    """

    tables: dict[str, str] = field(default_factory=dict)
    targets: dict[str, Titled] = field(default_factory=dict)

    def names_targets(self, column: str) -> bool:
        """Whether the link table has titles where the column should stand."""
        return column in self.targets

    def rewrite(self, sql: str) -> str:
        """A statement for the current layout in terms of this one.

        Raises StoreVersionError for a statement that needs ids which the database does not have.
        """
        for column in self.targets:
            if column in sql:
                sql = self._without_targets(sql, column)
        if self.tables:
            sql = self._tables.sub(self._replaced, sql)
        return sql

    @cached_property
    def _tables(self) -> re.Pattern[str]:
        return re.compile(rf'(["`])({"|".join(self.tables)})\1 AS ')

    def _replaced(self, match: re.Match[str]) -> str:
        return f"({self.tables[match[2]]}) AS "

    def _without_targets(self, sql: str, column: str) -> str:
        while match := next((m for m in _JOIN.finditer(sql) if _joins(m, column)), None):
            sql = self._joined(sql, match, self.targets[column])
        if re.search(rf'["`]{column}["`]', sql):
            raise _lacking(column)
        return sql

    def _joined(self, sql: str, match: re.Match[str], old: Titled) -> str:
        """Take one table out of the join of linktarget and a link table."""
        quote, joined = match["q"], match["joined"]
        other = match["a"] if match["b"] == joined else match["b"]
        sql = sql[: match.start()] + sql[match.end() :]
        links, target = other, joined
        if match["table"] != _LINK_TARGET:
            # The statement started from linktarget: the link table takes its place.
            links, target = joined, other
            sql = sql.replace(
                f"{quote}{_LINK_TARGET}{quote} AS {quote}{other}{quote}",
                f"{quote}{old.table}{quote} AS {quote}{joined}{quote}",
            )
        place = f"{quote}{links}{quote}."
        fixed = old.namespace.startswith("(")
        namespace = old.namespace if fixed else place + _quoted(old, quote)
        head = f"{quote}{target}{quote}.{quote}"
        if f"{head}{_ID}{quote}" in sql:
            raise _lacking(f"targets of {old.table}")
        sql = sql.replace(f"{head}lt_namespace{quote}", namespace)
        return sql.replace(f"{head}lt_title{quote}", f"{place}{quote}{old.title}{quote}")


CURRENT = Layout()
"""MediaWiki 1.45's, and that of every store of ours."""


def _lacking(what: str) -> StoreVersionError:
    return StoreVersionError(
        f"this needs the ids of {what}, which the database of an older MediaWiki does not have"
    )


def _joins(match: re.Match[str], column: str) -> bool:
    return {match["left"], match["right"]} == {column, _ID}


def _quoted(old: Titled, quote: str) -> str:
    return f"{quote}{old.namespace}{quote}"
