"""``Special:Random``: a page by chance."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from wikiapi.store import pages
from wikiapi.store.models import Page
from wikiapi.store.pages import PageRow
from wikiapi_plugins.web.replies import redirect_reply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit


def show_random(visit: Visit, title: Title) -> Reply:
    """Lead to a page of the content namespaces, or of the one that the sub-page names."""
    named = visit.site.namespaces.find(title.dbkey.partition("/")[2])
    spaces = (named.id,) if named and named.id > 0 else visit.site.namespaces.content or (0,)
    row = _page(visit, spaces, random.random()) or _page(visit, spaces, 0.0)  # noqa: S311
    if row is None:
        return redirect_reply(visit.url(visit.site.main_page))
    return redirect_reply(visit.url(visit.site.titles.make(*row.key)))


def _page(visit: Visit, spaces: Sequence[int], start: float) -> PageRow | None:
    """The first page from a place along the pages' random numbers."""
    query = pages.select().where(
        Page.page_random >= start, Page.page_namespace.in_(spaces), Page.page_is_redirect == 0
    )
    rows = visit.db.rows(query.order_by(Page.page_random).limit(1))
    return PageRow(*rows[0]) if rows else None
