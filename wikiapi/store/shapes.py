"""The shape of a Peewee query: all of it but the values.

Queries of one shape have the same SQL, and Peewee takes several times as long to write it as a
walk over the query takes to tell its shape.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import peewee

from wikiapi.store.fields import Column
from wikiapi.store.nodes import PerDialect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


class Shape(NamedTuple):
    """What makes up a query's SQL, the values to bind in its order, and what ``key`` names by id.

    Whoever keeps the key must keep ``named`` with it, lest an id is given to something else.
    """

    key: tuple[object, ...]
    values: list[Any]
    named: list[Any]


class _Lasting(NamedTuple):
    """Parts of a query that is kept for good, and the values in those that have any."""

    columns: Any = None
    source: Any = None
    condition: Any = None
    values: Sequence[Any] = ()
    groups: Any = None
    order: Any = None


class _Unknown(Exception):
    """Part of a query that has no shape."""


class _Walk:
    """Notes what it meets on its way through a query, in the order of the SQL."""

    def __init__(self) -> None:
        self.key: list[object] = []
        self.values: list[Any] = []
        self.named: list[Any] = []
        self.aliases: dict[int, int] = {}
        self.known = _NOTHING

    def visit(self, node: Any) -> None:
        (_VISITS.get(type(node)) or _visit_of(type(node)))(self, node)

    def visit_all(self, nodes: Sequence[Any] | None) -> None:
        listed = nodes or ()
        self.key.append(len(listed))
        for node in listed:
            self.visit(node)

    def name(self, thing: Any) -> None:
        self.key.append(id(thing))
        self.named.append(thing)

    def value(self, value: Any) -> None:
        self.key.append(type(value))
        self.values.append(value)

    def none(self, _node: None) -> None:
        self.key.append(None)

    def several(self, values: Sequence[Any]) -> None:
        self.visit_all(values)

    def select(self, query: Any) -> None:
        if any(_unusual(query)):
            raise _Unknown
        self.key.append(("select", query._simple_distinct))
        outer, self.known = self.known, query.__dict__.get(_LASTING, _NOTHING)
        known = self.known
        self.all_or_name(query._returning, known.columns)
        sources = query._from_list
        if len(sources) == 1 and sources[0] is known.source:
            self.name(known.source)
        else:
            self.visit_all(sources)
        self.visit(query._where)
        self.all_or_name(query._group_by, known.groups)
        self.all_or_name(query._order_by, known.order)
        self.visit(query._limit)
        self.visit(query._offset)
        self.known = outer

    def all_or_name(self, nodes: Sequence[Any] | None, known: Any) -> None:
        if nodes is known and nodes is not None:
            self.name(nodes)
        else:
            self.visit_all(nodes)

    def join(self, node: Any) -> None:
        if node._alias:
            raise _Unknown
        self.key.append(node.join_type)
        for part in (node.lhs, node.rhs, node._on):
            self.visit(part)

    def expression(self, node: Any) -> None:
        if node is self.known.condition:
            self.name(node)
            self.values += self.known.values
            return
        self.key.append((node.op, node.flat))
        self.visit(node.lhs)
        self.visit(node.rhs)

    def bound(self, node: Any) -> None:
        self.name(node.converter)
        if node.multi:
            self.visit_all(node.values)
        else:
            self.value(node.value)

    def ordering(self, node: Any) -> None:
        if node.nulls:
            raise _Unknown
        self.key.append((node.direction, node.collation))
        self.visit(node.node)

    def literal(self, node: Any) -> None:
        if node.params:
            raise _Unknown
        self.key.append(node.sql)

    def function(self, node: Any) -> None:
        if node._filter is not None or node._order_by:
            raise _Unknown
        self.key.append(node.name)
        self.visit_all(node.arguments)

    def nodes(self, node: Any) -> None:
        self.key.append((node.glue, node.parens))
        self.visit_all(node.nodes)

    def renamed(self, node: Any) -> None:
        self.key.append(node._alias)
        self.visit(node.node)

    def wrapped(self, node: Any) -> None:
        self.key.append(type(node))
        self.visit(node.node)

    def field_alias(self, node: Any) -> None:
        self.model_alias(node.source)
        self.name(node.field)

    def model_alias(self, node: Any) -> None:
        """Aliases are made anew for each query: what counts is which is which."""
        if node.alias is not None and not isinstance(node.alias, str):
            raise _Unknown
        number = self.aliases.setdefault(id(node), len(self.aliases))
        self.key.append(("alias", number, node.alias))
        self.name(node.model)

    def unknown(self, _node: Any) -> None:
        raise _Unknown


def shape_of(query: Any) -> Shape | None:
    """The shape of a query that reads; ``None`` where it holds something out of the ordinary."""
    walk = _Walk()
    try:
        walk.visit(query)
    except _Unknown:
        return None
    return Shape(tuple(walk.key), walk.values, walk.named)


def lasting(query: Any) -> Any:
    """The query, whose parts nobody need look through any more.

    They are told by their identity in all queries that are made from this one. For queries that are
    kept for good.
    """
    if _VISITS.get(type(query)) is not _Walk.select or len(query._from_list) != 1:
        return query
    parts = (query._returning, query._from_list, query._group_by, query._order_by)
    outside, condition = _Walk(), _Walk()
    try:
        for part in parts:
            outside.visit_all(part)
        condition.visit(query._where)
    except _Unknown:
        return query
    # Values are bound in their order; what an alias is called depends on those before it.
    if not (outside.values or outside.aliases or condition.aliases):
        columns, sources, groups, order = parts
        known = _Lasting(columns, sources[0], query._where, condition.values, groups, order)
        setattr(query, _LASTING, known)
    return query


def _visit_of(kind: type) -> Callable[[_Walk, Any], None]:
    """How to visit nodes of a class that is none of those below, but may be of their kinds.

    Not kept: Peewee makes a class of its own for each field of an alias.
    """
    if issubclass(kind, peewee.FieldAlias):
        return _Walk.field_alias
    if issubclass(kind, peewee.ModelBase | peewee.Field):
        return _Walk.name
    if issubclass(kind, PerDialect):
        return _Walk.wrapped
    return _Walk.unknown


def _kinds(base: type[Any]) -> Iterator[type[Any]]:
    yield base
    for kind in base.__subclasses__():
        yield from _kinds(kind)


_LASTING = "_lasting"
_NOTHING = _Lasting()
_unusual = attrgetter(
    "_cte_list", "_having", "_windows", "_for_update", "_lateral", "_distinct", "_alias"
)

_VISITS: Mapping[type, Callable[[_Walk, Any], None]] = {
    type(None): _Walk.none,
    str: _Walk.value,
    int: _Walk.value,
    float: _Walk.value,
    list: _Walk.several,
    tuple: _Walk.several,
    peewee.ModelSelect: _Walk.select,
    peewee.Join: _Walk.join,
    peewee.Expression: _Walk.expression,
    peewee.Value: _Walk.bound,
    peewee.Ordering: _Walk.ordering,
    peewee.SQL: _Walk.literal,
    peewee.Function: _Walk.function,
    peewee.NodeList: _Walk.nodes,
    peewee.Alias: _Walk.renamed,
    peewee.Negated: _Walk.wrapped,
    peewee.ModelAlias: _Walk.model_alias,
    peewee.ModelBase: _Walk.name,
    **dict.fromkeys(_kinds(Column), _Walk.name),
}
