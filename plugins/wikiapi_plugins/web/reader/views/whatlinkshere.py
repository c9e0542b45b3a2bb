"""``Special:WhatLinksHere``: the pages that link to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store import links
from wikiapi.store.pages import PageRow
from wikiapi_plugins.web.reader.views.leading import named_page

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit

_PER_PAGE = 100


def show_what_links_here(visit: Visit, title: Title) -> Reply:
    """The linking pages in the order of their ids, from the one that ``from`` names."""
    page = named_page(visit, title)
    start = visit.number("from") or 0
    query = links.incoming(links.PAGES, [page.key]).where(links.PAGES.source >= start)
    rows = visit.db.rows(query.order_by(links.PAGES.source).limit(_PER_PAGE + 1))
    found = [PageRow(*row[2:12]) for row in rows]
    return visit.draw(
        "whatlinkshere.html",
        visit.text("links-to", visit.plain(page.prefixed_text)),
        title=page,
        page=page,
        listed=[(visit.site.titles.make(*row.key), row.is_redirect) for row in found[:_PER_PAGE]],
        following=found[_PER_PAGE].page_id if found[_PER_PAGE:] else None,
        is_first=not start,
    )
