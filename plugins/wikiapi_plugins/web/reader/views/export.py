"""``Special:Export``: pages as XML, for import into other wikis and for archives."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple
from urllib.parse import quote

from wikiapi.api import ExportWriter, compact, exportxml, gathered
from wikiapi.http import Header, Reply, Stream
from wikiapi.site import Site
from wikiapi.store import RevisionRow, bounds
from wikiapi.store.models import CategoryLinks, Revision
from wikiapi.store.queries import (
    SlotRow,
    categories,
    links,
    pages,
    redirects,
    revisions,
    slots,
    texts,
    visibility,
)
from wikiapi.timestamps import parse_moment
from wikiapi.title import CATEGORY, Title
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.replies import content_reply

logger = logging.getLogger("wikiapi.reader")

_TYPE = "application/xml; charset=utf-8"
_MAX_MEMBERS = 5_000
_MAX_PAGES = 20_000
_PAGES_TOGETHER = 500
_HIGHEST_LIMIT = 2**31


def show_export(context: ViewContext, title: Title) -> Reply:
    """Send the pages that the request names; without any, show the form.

    Raises:
        ViewError: too many pages are named, or ``offset`` is not a time.
    """
    params = context.request.params
    named = params.get("pages", "") or title.dbkey.partition("/")[2]
    if "addcat" in params:
        return _form(context, _with_members(context, params.get("pages", "")))
    titles = _titles(context, named.split("\n", _MAX_PAGES + 1))
    if not named.strip():
        return _form(context, "")
    if "templates" in params:
        # Two queries for each 500 pages.
        rows = pages.by_titles(context.db, [title.key for title in titles])
        ids = [row.page_id for row in rows.values()]
        every = {title.key: title for title in titles}
        for start in range(0, len(ids), _PAGES_TOGETHER):
            query = links.outgoing(links.TEMPLATES, ids[start : start + _PAGES_TOGETHER])
            for row in context.db.execute(query):
                every.setdefault((row[1], row[2]), context.site.titles.make(row[1], row[2]))
        titles = list(every.values())
    parts = export_parts(context.site, titles, _history(context, title))
    headers: list[Header] = [("X-Robots-Tag", "noindex,nofollow")]
    if "wpDownload" in context.request.params:
        name = f"{context.site.config.site.name}-{compact(context.site.clock())}.xml"
        value = f"attachment;filename={quote(name, safe='')}"
        headers.append(("Content-Disposition", value))
    pieces = (piece.encode("utf-8", "replace") for piece in gathered(parts))
    # The first two pieces are generated at once, so that errors in them can still be reported. A
    # longer document is streamed.
    first, second = next(pieces), next(pieces, None)
    reply = content_reply(first, _TYPE, headers=headers)
    if second is not None:
        rest = chain((first, second), pieces)
        budget = context.site.budgets.current
        reply.pieces = Stream(rest, context.site, budget, _log_failure)
        reply.body = b""
    return reply


def _history(context: ViewContext, title: Title) -> History | None:
    """Return which revisions are requested; ``None`` for the current ones.

    By default, a POST request gets full histories, and a GET request the current revisions.
    """
    params = context.request.params
    if context.request.method != "POST" or "/" in title.dbkey:
        return History() if "history" in params else None
    if "curonly" in params:
        return None
    if "history" in params:
        return History()
    offset = context.param("offset")
    moment = parse_moment(offset) if offset else None
    if offset and moment is None:
        raise ViewError(400, "reader-bad-offset", context.plain(offset))
    return History(
        beyond=compact(moment) if moment else "",
        limit=min(context.number("limit") or 0, _HIGHEST_LIMIT),
        descending=context.param("dir").lower() == "desc",
    )


def _titles(context: ViewContext, names: Sequence[str]) -> list[Title]:
    """Return the named pages of this wiki, without duplicates.

    Raises:
        ViewError: there are too many names.
    """
    if len(names) > _MAX_PAGES:
        raise ViewError(400, "reader-too-many-pages", _MAX_PAGES)
    titles: dict[tuple[int, str], Title] = {}
    for name in names:
        text = name.encode("utf-8", "replace").decode().strip()
        title = context.site.titles.try_parse(text) if text else None
        if title and title.dbkey and not title.interwiki and not title.namespace.is_virtual:
            titles.setdefault(title.key, title)
    return list(titles.values())


def _with_members(context: ViewContext, named: str) -> str:
    """Return page names, one per line, with the members of the category in ``catname`` added."""
    text = context.param("catname")
    category = context.site.titles.try_parse(text, CATEGORY) if text else None
    if category is None or category.ns != CATEGORY or category.interwiki:
        return named
    query = categories.named_members(category.dbkey)
    order = (CategoryLinks.cl_type, CategoryLinks.cl_sortkey, CategoryLinks.cl_from)
    rows = context.db.execute(query.order_by(*order).limit(_MAX_MEMBERS))
    members = [context.site.titles.make(row[3], row[4]).prefixed_text for row in rows]
    return "\n".join([*filter(None, [named]), *members])


def _form(context: ViewContext, named: str) -> Reply:
    return context.render(
        "export.html",
        context.text("export"),
        named=named.encode("utf-8", "replace").decode(),
        category=context.param("catname"),
    )


def _log_failure(error: Exception) -> None:
    logger.warning("Special:Export was cut off: %s", error)


_BATCH_SIZE = 200
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
    for start in range(0, len(titles), _BATCH_SIZE):
        batch = titles[start : start + _BATCH_SIZE]
        rows = pages.by_titles(site.db, [title.key for title in batch])
        page_ids = {rows[title.key].page_id: title for title in batch if title.key in rows}
        targets = redirects.targets(
            site.db, [row.page_id for row in rows.values() if row.is_redirect]
        )
        if history is None:
            latest = revisions.latest_of_pages(site.db, page_ids)
            ordered = [latest[page_id] for page_id in page_ids if page_id in latest]
            exported = _filled(site, ordered)
        else:
            exported = (
                filled
                for page_id in page_ids
                for rows_of_page in _whole_history(site, page_id, history)
                for filled in _filled(site, rows_of_page)
            )
        page_id: int | None = None
        for filled in exported:
            if filled.revision.page_id != page_id:
                if page_id is not None:
                    yield exportxml.PAGE_END
                page_id = filled.revision.page_id or 0
                yield from writer.page_head(page_id, page_ids[page_id], targets.get(page_id))
            yield from writer.revision(*filled)
        if page_id is not None:
            yield exportxml.PAGE_END
    yield exportxml.DOCUMENT_END


def _whole_history(site: Site, page_id: int, history: History) -> Iterator[list[RevisionRow]]:
    """Yield the revisions of a page in batches. One query for each batch."""
    columns = (Revision.rev_timestamp, Revision.rev_id)
    query = bounds.ordered(
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
            part = query.where(bounds.starting_at(columns, place, descending=history.descending))
        most = min(left, _REVISIONS_TOGETHER) if history.limit else _REVISIONS_TOGETHER
        rows = [revisions.read(row) for row in site.db.execute(part.limit(most + 1))]
        yield rows[:most]
        left -= most
        if len(rows) <= most or (history.limit and left <= 0):
            return
        place = rows[most].timestamp, rows[most].rev_id


def _filled(site: Site, rows: Sequence[RevisionRow]) -> Iterator[_Filled]:
    """Yield revisions with their texts. One query for the slots, and one per half megabyte."""
    slots_of = slots.of_revisions(site.db, [row.rev_id for row in rows])
    group: list[RevisionRow] = []
    size = 0
    for row in rows:
        own = (
            0
            if visibility.is_hidden(row.deleted, visibility.TEXT)
            else sum(s.size for s in _slots(slots_of, row))
        )
        if group and size + own > exportxml.TOGETHER:
            yield from _with_texts(site, group, slots_of)
            group, size = [], 0
        group.append(row)
        size += own
    yield from _with_texts(site, group, slots_of)


def _with_texts(
    site: Site, rows: Sequence[RevisionRow], slots_of: Mapping[int, Mapping[str, SlotRow]]
) -> Iterator[_Filled]:
    visible = [row for row in rows if not visibility.is_hidden(row.deleted, visibility.TEXT)]
    read = texts.by_addresses(
        site.db, [slot.address for row in visible for slot in _slots(slots_of, row)]
    )
    return (_Filled(row, slots_of.get(row.rev_id, {}), read) for row in rows)


def _slots(slots_of: Mapping[int, Mapping[str, SlotRow]], row: RevisionRow) -> list[SlotRow]:
    return list(slots_of.get(row.rev_id, {}).values())
