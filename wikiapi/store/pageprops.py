"""Page properties: what parsing a page left behind (display title, hidden category, ...)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.batches import fetch_in
from wikiapi.store.models import PageProps
from wikiapi.store.statements import slots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.store.database import Database


def of_pages(
    db: Database, page_ids: Iterable[int], names: Iterable[str] | None = None
) -> dict[int, dict[str, str]]:
    """The properties of the pages that have some, sorted by name; all or the named. One query."""
    wanted = None if names is None else frozenset(names)
    found: dict[int, dict[str, str]] = {}
    for page_id, name, value in fetch_in(db, _of_pages, page_ids):
        if wanted is None or name in wanted:
            found.setdefault(page_id, {})[name] = value
    return found


def _of_pages(count: int) -> Any:
    columns = (PageProps.pp_page, PageProps.pp_propname, PageProps.pp_value)
    query = PageProps.select(*columns).where(PageProps.pp_page.in_(slots(count)))
    return query.order_by(PageProps.pp_page, PageProps.pp_propname)
