"""Members and parents of categories: one query for all the nodes of a level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import Value, fn

from wikiapi.store.categories import by_titles
from wikiapi.store.models import CategoryLinks, LinkTarget, Page
from wikiapi.title.namespaces import CATEGORY
from wikiapi_plugins.extensions.categorytree.options import Mode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.store.categories import CategoryRow
    from wikiapi.store.database import Database
    from wikiapi_plugins.extensions.categorytree.options import TreeOptions

LIMIT = 200
"""Members shown of one category."""


class Member(NamedTuple):
    """A page, and what is counted of a category."""

    ns: int
    dbkey: str
    is_redirect: bool
    counts: CategoryRow | None


def members(
    db: Database, categories: Iterable[str], options: TreeOptions
) -> dict[str, list[Member]]:
    """The members, or parents, to show of each category. Two queries."""
    names = list(dict.fromkeys(categories))
    if not names:
        return {}
    query = _parents(names) if options.mode is Mode.PARENTS else _members(names, options)
    rows = list(db.rows(query))
    counts = by_titles(db, {dbkey for _, ns, dbkey, _ in rows if ns == CATEGORY})
    found: dict[str, list[Member]] = {}
    for owner, ns, dbkey, redirect in rows:
        known = counts.get(dbkey) if ns == CATEGORY else None
        found.setdefault(owner, []).append(Member(ns, dbkey, bool(redirect), known))
    return found


def _parents(names: list[str]) -> Any:
    parent = Value(CATEGORY).alias("parent_namespace")
    return (
        CategoryLinks.select(Page.page_title, parent, LinkTarget.lt_title, Value(0).alias("never"))
        .join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
        .join_from(CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id))
        .where((Page.page_namespace == CATEGORY) & Page.page_title.in_(names))
        .order_by(LinkTarget.lt_title)
    )


def _members(names: list[str], options: TreeOptions) -> Any:
    first = _first(names, options)
    return (
        Page.select(
            LinkTarget.lt_title, Page.page_namespace, Page.page_title, Page.page_is_redirect
        )
        .join_from(Page, first, on=(first.c.cl_from == Page.page_id))
        .join_from(Page, LinkTarget, on=(LinkTarget.lt_id == first.c.cl_target_id))
        .where(first.c.place <= LIMIT)
        .order_by(first.c.place)
    )


def _first(names: list[str], options: TreeOptions) -> Any:
    """The members of each category, numbered in its order."""
    order = [CategoryLinks.cl_type, CategoryLinks.cl_sortkey, CategoryLinks.cl_from]
    place = fn.ROW_NUMBER().over(partition_by=[CategoryLinks.cl_target_id], order_by=order)
    query = (
        CategoryLinks.select(
            CategoryLinks.cl_from, CategoryLinks.cl_target_id, place.alias("place")
        )
        .join_from(CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id))
        .join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
        .where((LinkTarget.lt_namespace == CATEGORY) & LinkTarget.lt_title.in_(names))
    )
    return _of_mode(query, options).alias("first")


def _of_mode(query: Any, options: TreeOptions) -> Any:
    if options.namespaces:
        return query.where(Page.page_namespace.in_(options.namespaces))
    if options.mode is Mode.CATEGORIES:
        return query.where(CategoryLinks.cl_type == "subcat")
    if options.mode is Mode.PAGES:
        return query.where(CategoryLinks.cl_type != "file")
    return query
