"""Categories: their counts and members, and which of them are hidden."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from peewee import Value

from wikiapi.store.database import Database
from wikiapi.store.models import Category, CategoryLinks, LinkTarget, Page, PageProps
from wikiapi.store.queries.pages import PAGE_COLUMNS
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.sql.nodes import RawBytes, SortKeyOf
from wikiapi.title.namespaces import CATEGORY


class CategoryRow(NamedTuple):
    """The member counts of a category. ``pages`` includes subcategories and files."""

    category_id: int
    title: str
    pages: int
    subcats: int
    files: int


CATEGORY_COLUMNS = (
    Category.cat_id,
    Category.cat_title,
    Category.cat_pages,
    Category.cat_subcats,
    Category.cat_files,
)

SORT_KEY = RawBytes(CategoryLinks.cl_sortkey)
"""The sort key as bytes, because the keys of some collations are not valid text."""

MEMBER_COLUMNS = (
    CategoryLinks.cl_from,
    CategoryLinks.cl_type,
    SORT_KEY,
    CategoryLinks.cl_sortkey_prefix,
    CategoryLinks.cl_timestamp,
)


_COUNTS = ByValues(Category.select(*CATEGORY_COLUMNS), Category.cat_title)
_HIDDEN = ByValues(
    Page.select(Page.page_title)
    .join(PageProps, on=(PageProps.pp_page == Page.page_id))
    .where(Page.page_namespace == CATEGORY)
    .where(PageProps.pp_propname == "hiddencat"),
    Page.page_title,
)
_SELECT_MEMBERS = (
    CategoryLinks.select(*MEMBER_COLUMNS, *PAGE_COLUMNS)
    .join_from(CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id))
    .join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
)
_SELECT_NAMED_MEMBERS = _SELECT_MEMBERS.select(
    CategoryLinks.cl_from, CategoryLinks.cl_type, SORT_KEY, Page.page_namespace, Page.page_title
)
_SELECT_KEYS = CategoryLinks.select(SORT_KEY, CategoryLinks.cl_from).join_from(
    CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
)
_SELECT_TIMES = _SELECT_KEYS.select(CategoryLinks.cl_timestamp, CategoryLinks.cl_from)


def is_member(db: Database, page: Key, category: str) -> bool:
    """Return whether a page is in a category, according to the link tables."""
    query = (
        CategoryLinks.select(CategoryLinks.cl_from)
        .join_from(CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id))
        .join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
        .where(LinkTarget.lt_namespace == CATEGORY, LinkTarget.lt_title == category)
        .where(Page.page_namespace == page[0], Page.page_title == page[1])
    )
    return db.row(query) is not None


def by_titles(db: Database, titles: Iterable[str]) -> dict[str, CategoryRow]:
    """Return the counts of categories by database key without namespace. One query."""
    return {row[1]: CategoryRow(*row) for row in _COUNTS.rows(db, titles)}


def hidden(db: Database, titles: Iterable[str]) -> set[str]:
    """Return the hidden ones of the categories, as database keys without namespace. One query."""
    return {title for (title,) in _HIDDEN.rows(db, titles)}


def members(title: str, *more: Any) -> Any:
    """Return a query for a category's members: (*MEMBER_COLUMNS, *PAGE_COLUMNS, *more).

    Callers add conditions, an order and a limit. Indexes exist for the order cl_type, cl_sortkey,
    cl_from within a category, and for cl_timestamp.
    """
    return _SELECT_MEMBERS.select_extend(*more).where(_is_category(title))


def named_members(title: str, *more: Any) -> Any:
    """Return the same query with fewer columns: (id, type, sort key, namespace, title, *more)."""
    return _SELECT_NAMED_MEMBERS.select_extend(*more).where(_is_category(title))


def places(title: str, *, by_time: bool) -> Any:
    """Return a query for the positions of a category's members: (sort key or time, page id)."""
    query = _SELECT_TIMES if by_time else _SELECT_KEYS
    return query.where(_is_category(title))


def sort_key_value(db: Database, key: bytes) -> Any:
    """Return an expression for a sort key, to compare it with ``CategoryLinks.cl_sortkey``."""
    value = Value(key, converter=bytes)
    return value if b"\0" in key and db.schema.keeps_type_of_nulls else SortKeyOf(value)


def _is_category(title: str) -> Any:
    return (LinkTarget.lt_namespace == CATEGORY) & (LinkTarget.lt_title == title)
