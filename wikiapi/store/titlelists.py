"""Pages of a namespace in the order of their titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.bounds import between, with_prefix
from wikiapi.store.models import Page

if TYPE_CHECKING:
    from wikiapi.store.database import Database


def by_title(
    db: Database,
    namespace: int,
    limit: int,
    *,
    prefix: str = "",
    start: str | None = None,
    end: str | None = None,
    redirects: bool = True,
) -> list[tuple[str, bool]]:
    """Database keys, and whether each page is a redirect. One query.

    Args:
        db: the store.
        namespace: where the pages are.
        limit: how many at most.
        prefix: what their keys begin with.
        start: the least key, if there is one.
        end: the greatest.
        redirects: whether redirects are listed.
    """
    query = Page.select(Page.page_title, Page.page_is_redirect)
    conditions = [
        Page.page_namespace == namespace,
        *with_prefix(Page.page_title, prefix),
        *between(Page.page_title, start, end),
    ]
    if not redirects:
        conditions.append(Page.page_is_redirect == 0)
    rows = db.rows(query.where(*conditions).order_by(Page.page_title).limit(limit))
    return [(title, bool(is_redirect)) for title, is_redirect in rows]
