"""The start page of a wiki whose main page is not in the store, as after a partial import."""

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
"""Number of the largest categories that are considered, since some of them are hidden."""
_PAGES = 12


class _Listed(NamedTuple):
    title: Title
    size: int


def show_landing(context: ViewContext, title: Title) -> Reply:
    """Show the largest categories, some pages and a search form.

    ``title`` is that of the main page.
    """
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
    """Return the categories with the most pages, except hidden and tracking categories."""
    query = Category.select(Category.cat_title, Category.cat_pages).where(Category.cat_pages > 0)
    rows = context.db.execute(query.order_by(Category.cat_pages.desc()).limit(_LOOKED_AT))
    own = {name.replace(" ", "_") for name in facts("trackingcategories").values()}
    left_out = own | categories.hidden(context.db, [name for name, _ in rows])
    make = context.site.titles.make
    found = [_Listed(make(CATEGORY, name), size) for name, size in rows if name not in left_out]
    return found[:_CATEGORIES]


def _some_pages(context: ViewContext) -> list[Title]:
    """Return random pages of the content namespaces."""
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
