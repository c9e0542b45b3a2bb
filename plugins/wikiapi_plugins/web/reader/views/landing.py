"""What stands in for a main page that is not in the store, as of a wiki imported in part."""

from __future__ import annotations

import random
from typing import NamedTuple

from wikiapi.http import Reply
from wikiapi.store.models import Category, Page
from wikiapi.store.queries import categories, sitestats
from wikiapi.title import CATEGORY, Title
from wikiapi_plugins.facts import facts
from wikiapi_plugins.web.reader.context import ViewContext

_CATEGORIES = 24
_LOOKED_AT = 100
"""Categories that are looked at, since some of the largest are hidden."""
_PAGES = 12


class _Listed(NamedTuple):
    title: Title
    size: int


def show_landing(context: ViewContext, title: Title) -> Reply:
    """Show the largest categories, some pages and a search form. ``title`` is the main page's."""
    counts = sitestats.statistics(context.db)
    return context.render(
        "landing.html",
        context.site.config.site.name,
        title=title,
        pages=counts.pages,
        categories=_largest_categories(context),
        some=_some_pages(context),
    )


def _largest_categories(context: ViewContext) -> list[_Listed]:
    """Return the categories with most pages, without hidden ones and those of the software."""
    query = Category.select(Category.cat_title, Category.cat_pages).where(Category.cat_pages > 0)
    rows = context.db.execute(query.order_by(Category.cat_pages.desc()).limit(_LOOKED_AT))
    own = {name.replace(" ", "_") for name in facts("trackingcategories").values()}
    left_out = own | categories.hidden(context.db, [name for name, _ in rows])
    make = context.site.titles.make
    found = [_Listed(make(CATEGORY, name), size) for name, size in rows if name not in left_out]
    return found[:_CATEGORIES]


def _some_pages(context: ViewContext) -> list[Title]:
    """Return pages of the content namespaces, others each time."""
    spaces = context.site.namespaces.content or (0,)
    select = Page.select(Page.page_namespace, Page.page_title)
    for start in (random.random(), 0.0):  # noqa: S311
        query = select.where(
            Page.page_random >= start, Page.page_namespace.in_(spaces), Page.page_is_redirect == 0
        )
        rows = context.db.execute(query.order_by(Page.page_random).limit(_PAGES))
        if len(rows) == _PAGES:
            break
    return [context.site.titles.make(*row) for row in rows]
