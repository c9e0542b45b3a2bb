"""Whose links may be others once a page is made, changed or deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.batches import BATCH
from wikiapi.store.links import target_ids
from wikiapi.store.models import ExistenceLinks, Page, TemplateLinks
from wikiapi.store.statements import chunked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.store.batches import Key
    from wikiapi.store.database import Database

_USES: tuple[tuple[Any, Any], ...] = (
    (TemplateLinks.tl_from, TemplateLinks.tl_target_id),
    (ExistenceLinks.exl_from, ExistenceLinks.exl_target_id),
)


def has_links(db: Database) -> bool:
    """Whether any transclusion is known: not before links were derived for the first time."""
    return db.row(TemplateLinks.select(TemplateLinks.tl_from).limit(1)) is not None


def mark_users(db: Database, keys: Iterable[Key]) -> None:
    """Have the links of the pages derived again that transclude or ask for one of the titles."""
    for batch in chunked(dict.fromkeys(keys), BATCH):
        targets = sorted(target_ids(db, batch).values())
        for source, target in _USES if targets else ():
            users = source.model.select(source).where(target.in_(targets))
            stale = Page.update(page_links_updated=None)
            db.run(stale.where(Page.page_id.in_(users) & Page.page_links_updated.is_null(False)))
