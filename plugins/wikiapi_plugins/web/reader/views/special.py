"""Special pages: those of the reader, and those that pages may transclude."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from wikiapi.http import Reply
from wikiapi.store import CategoryRow, PageRow
from wikiapi.store.models import Category, Page
from wikiapi.store.queries import links, pages
from wikiapi.store.queries.categories import CATEGORY_COLUMNS
from wikiapi.store.queries.pages import by_title
from wikiapi.title import CATEGORY, Title
from wikiapi.title.specialpages import is_special_page, shown_name
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.views.account import LOGIN, show_login, show_logout
from wikiapi_plugins.web.reader.views.changes import (
    show_contributions,
    show_new_pages,
    show_recent_changes,
)
from wikiapi_plugins.web.reader.views.export import show_export
from wikiapi_plugins.web.reader.views.log import show_log
from wikiapi_plugins.web.reader.views.redirection import (
    page_of_subpage,
    redirect_by_kind,
    redirect_to_difference,
    redirect_to_file,
    redirect_to_history,
    redirect_to_revision,
)
from wikiapi_plugins.web.reader.views.search import show_search
from wikiapi_plugins.web.reader.views.version import show_version
from wikiapi_plugins.web.replies import redirect_reply

_LINKS_PER_PAGE = 100


def show_what_links_here(context: ViewContext, title: Title) -> Reply:
    """Show the linking pages in the order of their ids, from the one that ``from`` names."""
    page = page_of_subpage(context, title)
    start = context.number("from") or 0
    query = links.incoming(links.PAGES, [page.key]).where(links.PAGES.source >= start)
    rows = context.db.execute(query.order_by(links.PAGES.source).limit(_LINKS_PER_PAGE + 1))
    found = [PageRow(*row[2:12]) for row in rows]
    return context.render(
        "whatlinkshere.html",
        context.text("links-to", context.plain(page.prefixed_text)),
        title=page,
        page=page,
        listed=[
            (context.site.titles.make(*row.key), row.is_redirect) for row in found[:_LINKS_PER_PAGE]
        ],
        following=found[_LINKS_PER_PAGE].page_id if found[_LINKS_PER_PAGE:] else None,
        is_first=not start,
    )


def show_random(context: ViewContext, title: Title) -> Reply:
    """Redirect to a page of the content namespaces, or of the one that the subpage names."""
    named = context.site.namespaces.find(title.dbkey.partition("/")[2])
    spaces = (named.id,) if named and named.id > 0 else context.site.namespaces.content or (0,)
    row = _first_page(context, spaces, random.random()) or _first_page(context, spaces, 0.0)  # noqa: S311
    if row is None:
        return redirect_reply(context.url(context.site.main_page))
    return redirect_reply(context.url(context.site.titles.make(*row.key)))


def _first_page(context: ViewContext, spaces: Sequence[int], start: float) -> PageRow | None:
    """Return the first page at or after a position in the order of the random numbers."""
    query = pages.SELECT_PAGES.where(
        Page.page_random >= start, Page.page_namespace.in_(spaces), Page.page_is_redirect == 0
    )
    rows = context.db.execute(query.order_by(Page.page_random).limit(1))
    return PageRow(*rows[0]) if rows else None


_TITLES_PER_PAGE = 300


def show_all_pages(context: ViewContext, title: Title) -> Reply:
    """Show the pages from the title in ``from`` or the subpage, with redirects unless hidden."""
    number = context.number("namespace") or 0
    namespace = context.site.namespaces.get(number) or context.site.namespaces[0]
    text = context.param("from") or title.dbkey.partition("/")[2]
    start = context.site.titles.try_parse(text, namespace.id) if text else None
    if start and (start.interwiki or start.ns < 0):
        start = None
    if start:
        namespace = start.namespace
    shows_redirects = not context.param("hideredirects")
    rows = by_title(
        context.db,
        namespace.id,
        _TITLES_PER_PAGE + 1,
        start=start.dbkey if start else None,
        redirects=shows_redirects,
    )
    query = {"namespace": namespace.id, **({} if shows_redirects else {"hideredirects": 1})}
    listed = [(context.site.titles.make(namespace.id, name), is_red) for name, is_red in rows]
    return context.render(
        "allpages.html",
        context.text("all-pages"),
        namespace=namespace.id,
        namespaces=[space for space in context.site.namespaces if space.id >= 0],
        start=start.text if start else "",
        hides_redirects=not shows_redirects,
        listed=listed[:_TITLES_PER_PAGE],
        first="" if start is None else context.special("AllPages", **query),
        following=_from(context, query, listed[_TITLES_PER_PAGE][0])
        if listed[_TITLES_PER_PAGE:]
        else "",
    )


def _from(context: ViewContext, query: dict[str, int], title: Title) -> str:
    return context.special("AllPages", **query, **{"from": title.text})


_PER_PAGE = 200


def show_categories(context: ViewContext, title: Title) -> Reply:
    """Show the categories from the one in ``from`` or the subpage, with their sizes."""
    text = context.param("from") or title.dbkey.partition("/")[2]
    start = context.site.titles.try_parse(text, CATEGORY) if text else None
    query = Category.select(*CATEGORY_COLUMNS).where(Category.cat_pages > 0)
    if start and start.ns == CATEGORY:
        query = query.where(Category.cat_title >= start.dbkey)
    rows = context.db.execute(query.order_by(Category.cat_title).limit(_PER_PAGE + 1))
    found = [CategoryRow(*row) for row in rows]
    listed = [(context.site.titles.make(CATEGORY, row.title), row.pages) for row in found]
    return context.render(
        "categories.html",
        context.text("all-categories"),
        listed=listed[:_PER_PAGE],
        following=listed[_PER_PAGE][0] if listed[_PER_PAGE:] else None,
        is_first=start is None,
    )


INDEPENDENT: Mapping[str, Callable[[ViewContext, Title], Reply]] = {
    "AllPages": show_all_pages,
    "Categories": show_categories,
    "Export": show_export,
    "Log": show_log,
    "NewPages": show_new_pages,
    "Random": show_random,
    "RecentChanges": show_recent_changes,
    "Search": show_search,
    "Version": show_version,
}
"""Special pages that need no subpage, by their names."""

ACCOUNTS: Mapping[str, Callable[[ViewContext, Title], Reply]] = {
    LOGIN: show_login,
    "UserLogout": show_logout,
}
"""Special pages of wikis that are writable."""

PAGE_RELATED: Mapping[str, Callable[[ViewContext, Title], Reply]] = {
    "Contributions": show_contributions,
    "Diff": redirect_to_difference,
    "FilePath": redirect_to_file,
    "PageHistory": redirect_to_history,
    "PermanentLink": redirect_to_revision,
    "Redirect": redirect_by_kind,
    "WhatLinksHere": show_what_links_here,
}
"""Special pages about the page or revision that their subpage names."""


def show_special(context: ViewContext, title: Title) -> Reply:
    """Show the special page of a title.

    Raises:
        ViewError: there is none of this name, or it is not available on a read-only wiki.
    """
    name = shown_name(title.dbkey).partition("/")[0]
    if name == "SpecialPages":
        return _show_list(context)
    view = INDEPENDENT.get(name) or PAGE_RELATED.get(name) or ACCOUNTS.get(name)
    if view is not None:
        return view(context, title)
    if name in context.site.parser.registries.special_pages:
        return _show_transcluded(context, title)
    key = "reader-special-unbuilt" if is_special_page(title.dbkey) else "reader-special-unknown"
    raise ViewError(404, key, context.plain(title.text))


def _show_list(context: ViewContext) -> Reply:
    accounts = ACCOUNTS if context.reader.is_writable else ()
    names = sorted({*INDEPENDENT, *accounts, *context.site.parser.registries.special_pages})
    return context.render("specialpages.html", context.text("special-pages"), names=names)


def _show_transcluded(context: ViewContext, title: Title) -> Reply:
    text = f"{{{{{title.prefixed_text}}}}}"
    rendering = context.reader.renderings.of_text(text, title, context.language)
    content = context.with_mount_point(rendering.html)
    return context.render("special.html", title.prefixed_text, content=content)
