"""Special pages that list what one query finds: ``list=querypage`` shows what they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wikiapi.store.sql.statements import Row

Namespaces = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QueryPage:
    """A special page.

    Attributes:
        name: its name.
        query: makes the query of a wiki with these content namespaces, in order: (namespace, title,
            value where there is one, more...).
        has_value: whether there is a value.
        is_moment: whether the value is one.
        more: the names of the further columns, as answers show them.
        right: what it takes to see the page.
        read: makes a row of the query one of those columns, where it is none.
    """

    name: str
    query: Callable[[Namespaces], Any]
    has_value: bool = False
    is_moment: bool = False
    more: tuple[str, ...] = ()
    right: str | None = None
    read: Callable[[Row], Row] | None = None
