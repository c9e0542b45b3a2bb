"""The tabs above a page: itself and its discussion, and the ways to look at either."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.store import pages
from wikiapi.title.namespaces import FILE, MAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit


@dataclass(frozen=True, slots=True)
class Tab:
    """A link to a page or a view."""

    label: str
    url: str
    is_current: bool = False
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Tabs:
    """The pages that belong together, and the views of the one that is shown."""

    pages: tuple[Tab, ...] = ()
    views: tuple[Tab, ...] = ()


NO_TABS = Tabs()


def tabs_of(visit: Visit, title: Title, view: str) -> Tabs:
    """The tabs of a page; a special page has none. One query."""
    if title.namespace.is_virtual or title.interwiki:
        return NO_TABS
    subject, talk = visit.site.titles.subject(title), visit.site.titles.talk(title)
    related = [page for page in (subject, talk) if page]
    existing = pages.existing(visit.db, {page.key for page in related})
    shown = tuple(_page_tab(visit, page, title, existing) for page in related)
    views = tuple(_views(visit, title, view)) if title.key in existing else ()
    return Tabs(shown, views)


def _page_tab(visit: Visit, page: Title, current: Title, existing: set[tuple[int, str]]) -> Tab:
    return Tab(
        _label(visit, page),
        visit.url(page),
        is_current=page.key == current.key,
        is_missing=page.key not in existing and page.ns != FILE,
    )


def _label(visit: Visit, page: Title) -> str:
    if page.namespace.is_talk:
        return visit.text("tab-talk")
    return visit.text("tab-page") if page.ns == MAIN else page.namespace.name


def _views(visit: Visit, title: Title, view: str) -> Iterator[Tab]:
    yield Tab(visit.text("tab-read"), visit.url(title), view == "read")
    yield Tab(visit.text("tab-source"), visit.url(title, action="edit"), view == "source")
    yield Tab(visit.text("tab-history"), visit.url(title, action="history"), view == "history")
