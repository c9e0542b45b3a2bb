"""The collation with which the sort keys of categories were made, and making them again.

The table ``updatelog`` says which collation and version of it made them, as far as wikiapi did.
Making them again needs no parsing: rows have what the pages set for sort keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from peewee import fn

from wikiapi.languages.collation import KEY_BYTES, Collation
from wikiapi.store.database import Database
from wikiapi.store.models import CategoryLinks, Page
from wikiapi.store.models import Collation as CollationName
from wikiapi.store.notes import note, put_note
from wikiapi.store.queries import generation
from wikiapi.store.queries.categories import SORT_KEY
from wikiapi.store.sql.bounds import starting_at
from wikiapi.store.write.links import collation_id

_KEY = "wikiapi-links-collation"
_BATCH = 1_000


class CollationChange(NamedTuple):
    """The version of the collation that made the sort keys, and that of the wiki's now."""

    before: str
    now: str

    def __str__(self) -> str:
        """Return the change as a sentence."""
        return f"Sort keys of categories are those of {self.before!r}, and {self.now!r} is set now."


def recorded_collation(db: Database) -> str:
    """Return the version of the collation that made the stored keys; empty if there are none."""
    return note(db, _KEY) or next(iter(names_of_keys(db, limit=1)), "")


def record_collation(db: Database, collation: Collation) -> None:
    """Record the collation that makes the sort keys from now on."""
    put_note(db, _KEY, collation.version)


def collation_change(db: Database, collation: Collation) -> CollationChange | None:
    """Return how the collation has changed since sort keys were made; None if it has not."""
    before = recorded_collation(db)
    if before in ("", collation.version) or db.row(_ALL.limit(1)) is None:
        return None
    return CollationChange(before, collation.version)


def count_sort_keys(db: Database) -> int:
    """Return the number of sort keys."""
    return int(db.scalar(CategoryLinks.select(fn.COUNT(CategoryLinks.cl_from))))


def follow_collation(
    db: Database, collation: Collation, on_progress: Callable[[int], None] = lambda _: None
) -> None:
    """Make all sort keys again if the collation has changed; record it.

    An interrupted call is repeated by the next one. ``on_progress`` is called with the number of
    keys made so far.

    Raises:
        CollationUnavailable: the collation needs a package that is not installed.
    """
    if collation_change(db, collation):
        number, last, done = collation_id(db, collation.name), (-1, -1), 0
        rows: Sequence[Any] = (None,)
        while rows:
            with db.atomic():
                rows = db.execute(_MEMBERS.where(starting_at(_PLACE, last)).limit(_BATCH))
                last = (rows[-1][0], rows[-1][1] + 1) if rows else last
                db.insert_many(
                    CategoryLinks,
                    [
                        (page, target, key, prefix, time, kind, number)
                        for page, target, prefix, time, kind, title in rows
                        for key in [collation.member_key(title.replace("_", " "), prefix)]
                    ],
                    on_conflict="replace",
                )
            done += len(rows)
            on_progress(done)
        with db.atomic():
            generation.advance(db)
    if recorded_collation(db) != collation.version:
        record_collation(db, collation)


_PLACE = (CategoryLinks.cl_from, CategoryLinks.cl_target_id)
_ALL = CategoryLinks.select(CategoryLinks.cl_from)
_MEMBERS = (
    CategoryLinks.select(
        *_PLACE,
        CategoryLinks.cl_sortkey_prefix,
        CategoryLinks.cl_timestamp,
        CategoryLinks.cl_type,
        Page.page_title,
    )
    .join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
    .order_by(*_PLACE)
)


def names_of_keys(db: Database, limit: int = 100) -> list[str]:
    """Return the names of the collations of stored keys, as far as the database tells them."""
    used = CategoryLinks.select(CategoryLinks.cl_collation_id).limit(1)
    query = CollationName.select(CollationName.collation_name).where(
        fn.EXISTS(used.where(CategoryLinks.cl_collation_id == CollationName.collation_id))
    )
    return sorted(name for (name,) in db.execute(query.limit(limit)))


class WrongKey(NamedTuple):
    """A page whose stored sort key is not the one that the collation makes."""

    namespace: int
    title: str


def wrong_keys(db: Database, collation: Collation, sample: int) -> Iterator[WrongKey]:
    """Yield the pages with a stored key that the collation does not make, of the first ``sample``.

    Raises:
        CollationUnavailable: the collation needs a package that is not installed.
    """
    query = CategoryLinks.select(
        SORT_KEY, CategoryLinks.cl_sortkey_prefix, Page.page_namespace, Page.page_title
    ).join_from(CategoryLinks, Page, on=(Page.page_id == CategoryLinks.cl_from))
    for stored, prefix, namespace, title in db.execute(query.limit(sample)):
        # MediaWiki cuts long keys only on MariaDB.
        if stored[:KEY_BYTES] != collation.member_key(title.replace("_", " "), prefix):
            yield WrongKey(namespace, title)
