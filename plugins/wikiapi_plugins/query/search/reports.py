"""What the special pages with lists for maintenance have in common: one query each.

``list=querypage`` shows what they show. MediaWiki's SQLite layer hands numbers over as texts, and
so the answers have them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

from wikiapi.site import Site
from wikiapi.store import Row
from wikiapi.store.models import Page

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


def query_of(page: QueryPage, site: Site) -> Any:
    """Return the query of a special page."""
    return page.query(site.namespaces.content)


def no_redirects(namespaces: Namespaces) -> Any:
    """Return a condition on pages."""
    return Page.page_namespace.in_(namespaces) & (Page.page_is_redirect == 0)


def all_of(*conditions: Any) -> Any:
    """Return the conditions as one."""
    return reduce(and_, conditions)
