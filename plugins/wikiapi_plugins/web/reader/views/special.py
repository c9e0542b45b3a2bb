"""Special pages: those that the reader has, and those that pages may transclude."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence

from wikiapi.errors import InvalidTitle
from wikiapi.http import Reply
from wikiapi.store import CategoryRow, PageRow, links, pages, revisions
from wikiapi.store.bounds import ordered, starting_at
from wikiapi.store.categories import CATEGORY_COLUMNS
from wikiapi.store.models import Category, Page, Revision
from wikiapi.store.pages import by_title
from wikiapi.title import CATEGORY, FILE, MAIN, Title
from wikiapi.title.specialpages import is_special_page, shown_name
from wikiapi_plugins.web.reader.views.history import entries_of
from wikiapi_plugins.web.reader.views.redirection import relocated
from wikiapi_plugins.web.reader.views.search import show_search
from wikiapi_plugins.web.reader.visit import Declined, Visit
from wikiapi_plugins.web.replies import redirect_reply

_LINKS_PER_PAGE = 100


def show_what_links_here(visit: Visit, title: Title) -> Reply:
    """The linking pages in the order of their ids, from the one that ``from`` names."""
    page = named_page(visit, title)
    start = visit.number("from") or 0
    query = links.incoming(links.PAGES, [page.key]).where(links.PAGES.source >= start)
    rows = visit.db.execute(query.order_by(links.PAGES.source).limit(_LINKS_PER_PAGE + 1))
    found = [PageRow(*row[2:12]) for row in rows]
    return visit.draw(
        "whatlinkshere.html",
        visit.text("links-to", visit.plain(page.prefixed_text)),
        title=page,
        page=page,
        listed=[
            (visit.site.titles.make(*row.key), row.is_redirect) for row in found[:_LINKS_PER_PAGE]
        ],
        following=found[_LINKS_PER_PAGE].page_id if found[_LINKS_PER_PAGE:] else None,
        is_first=not start,
    )


_MOST_CHANGES = 50
_PLACE = re.compile(r"([0-9]{14})\.([0-9]{1,15})\Z", re.ASCII)


def show_recent_changes(visit: Visit, _: Title) -> Reply:
    """The revisions from the place that ``from`` names.

    They are read from the pages' histories: a store that a dump was imported into has no other
    record of changes.
    """
    columns = (Revision.rev_timestamp, Revision.rev_id)
    query = revisions.SELECT_REVISIONS_WITH_PAGE.select_extend(Page.page_namespace, Page.page_title)
    place = _PLACE.match(visit.param("from"))
    if place:
        query = query.where(starting_at(columns, (place[1], int(place[2])), descending=True))
    rows = visit.db.execute(ordered(query, *columns, descending=True).limit(_MOST_CHANGES + 1))
    edits = map(revisions.read, rows)
    found = [(edit, visit.site.titles.make(edit.namespace, edit.title)) for edit in edits]
    older = found[_MOST_CHANGES][0] if found[_MOST_CHANGES:] else None
    shown = found[:_MOST_CHANGES]
    return visit.draw(
        "recentchanges.html",
        visit.text("recent-changes"),
        entries=list(zip(entries_of(visit, shown), (title for _, title in shown), strict=True)),
        older=f"{older.timestamp}.{older.rev_id}" if older else "",
        is_first=place is None,
    )


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
    query = pages.SELECT_PAGES.where(
        Page.page_random >= start, Page.page_namespace.in_(spaces), Page.page_is_redirect == 0
    )
    rows = visit.db.execute(query.order_by(Page.page_random).limit(1))
    return PageRow(*rows[0]) if rows else None


_TITLES_PER_PAGE = 300


def show_all_pages(visit: Visit, title: Title) -> Reply:
    """The pages from the title that ``from`` or the sub-page names, redirects too unless hidden."""
    number = visit.number("namespace") or 0
    namespace = visit.site.namespaces.get(number) or visit.site.namespaces[0]
    text = visit.param("from") or title.dbkey.partition("/")[2]
    start = visit.site.titles.try_parse(text, namespace.id) if text else None
    if start and (start.interwiki or start.ns < 0):
        start = None
    if start:
        namespace = start.namespace
    shows_redirects = not visit.param("hideredirects")
    rows = by_title(
        visit.db,
        namespace.id,
        _TITLES_PER_PAGE + 1,
        start=start.dbkey if start else None,
        redirects=shows_redirects,
    )
    query = {"namespace": namespace.id, **({} if shows_redirects else {"hideredirects": 1})}
    listed = [(visit.site.titles.make(namespace.id, name), is_red) for name, is_red in rows]
    return visit.draw(
        "allpages.html",
        visit.text("all-pages"),
        namespace=namespace.id,
        namespaces=[space for space in visit.site.namespaces if space.id >= 0],
        start=start.text if start else "",
        hides_redirects=not shows_redirects,
        listed=listed[:_TITLES_PER_PAGE],
        first="" if start is None else visit.special("AllPages", **query),
        following=_from(visit, query, listed[_TITLES_PER_PAGE][0])
        if listed[_TITLES_PER_PAGE:]
        else "",
    )


def _from(visit: Visit, query: dict[str, int], title: Title) -> str:
    return visit.special("AllPages", **query, **{"from": title.text})


_PER_PAGE = 200


def show_categories(visit: Visit, title: Title) -> Reply:
    """The categories from the one that ``from`` or the sub-page names, with their sizes."""
    text = visit.param("from") or title.dbkey.partition("/")[2]
    start = visit.site.titles.try_parse(text, CATEGORY) if text else None
    query = Category.select(*CATEGORY_COLUMNS).where(Category.cat_pages > 0)
    if start and start.ns == CATEGORY:
        query = query.where(Category.cat_title >= start.dbkey)
    rows = visit.db.execute(query.order_by(Category.cat_title).limit(_PER_PAGE + 1))
    found = [CategoryRow(*row) for row in rows]
    listed = [(visit.site.titles.make(CATEGORY, row.title), row.pages) for row in found]
    return visit.draw(
        "categories.html",
        visit.text("all-categories"),
        listed=listed[:_PER_PAGE],
        following=listed[_PER_PAGE][0] if listed[_PER_PAGE:] else None,
        is_first=start is None,
    )


_NUMBERS = re.compile(r"([0-9]{1,15})(?:/([0-9]{1,15}|prev|next|cur))?\Z", re.ASCII)


def lead_to_revision(visit: Visit, title: Title) -> Reply:
    """``Special:PermanentLink/12`` is revision 12."""
    match = _NUMBERS.match(title.dbkey.partition("/")[2])
    if match is None or match[2]:
        raise Declined(400, "reader-special-needs-revision")
    return redirect_reply(visit.reader.addresses.script(visit.root, oldid=match[1]))


def lead_to_difference(visit: Visit, title: Title) -> Reply:
    """``Special:Diff/12`` and ``Special:Diff/12/15``."""
    match = _NUMBERS.match(title.dbkey.partition("/")[2])
    if match is None:
        raise Declined(400, "reader-special-needs-revision")
    query = {"oldid": match[1], "diff": match[2]} if match[2] else {"diff": match[1]}
    return redirect_reply(visit.reader.addresses.script(visit.root, **query))


def lead_to_history(visit: Visit, title: Title) -> Reply:
    """``Special:PageHistory/Title``."""
    return redirect_reply(visit.url(named_page(visit, title), action="history"))


def lead_to_file(visit: Visit, title: Title) -> Reply:
    """``Special:FilePath/Name.png`` is the file itself."""
    file = named_page(visit, title, FILE, param="file")
    found = visit.site.files.find([file]).get(file)
    if found is None or not found.current.exists:
        raise Declined(404, "reader-missing", visit.plain(file.prefixed_text))
    return redirect_reply(visit.full_url(visit.file_url(found.current.url)))


def named_page(visit: Visit, title: Title, namespace: int = MAIN, param: str = "target") -> Title:
    """The page that a special page is asked about: its sub-page, or a parameter.

    Raises:
        Declined: none is named, or what is named is no page of this wiki.
    """
    text = title.dbkey.partition("/")[2] or visit.param(param)
    if not text:
        raise Declined(400, "reader-special-needs-page")
    try:
        page = visit.site.titles.parse(text, namespace)
    except InvalidTitle as error:
        raise Declined(400, error.message.key, *error.message.params) from error
    if page.interwiki or not page.dbkey:
        raise Declined(400, "reader-special-needs-page")
    return page


LISTED: Mapping[str, Callable[[Visit, Title], Reply]] = {
    "AllPages": show_all_pages,
    "Categories": show_categories,
    "Random": show_random,
    "RecentChanges": show_recent_changes,
    "Search": show_search,
}
"""Special pages that say something by themselves, by the name that is shown."""

NEEDING: Mapping[str, Callable[[Visit, Title], Reply]] = {
    "Diff": lead_to_difference,
    "FilePath": lead_to_file,
    "PageHistory": lead_to_history,
    "PermanentLink": lead_to_revision,
    "WhatLinksHere": show_what_links_here,
}
"""Those that are about what their sub-page names."""


def show_special(visit: Visit, title: Title) -> Reply:
    """The special page of a title.

    Raises:
        Declined: there is none of this name, or it cannot be had on a read-only wiki.
    """
    name = shown_name(title.dbkey).partition("/")[0]
    if name == "SpecialPages":
        return _show_list(visit)
    view = LISTED.get(name) or NEEDING.get(name)
    if view is not None:
        return view(visit, title)
    if name in visit.site.parser.registries.special_pages:
        return _show_transcluded(visit, title)
    key = "reader-special-unbuilt" if is_special_page(title.dbkey) else "reader-special-unknown"
    raise Declined(404, key, visit.plain(title.text))


def _show_list(visit: Visit) -> Reply:
    names = sorted({*LISTED, *visit.site.parser.registries.special_pages})
    return visit.draw("specialpages.html", visit.text("special-pages"), names=names)


def _show_transcluded(visit: Visit, title: Title) -> Reply:
    text = f"{{{{{title.prefixed_text}}}}}"
    rendering = visit.reader.renderings.of_text(text, title, visit.language)
    content = relocated(visit, rendering.html)
    return visit.draw("special.html", title.prefixed_text, content=content)
