"""Which page a revision or a content belongs to, so that a finding can name it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.batches import fetch_in
from wikiapi.store.models import Page, Revision, Slots
from wikiapi.store.statements import slots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.store.batches import Key
    from wikiapi.store.database import Database


def pages(db: Database, page_ids: Iterable[int]) -> dict[int, Key]:
    """The keys of pages by id."""
    return {row[0]: (row[1], row[2]) for row in fetch_in(db, _pages, page_ids)}


def of_revisions(db: Database, revision_ids: Iterable[int]) -> dict[int, Key]:
    """The keys of the pages that revisions belong to, by revision id."""
    return {row[0]: (row[1], row[2]) for row in fetch_in(db, _of_revisions, revision_ids)}


def of_contents(db: Database, content_ids: Iterable[int]) -> dict[int, Key]:
    """The key of a page that has a content in one of its revisions, by content id."""
    return {row[0]: (row[1], row[2]) for row in fetch_in(db, _of_contents, content_ids)}


def _pages(count: int) -> Any:
    query = Page.select(Page.page_id, Page.page_namespace, Page.page_title)
    return query.where(Page.page_id.in_(slots(count)))


def _of_revisions(count: int) -> Any:
    query = Revision.select(Revision.rev_id, Page.page_namespace, Page.page_title)
    query = query.join(Page, on=(Page.page_id == Revision.rev_page))
    return query.where(Revision.rev_id.in_(slots(count)))


def _of_contents(count: int) -> Any:
    query = Slots.select(Slots.slot_content_id, Page.page_namespace, Page.page_title)
    query = query.join(Revision, on=(Revision.rev_id == Slots.slot_revision_id))
    query = query.join(Page, on=(Page.page_id == Revision.rev_page))
    return query.where(Slots.slot_content_id.in_(slots(count)))
