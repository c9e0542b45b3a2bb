"""Writes the SQL of queries for the tables and columns that a database has.

Queries are built from the current models. For an older schema, Peewee's query tree is written
differently: a table that is missing or lacks columns is replaced with a subquery, and link tables
that contain the titles of their targets are not joined with ``linktarget``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import peewee

from wikiapi.errors import StoreVersionError
from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.sql.shapes import PaddingContext

_LINK_TARGET = "linktarget"
_ID = "lt_id"


class TargetTitles(NamedTuple):
    """The columns in which a link table of an older schema has the titles of its targets.

    ``namespace`` is a column, or the namespace of all targets in parentheses.
    """

    table: str
    namespace: str
    title: str


@dataclass(frozen=True)
class Schema:
    """The differences between a database and the current schema.

    Attributes:
        substitutes: the queries that replace tables that are missing or lack columns, by table.
        target_titles: the columns with the titles of link targets, by the name of the missing
            column with their ids.
        keeps_type_of_nulls: whether sort keys with a null byte have another type than others, and
            follow them.
    """

    substitutes: dict[str, str] = field(default_factory=dict)
    target_titles: dict[str, TargetTitles] = field(default_factory=dict)
    keeps_type_of_nulls: bool = False

    def context(self, dialect: Dialect) -> PaddingContext:
        """Return a new context in which Peewee writes a query for the database."""
        if self.substitutes or self.target_titles:
            return _SchemaContext(self, **dialect.context_options())
        return PaddingContext(**dialect.context_options())


CURRENT = Schema()
"""The schema of MediaWiki 1.45 and of every store of wikiapi."""


class _Target(NamedTuple):
    """The link table whose columns replace those of a ``linktarget`` that is not joined."""

    links: Any
    titles: TargetTitles


class _Scope:
    """The sources of one SELECT.

    ``targets`` contains the replacement of each ``linktarget`` by its object id, or None for one
    that is not replaced. ``joins`` contains the replacements of joins by their object ids.
    """

    def __init__(self) -> None:
        self.targets: dict[int, _Target | None] = {}
        self.joins: dict[int, Any] = {}


class _SchemaContext(PaddingContext):
    """Writes a query of the current models for an older schema.

    Raises StoreVersionError for a query that needs target ids, which the database does not have.
    """

    def __init__(self, schema: Schema, **settings: Any) -> None:
        super().__init__(**settings)
        self._schema = schema
        self._scopes: list[_Scope] = []

    def sql(self, obj: Any) -> Any:
        """Write a part of a query."""
        if isinstance(obj, peewee.Column):
            return self._column(obj)
        if self.scope == peewee.SCOPE_SOURCE:
            if isinstance(obj, peewee.Join) and self._scopes:
                return super().sql(self._scopes[-1].joins.get(id(obj), obj))
            substitute = self._schema.substitutes.get(_table_name(obj))
            if substitute:
                return self._substitute(_source(obj), substitute)
        # In the scope of columns, only the alias of a subquery is written.
        if isinstance(obj, peewee.Select) and self.scope != peewee.SCOPE_COLUMN:
            return self._select(obj)
        return super().sql(obj)

    def _select(self, query: Any) -> Any:
        scope = _Scope()
        for source in query._from_list or ():
            without = self._without_targets(source, scope)
            if without is not source:
                scope.joins[id(source)] = without
        self._scopes.append(scope)
        try:
            return super().sql(query)
        finally:
            self._scopes.pop()

    def _without_targets(self, source: Any, scope: _Scope) -> Any:
        """Return a join without any ``linktarget`` that is replaced by a link table's own columns.

        The link table is recorded in the scope. If ``linktarget`` is the first table of the join,
        the link table takes its place.
        """
        if not isinstance(source, peewee.Join):
            if _table_name(source) == _LINK_TARGET:
                scope.targets.setdefault(id(_source(source)), None)
            return source
        left = self._without_targets(source.lhs, scope)
        self._without_targets(source.rhs, scope)
        columns = _joined_columns(_condition(source))
        titles = self._schema.target_titles.get(columns.links.name) if columns else None
        if columns is None or titles is None:
            if left is source.lhs:
                return source
            return peewee.Join(left, source.rhs, source.join_type, _condition(source))
        target = columns.target.source
        if scope.targets.get(id(target)) is not None:
            raise _lacking(f"targets of {titles.table}")
        scope.targets[id(target)] = _Target(columns.links.source, titles)
        if _source(source.rhs) is target:
            return left
        return _replaced(left, target, source.rhs)

    def _column(self, column: Any) -> Any:
        table = _table_name(column.source)
        if table == _LINK_TARGET:
            # The replacement is that of this query, or of one around it.
            key = id(column.source)
            targets = (scope.targets for scope in reversed(self._scopes) if key in scope.targets)
            target = next(targets, {}).get(key)
            if target is not None:
                return self._title_column(target, column.name)
        titles = self._schema.target_titles.get(column.name)
        if titles is not None and titles.table == table:
            raise _lacking(column.name)
        return super().sql(column)

    def _title_column(self, target: _Target, name: str) -> Any:
        """Write the column of a link table that replaces a column of ``linktarget``."""
        links, titles = target
        if name == _ID:
            raise _lacking(f"targets of {titles.table}")
        if name == "lt_title":
            return super().sql(peewee.Column(links, titles.title))
        if titles.namespace.startswith("("):
            return self.literal(titles.namespace)
        return super().sql(peewee.Column(links, titles.namespace))

    def _substitute(self, source: Any, query: str) -> Any:
        alias = source.alias if isinstance(source, peewee.ModelAlias) else source._alias
        if alias:
            self.alias_manager[source] = alias
        return self.literal(f"({query}) AS ").sql(peewee.Entity(self.alias_manager[source]))


class _JoinedColumns(NamedTuple):
    links: Any
    target: Any


def _joined_columns(condition: Any) -> _JoinedColumns | None:
    """Return the two columns of a join condition of a link table with ``linktarget``."""
    if not isinstance(condition, peewee.Expression) or condition.op != peewee.OP.EQ:
        return None
    sides = [_column_of(side) for side in (condition.lhs, condition.rhs)]
    for target, links in (sides, reversed(sides)):
        if target is not None and links is not None and target.name == _ID:
            return _JoinedColumns(links, target)
    return None


def _condition(join: Any) -> Any:
    return join._on


def _column_of(node: Any) -> Any:
    if isinstance(node, peewee.FieldAlias):
        return peewee.Column(node.source, node.field.column_name)
    return node.column if isinstance(node, peewee.Field) else None


def _replaced(source: Any, old: Any, new: Any) -> Any:
    """Return a join in which one source is replaced with another."""
    if isinstance(source, peewee.Join):
        left = _replaced(source.lhs, old, new)
        right = _replaced(source.rhs, old, new)
        return peewee.Join(left, right, source.join_type, _condition(source))
    return new if _source(source) is old else source


def _source(node: Any) -> Any:
    """Return the table of a model, to which its columns refer; other sources are unchanged."""
    is_model = isinstance(node, peewee.ModelBase)
    return node._meta.table if is_model else node


def _table_name(node: Any) -> str:
    """Return the table name of a model or an alias of one; empty for other sources."""
    if isinstance(node, peewee.ModelAlias):
        node = node.model
    source = _source(node)
    return str(source.__name__) if isinstance(source, peewee.Table) else ""


def _lacking(what: str) -> StoreVersionError:
    return StoreVersionError(
        f"this needs the ids of {what}, which the database of an older MediaWiki does not have"
    )
