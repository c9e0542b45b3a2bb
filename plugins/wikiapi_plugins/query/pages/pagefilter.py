"""Filters on the kind and size of pages, for lists that have another order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wikiapi.api import QueryModule
from wikiapi.store import Database, bounds
from wikiapi.store.models import Page
from wikiapi.store.queries import rarity

_EVERY_KIND = (0, 1)


@dataclass(frozen=True)
class PageFilter:
    """Which pages to list: namespaces, values of ``page_is_redirect``, bounds of the length."""

    namespaces: Sequence[int] = ()
    kinds: Sequence[int] = _EVERY_KIND
    least: int | None = None
    most: int | None = None

    @classmethod
    def of(cls, module: QueryModule, namespaces: Sequence[int], redirects: str) -> PageFilter:
        """Return the filter of a request; ``redirects`` is a value of ``filterredir``."""
        kinds = {"redirects": (1,), "nonredirects": (0,)}.get(redirects, _EVERY_KIND)
        sizes = (
            module.p.number(name) if module.p.is_given(name) else None
            for name in ("minsize", "maxsize")
        )
        return cls(namespaces, kinds, *sizes)

    @property
    def has_kind_or_size(self) -> bool:
        """Whether it filters by kind or by size."""
        return len(self.kinds) == 1 or self._has_size

    @property
    def _has_size(self) -> bool:
        return self.least is not None or self.most is not None

    def conditions(self) -> list[Any]:
        """Return the conditions, which use no index so that the list keeps its order."""
        conditions = bounds.between(bounds.unindexed(Page.page_len), self.least, self.most)
        if len(self.kinds) == 1:
            conditions.append(bounds.unindexed(Page.page_is_redirect) == self.kinds[0])
        if self.namespaces:
            conditions.append(bounds.unindexed(Page.page_namespace).in_(self.namespaces))
        return conditions

    def rare_condition(self, db: Database) -> Any | None:
        """Return an indexed condition that only a few pages match, among them all of the filter.

        None if too many pages have the namespace, kind and size. One query.
        """
        table = Page.alias()
        conditions = bounds.between(table.page_len, self.least, self.most)
        if self.namespaces:
            # One index covers all three columns: redirect, namespace and length, in this order.
            conditions.append(table.page_is_redirect.in_(self.kinds))
            conditions.append(table.page_namespace.in_(self.namespaces))
        elif not self._has_size and len(self.kinds) == 1:
            conditions.append(table.page_is_redirect == self.kinds[0])
        if not conditions:
            return None
        matching = table.select(table.page_id).where(*conditions)
        return Page.page_id.in_(matching) if rarity.is_rare(db, matching) else None
