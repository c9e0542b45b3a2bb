"""Adding restored or imported revisions, which may be older than the latest, to a page."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from wikiapi.accounts.user import Performer
from wikiapi.pages.derived import DerivedData
from wikiapi.store import Database, PageRow
from wikiapi.store.models import Page, Revision, SiteStats
from wikiapi.store.queries import texts
from wikiapi.store.write import search
from wikiapi.store.write.revisions import NewPage, put_pages
from wikiapi.timestamps import compact
from wikiapi.title import Title


class _Latest(NamedTuple):
    """The latest revision of a page."""

    rev_id: int
    timestamp: str
    length: int


def add_history(
    performer: Performer,
    title: Title,
    row: PageRow | None,
    page_id: int,
    insert: Callable[[], object],
    *,
    is_edited: bool = True,
) -> None:
    """Call a function that inserts revisions of a page, then update the page's row and its links.

    Args:
        performer: who changes the wiki.
        title: the title of the page.
        row: the row of the page; ``None`` if the revisions create it.
        page_id: the id of the page.
        insert: inserts the revisions; at least one if there is no row.
        is_edited: whether the number of articles follows the links of the page.
    """
    db = performer.site.db
    with search.reindexing(db, page_id, is_new=row is None):
        insert()
        columns = (Revision.rev_id, Revision.rev_timestamp, Revision.rev_len)
        query = Revision.select(*columns).where(Revision.rev_page == page_id)
        newest = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc())
        rev_id, timestamp, length = db.execute(newest.limit(1))[0]
        latest = _Latest(rev_id, timestamp, length or 0)
        model = texts.of_revisions(db, [latest.rev_id])[latest.rev_id].model
        _put_page(db, compact(performer.site.clock()), title, row, page_id, latest, model)
    derived = DerivedData(performer.site)
    derived.page_changed(title, existed=row is not None, is_edited=is_edited)


def _put_page(
    db: Database,
    moment: str,
    title: Title,
    row: PageRow | None,
    page_id: int,
    latest: _Latest,
    model: str,
) -> None:
    if row is None:
        # As in MediaWiki, a restored page is new, however many revisions it has, and was touched
        # when the latest of them was made.
        page = NewPage(
            *(page_id, *title.key, 0, 1, random.random(), latest.timestamp, None),  # noqa: S311
            *(latest.rev_id, latest.length, model, None),
        )
        put_pages(db, [page])
        counted = SiteStats.update(ss_total_pages=SiteStats.ss_total_pages + 1)
        db.execute_write(counted)
        return
    changes: dict[str, Any] = {"page_touched": moment, "page_links_updated": None}
    if latest.rev_id != row.latest:
        changes |= {
            "page_touched": latest.timestamp,
            "page_latest": latest.rev_id,
            "page_len": latest.length,
            "page_is_new": 0,
            "page_content_model": model,
        }
    db.execute_write(Page.update(changes).where(Page.page_id == page_id))
