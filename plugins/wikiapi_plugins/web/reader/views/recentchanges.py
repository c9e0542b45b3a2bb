"""``Special:RecentChanges``: the newest revisions of all pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.store import revisions
from wikiapi.store.bounds import ordered, starting_at
from wikiapi.store.models import Page, Revision
from wikiapi_plugins.web.reader.views.history import entries_of

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit

_PER_PAGE = 50
_PLACE = re.compile(r"([0-9]{14})\.([0-9]{1,15})\Z", re.ASCII)


def show_recent_changes(visit: Visit, _: Title) -> Reply:
    """The revisions from the place that ``from`` names.

    They are read from the pages' histories: a store that a dump was imported into has no other
    record of changes.
    """
    columns = (Revision.rev_timestamp, Revision.rev_id)
    query = revisions.select_with_page(Page.page_namespace, Page.page_title)
    place = _PLACE.match(visit.param("from"))
    if place:
        query = query.where(starting_at(columns, (place[1], int(place[2])), descending=True))
    rows = visit.db.rows(ordered(query, *columns, descending=True).limit(_PER_PAGE + 1))
    found = [(revisions.read(row), visit.site.titles.make(*row[revisions.WIDTH :])) for row in rows]
    older = found[_PER_PAGE][0] if found[_PER_PAGE:] else None
    shown = found[:_PER_PAGE]
    return visit.draw(
        "recentchanges.html",
        visit.text("recent-changes"),
        entries=list(zip(entries_of(visit, shown), (title for _, title in shown), strict=True)),
        older=f"{older.timestamp}.{older.rev_id}" if older else "",
        is_first=place is None,
    )
