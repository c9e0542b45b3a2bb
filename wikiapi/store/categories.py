"""Categories: their counts, their members and which of them are hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import Value

from wikiapi.store.batches import fetch_in
from wikiapi.store.links import CATEGORY_NAMESPACE
from wikiapi.store.models import Category, CategoryLinks, LinkTarget, Page, PageProps
from wikiapi.store.nodes import AsText, RawBytes
from wikiapi.store.pages import PAGE_COLUMNS
from wikiapi.store.refining import refinable
from wikiapi.store.statements import slots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.store.database import Database


class CategoryRow(NamedTuple):
    """What is counted of a category. ``pages`` includes the sub-categories and files."""

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
"""The sort key as bytes: some collations make keys that are no text."""

MEMBER_COLUMNS = (
    CategoryLinks.cl_from,
    CategoryLinks.cl_type,
    SORT_KEY,
    CategoryLinks.cl_sortkey_prefix,
    CategoryLinks.cl_timestamp,
)


def by_titles(db: Database, titles: Iterable[str]) -> dict[str, CategoryRow]:
    """The counts of categories by database key without namespace. One query."""
    return {row[1]: CategoryRow(*row) for row in fetch_in(db, _by_titles, titles)}


def hidden(db: Database, titles: Iterable[str]) -> set[str]:
    """Which of the categories are hidden, by database key without namespace. One query."""
    return {title for (title,) in fetch_in(db, _hidden, titles)}


def members(title: str, *more: Any) -> Any:
    """A query of a category's members: (*MEMBER_COLUMNS, *PAGE_COLUMNS, *more), to be refined.

    The index serves the order cl_type, cl_sortkey, cl_from within the category, and cl_timestamp.
    """
    return _members(*more).where(_is_category(title))


def named_members(title: str, *more: Any) -> Any:
    """The same with less: (id, type, sort key, namespace, title, *more)."""
    return _named_members(*more).where(_is_category(title))


def sort_key_value(key: bytes) -> Any:
    """A sort key as it can be compared with ``CategoryLinks.cl_sortkey`` in a query."""
    return AsText(Value(key, converter=bytes))


def _is_category(title: str) -> Any:
    return (LinkTarget.lt_namespace == CATEGORY_NAMESPACE) & (LinkTarget.lt_title == title)


@refinable
def _members() -> Any:
    return _joined(*MEMBER_COLUMNS, *PAGE_COLUMNS)


@refinable
def _named_members() -> Any:
    link = (CategoryLinks.cl_from, CategoryLinks.cl_type, SORT_KEY)
    return _joined(*link, Page.page_namespace, Page.page_title)


def _joined(*columns: Any) -> Any:
    return (
        CategoryLinks.select(*columns)
        .join_from(CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id))
        .join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
    )


def _by_titles(count: int) -> Any:
    return Category.select(*CATEGORY_COLUMNS).where(Category.cat_title.in_(slots(count)))


def _hidden(count: int) -> Any:
    return (
        Page.select(Page.page_title)
        .join(PageProps, on=(PageProps.pp_page == Page.page_id))
        .where(Page.page_namespace == CATEGORY_NAMESPACE)
        .where(Page.page_title.in_(slots(count)))
        .where(PageProps.pp_propname == "hiddencat")
    )
