"""``Special:Categories``: every category that has members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.categories import CATEGORY_COLUMNS, CategoryRow
from wikiapi.store.models import Category
from wikiapi.title.namespaces import CATEGORY

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit

_PER_PAGE = 200


def show_categories(visit: Visit, title: Title) -> Reply:
    """The categories from the one that ``from`` or the sub-page names, with their sizes."""
    text = visit.param("from") or title.dbkey.partition("/")[2]
    start = visit.site.titles.try_parse(text, CATEGORY) if text else None
    query = Category.select(*CATEGORY_COLUMNS).where(Category.cat_pages > 0)
    if start and start.ns == CATEGORY:
        query = query.where(Category.cat_title >= start.dbkey)
    rows = visit.db.rows(query.order_by(Category.cat_title).limit(_PER_PAGE + 1))
    found = [CategoryRow(*row) for row in rows]
    listed = [(visit.site.titles.make(CATEGORY, row.title), row.pages) for row in found]
    return visit.draw(
        "categories.html",
        visit.text("all-categories"),
        listed=listed[:_PER_PAGE],
        following=listed[_PER_PAGE][0] if listed[_PER_PAGE:] else None,
        is_first=start is None,
    )
