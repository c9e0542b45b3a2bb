"""Counters that are kept beside the tables: site_stats and category."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import fn

from wikiapi.store import sitestats
from wikiapi.store.check.finding import Finding, Severity
from wikiapi.store.models import Category, CategoryLinks, LinkTarget
from wikiapi.store.write.counts import site_counts
from wikiapi.store.write.links import CATEGORY_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikiapi.store.database import Database

_COUNTS = "counts"
_ADVICE = "`wikiapi links` counts everything anew."
_WORDS = {
    "edits": "revisions",
    "articles": "articles",
    "pages": "pages",
    "users": "accounts",
    "images": "files",
}
_MOST_CATEGORIES = 1_000


class Totals(NamedTuple):
    """How much a store holds."""

    pages: int
    revisions: int
    files: int


def totals(db: Database) -> Totals:
    """Count the rows."""
    counted = site_counts(db)
    return Totals(counted["pages"], counted["edits"], counted["images"])


def check_site_stats(db: Database, content_namespaces: Sequence[int]) -> Iterator[Finding]:
    """Compare site_stats with the tables that it counts."""
    kept = sitestats.statistics(db)._asdict()
    for name, counted in site_counts(db, content_namespaces).items():
        if name in _WORDS and kept[name] != counted:
            yield Finding(
                _COUNTS,
                f"site_stats counts {kept[name]} {_WORDS[name]}, there are {counted}",
                _ADVICE,
                Severity.WARNING,
            )


def check_categories(db: Database) -> Iterator[Finding]:
    """Compare the category table with the links into categories."""
    for title, kept, counted in db.rows(_wrong_categories()):
        yield Finding(
            _COUNTS,
            f"the category counts {kept} members, there are {counted}",
            _ADVICE,
            Severity.WARNING,
            (CATEGORY_NAMESPACE, title),
        )


def _wrong_categories() -> Any:
    members = CategoryLinks.select(fn.COUNT(CategoryLinks.cl_from)).join(
        LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
    )
    members = members.where(LinkTarget.lt_namespace == CATEGORY_NAMESPACE)
    members = members.where(LinkTarget.lt_title == Category.cat_title)
    query = Category.select(Category.cat_title, Category.cat_pages, members)
    return query.where(Category.cat_pages != members).limit(_MOST_CATEGORIES)
