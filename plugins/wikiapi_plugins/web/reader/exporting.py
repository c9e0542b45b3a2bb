"""XML exports of pages with their full histories or parts of them, generated while being sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wikiapi.api.query.exportxml import DOCUMENT_END, PAGE_END, TOGETHER, ExportWriter
from wikiapi.site import Site
from wikiapi.store import RevisionRow
from wikiapi.store.models import Revision
from wikiapi.store.queries import pages, redirects, revisions, slots, texts
from wikiapi.store.queries.slots import SlotRow
from wikiapi.store.queries.visibility import TEXT, is_hidden
from wikiapi.store.sql.bounds import ordered, starting_at
from wikiapi.title import Title

_PAGES_TOGETHER = 200
_REVISIONS_TOGETHER = 500


@dataclass(frozen=True, slots=True)
class History:
    """Which revisions of each page to export.

    Attributes:
        beyond: only revisions after this time (14 digits), or before it if ``descending``; empty
            for all.
        limit: the maximum number of revisions; 0 for all.
        descending: whether the newest revision comes first.
    """

    beyond: str = ""
    limit: int = 0
    descending: bool = False


class _Filled(NamedTuple):
    """A revision with its slots by role, and the texts of slots by their address in the store."""

    revision: RevisionRow
    slots: Mapping[str, SlotRow]
    texts: Mapping[str, str]


def export_parts(site: Site, titles: Sequence[Title], history: History | None) -> Iterator[str]:
    """Yield the parts of an export of the existing pages, in the given order.

    About half a megabyte of texts is in memory at a time.

    Args:
        site: the wiki.
        titles: the titles of the pages.
        history: which revisions to export; ``None`` for the current ones.
    """
    writer = ExportWriter(site)
    yield from writer.head()
    for start in range(0, len(titles), _PAGES_TOGETHER):
        batch = titles[start : start + _PAGES_TOGETHER]
        rows = pages.by_titles(site.db, [title.key for title in batch])
        found = {rows[title.key].page_id: title for title in batch if title.key in rows}
        targets = redirects.targets(
            site.db, [row.page_id for row in rows.values() if row.is_redirect]
        )
        exported = _current(site, found) if history is None else _histories(site, found, history)
        page_id: int | None = None
        for filled in exported:
            if filled.revision.page_id != page_id:
                if page_id is not None:
                    yield PAGE_END
                page_id = filled.revision.page_id or 0
                yield from writer.page_head(page_id, found[page_id], targets.get(page_id))
            yield from writer.revision(*filled)
        if page_id is not None:
            yield PAGE_END
    yield DOCUMENT_END


def _current(site: Site, page_ids: Mapping[int, Title]) -> Iterator[_Filled]:
    latest = revisions.latest_of_pages(site.db, page_ids)
    return _filled(site, [latest[page_id] for page_id in page_ids if page_id in latest])


def _histories(site: Site, page_ids: Mapping[int, Title], history: History) -> Iterator[_Filled]:
    for page_id in page_ids:
        for rows in _history(site, page_id, history):
            yield from _filled(site, rows)


def _history(site: Site, page_id: int, history: History) -> Iterator[list[RevisionRow]]:
    """Yield the revisions of a page in batches. One query for each batch."""
    columns = (Revision.rev_timestamp, Revision.rev_id)
    query = ordered(
        revisions.SELECT_REVISIONS.where(Revision.rev_page == page_id),
        *columns,
        descending=history.descending,
    )
    if history.beyond:
        moment = Revision.rev_timestamp
        query = query.where(
            moment < history.beyond if history.descending else moment > history.beyond
        )
    left = history.limit
    place: tuple[str, int] | None = None
    while True:
        part = query
        if place is not None:
            part = query.where(starting_at(columns, place, descending=history.descending))
        most = min(left, _REVISIONS_TOGETHER) if history.limit else _REVISIONS_TOGETHER
        rows = [revisions.read(row) for row in site.db.execute(part.limit(most + 1))]
        yield rows[:most]
        left -= most
        if len(rows) <= most or (history.limit and left <= 0):
            return
        place = rows[most].timestamp, rows[most].rev_id


def _filled(site: Site, rows: Sequence[RevisionRow]) -> Iterator[_Filled]:
    """Yield revisions with their texts. One query for the slots, and one per half megabyte."""
    found = slots.of_revisions(site.db, [row.rev_id for row in rows])
    group: list[RevisionRow] = []
    size = 0
    for row in rows:
        own = 0 if is_hidden(row.deleted, TEXT) else sum(s.size for s in _slots(found, row))
        if group and size + own > TOGETHER:
            yield from _with_texts(site, group, found)
            group, size = [], 0
        group.append(row)
        size += own
    yield from _with_texts(site, group, found)


def _with_texts(
    site: Site, rows: Sequence[RevisionRow], found: Mapping[int, Mapping[str, SlotRow]]
) -> Iterator[_Filled]:
    shown = [row for row in rows if not is_hidden(row.deleted, TEXT)]
    read = texts.by_addresses(
        site.db, [slot.address for row in shown for slot in _slots(found, row)]
    )
    return (_Filled(row, found.get(row.rev_id, {}), read) for row in rows)


def _slots(found: Mapping[int, Mapping[str, SlotRow]], row: RevisionRow) -> list[SlotRow]:
    return list(found.get(row.rev_id, {}).values())
