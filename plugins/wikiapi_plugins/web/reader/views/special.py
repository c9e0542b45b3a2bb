"""Special pages: those of the reader, and those that pages can transclude."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from wikiapi.http import Reply
from wikiapi.store import CategoryRow, PageRow
from wikiapi.store.models import Category, Page
from wikiapi.store.queries import categories, links, pages
from wikiapi.title import CATEGORY, FILE, Title
from wikiapi_plugins.query.pages.pagefilter import PageFilter
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.views.account import LOGIN, show_login, show_logout, show_users
from wikiapi_plugins.web.reader.views.changes import (
    show_contributions,
    show_log,
    show_new_pages,
    show_recent_changes,
    show_related_changes,
)
from wikiapi_plugins.web.reader.views.export import show_export
from wikiapi_plugins.web.reader.views.redirection import (
    page_of_subpage,
    redirect_by_kind,
    redirect_to_difference,
    redirect_to_explorer,
    redirect_to_file,
    redirect_to_history,
    redirect_to_revision,
    redirect_to_upload,
)
from wikiapi_plugins.web.reader.views.reports import (
    REPORTS,
    show_files,
    show_media,
    show_report,
    show_statistics,
    show_version,
)
from wikiapi_plugins.web.reader.views.runjobs import run_jobs
from wikiapi_plugins.web.reader.views.search import show_search
from wikiapi_plugins.web.replies import redirect_reply

_LINKS_PER_PAGE = 100


def show_what_links_here(context: ViewContext, title: Title) -> Reply:
    """Show the pages that link to a page, transclude it or use it as a file.

    The list begins with the page id in ``from``. If no page is named, show a form.
    """
    if not title.dbkey.partition("/")[2] and not context.param("target"):
        return context.render(
            "whatlinkshere.html", context.text("what-links-here"), page=None, listed=()
        )
    page = page_of_subpage(context, title)
    start = context.number("from") or 0
    by_id: dict[int, PageRow] = {}
    kinds: dict[str, set[int]] = {}
    for kind, named in _LINKS.items():
        if kind == "file" and page.ns != FILE:
            continue
        table = links.in_schema(context.db, named)
        key = (page.ns, page.dbkey)
        query = links.incoming(table, [key]).where(table.source >= start)
        linking = context.db.execute(query.order_by(table.source).limit(_LINKS_PER_PAGE + 1))
        sources = [PageRow(*row[2:12]) for row in linking]
        kinds[kind] = {row.page_id for row in sources}
        by_id.update((row.page_id, row) for row in sources)
    rows = [by_id[number] for number in sorted(by_id)][: _LINKS_PER_PAGE + 1]
    return context.render(
        "whatlinkshere.html",
        context.phrase("links-to", context.named(page)),
        title=page,
        page=page,
        listed=[
            (context.site.titles.make(*row.key), _kinds_of(row, kinds))
            for row in rows[:_LINKS_PER_PAGE]
        ],
        following=rows[_LINKS_PER_PAGE].page_id if rows[_LINKS_PER_PAGE:] else None,
        is_first=not start,
    )


_LINKS = {"transclusion": links.TEMPLATES, "file": links.IMAGES, "link": links.PAGES}


def _kinds_of(row: PageRow, kinds: Mapping[str, set[int]]) -> list[str]:
    """Return the notes about a page: the kinds of its links, except plain ones."""
    noted = [kind for kind, numbers in kinds.items() if kind != "link" and row.page_id in numbers]
    return [*noted, "redirect"] if row.is_redirect and "file" not in noted else noted


def show_random(context: ViewContext, title: Title) -> Reply:
    """Redirect to a random page of the content namespaces, or of the one the subpage names."""
    named = context.site.namespaces.find(title.dbkey.partition("/")[2])
    spaces = (named.id,) if named and named.id > 0 else context.site.namespaces.content or (0,)
    row = _first_page(context, spaces, random.random()) or _first_page(context, spaces, 0.0)  # noqa: S311
    if row is None:
        return redirect_reply(context.url(context.site.main_page))
    return redirect_reply(context.url(context.site.titles.make(*row.key)))


def _first_page(context: ViewContext, spaces: Sequence[int], start: float) -> PageRow | None:
    """Return the first page whose ``page_random`` is not less than ``start``."""
    page_filter = PageFilter(spaces, kinds=(0,))
    rare = page_filter.rare_condition(context.db)
    conditions = [*([] if rare is None else [rare]), *page_filter.conditions()]
    query = pages.SELECT_PAGES.where(Page.page_random >= start, *conditions)
    rows = context.db.execute(query.order_by(Page.page_random).limit(1))
    return PageRow(*rows[0]) if rows else None


_TITLES_PER_PAGE = 300


def show_prefix(context: ViewContext, title: Title) -> Reply:
    """Show the pages whose titles begin with ``prefix`` or the subpage."""
    prefix = context.param("prefix") or title.dbkey.partition("/")[2] or context.param("from")
    return _titles(context, "PrefixIndex", "", prefix)


def show_all_pages(context: ViewContext, title: Title) -> Reply:
    """Show the pages from the title in ``from`` or the subpage on.

    ``prefix`` limits them to titles that begin with it; ``hideredirects`` omits redirects.
    """
    start = context.param("from") or title.dbkey.partition("/")[2]
    return _titles(context, "AllPages", start, context.param("prefix"))


def _titles(context: ViewContext, special: str, text: str, beginning: str) -> Reply:
    number = context.number("namespace") or 0
    namespace = context.site.namespaces.get(number) or context.site.namespaces[0]
    prefix = _start(context, beginning, namespace.id)
    if prefix:
        namespace = prefix.namespace
    start = _start(context, text, namespace.id)
    if start and not prefix:
        namespace = start.namespace
    if special == "PrefixIndex":
        start = _start(context, context.param("from"), namespace.id)
    shows_redirects = not context.param("hideredirects")
    rows = pages.by_title(
        context.db,
        namespace.id,
        _TITLES_PER_PAGE + 1,
        prefix=prefix.dbkey if prefix else "",
        start=start.dbkey if start and start.ns == namespace.id else None,
        redirects=shows_redirects,
    )
    query: dict[str, str | int] = {"namespace": namespace.id}
    if not shows_redirects:
        query["hideredirects"] = 1
    if prefix:
        query["prefix"] = prefix.text
    listed = [(context.site.titles.make(namespace.id, name), is_red) for name, is_red in rows]
    return context.render(
        "allpages.html",
        context.text(f"special-{special.lower()}"),
        special=special,
        prefix=prefix.text if prefix else "",
        namespace=namespace.id,
        namespaces=[space for space in context.site.namespaces if space.id >= 0],
        start=start.text if start else "",
        hides_redirects=not shows_redirects,
        listed=listed[:_TITLES_PER_PAGE],
        first="" if start is None else context.special(special, **query),
        following=(
            context.special(special, **query, **{"from": listed[_TITLES_PER_PAGE][0].text})
            if listed[_TITLES_PER_PAGE:]
            else ""
        ),
    )


def _start(context: ViewContext, text: str, namespace: int) -> Title | None:
    """Return the title with which a list begins; ``None`` if it is empty or not valid."""
    title = context.site.titles.try_parse(text, namespace) if text else None
    return title if title and not title.interwiki and title.ns >= 0 and title.dbkey else None


_PER_PAGE = 200


def show_categories(context: ViewContext, title: Title) -> Reply:
    """Show the categories from the one in ``from`` or the subpage on, with their sizes."""
    text = context.param("from") or title.dbkey.partition("/")[2]
    start = context.site.titles.try_parse(text, CATEGORY) if text else None
    query = Category.select(*categories.CATEGORY_COLUMNS).where(Category.cat_pages > 0)
    if start and start.ns == CATEGORY:
        query = query.where(Category.cat_title >= start.dbkey)
    rows = context.db.execute(query.order_by(Category.cat_title).limit(_PER_PAGE + 1))
    categories_of_page = [CategoryRow(*row) for row in rows]
    listed = [
        (context.site.titles.make(CATEGORY, row.title), row.pages) for row in categories_of_page
    ]
    return context.render(
        "categories.html",
        context.text("all-categories"),
        listed=listed[:_PER_PAGE],
        following=listed[_PER_PAGE][0] if listed[_PER_PAGE:] else None,
        is_first=start is None,
    )


def show_expansion(context: ViewContext, _: Title) -> Reply:
    """Show a form for wikitext and, if it has been sent, the text with its calls expanded."""
    text, page = context.param("wpInput"), context.param("wpContextTitle")
    expanded: str | None = None
    reasons: Sequence[str] = ()
    if text:
        answer = context.api_calls().post(
            action="expandtemplates", text=text, title=page or None, prop="wikitext"
        )
        expanded = answer.data.get("expandtemplates", {}).get("wikitext")
        reasons = answer.reasons
    return context.render(
        "expandtemplates.html",
        context.text("special-expandtemplates"),
        page=page,
        text=text,
        expanded=expanded,
        reasons=reasons,
    )


INDEPENDENT: Mapping[str, Callable[[ViewContext, Title], Reply]] = {
    "AllPages": show_all_pages,
    "ApiSandbox": redirect_to_explorer,
    "ExpandTemplates": show_expansion,
    "PrefixIndex": show_prefix,
    "Categories": show_categories,
    "Contributions": show_contributions,
    "Export": show_export,
    "ListFiles": show_files,
    "ListUsers": show_users,
    "Log": show_log,
    "MediaStatistics": show_media,
    "NewPages": show_new_pages,
    "Random": show_random,
    "RecentChanges": show_recent_changes,
    "RecentChangesLinked": show_related_changes,
    "Search": show_search,
    "Statistics": show_statistics,
    "Upload": redirect_to_upload,
    "Version": show_version,
    "WhatLinksHere": show_what_links_here,
}
"""Special pages that do not require a subpage, by name."""

ACCOUNTS: Mapping[str, Callable[[ViewContext, Title], Reply]] = {
    LOGIN: show_login,
    "UserLogout": show_logout,
}
"""Special pages of writable wikis, by name."""

UNLISTED: Mapping[str, Callable[[ViewContext, Title], Reply]] = {"RunJobs": run_jobs}
"""Special pages for programs, which the list does not name."""

PAGE_RELATED: Mapping[str, Callable[[ViewContext, Title], Reply]] = {
    "Diff": redirect_to_difference,
    "FilePath": redirect_to_file,
    "PageHistory": redirect_to_history,
    "PermanentLink": redirect_to_revision,
    "Redirect": redirect_by_kind,
}
"""Special pages about the page or revision in their subpage, by name."""


GROUPS: Mapping[str, Sequence[str]] = {
    "pages": (
        "AllPages", "PrefixIndex", "Categories", "ListRedirects", "Random", "Search",
        "WhatLinksHere", "MostLinkedPages", "MostLinkedCategories", "MostTranscludedPages",
    ),
    "changes": ("RecentChanges", "RecentChangesLinked", "NewPages", "Contributions", "Log"),
    "files": (
        "ListFiles", "MediaStatistics", "MostLinkedFiles", "UnusedFiles", "WantedFiles",
        "ListDuplicatedFiles",
    ),
    "wiki": ("Statistics", "ListUsers", "Version", "Export", "ExpandTemplates"),
}  # fmt: skip
"""The groups in the list of special pages; all other reports are in the group ``upkeep``."""


class SpecialLink(NamedTuple):
    """An entry in the list of special pages."""

    url: str
    label: str


class Group(NamedTuple):
    """A group in the list of special pages."""

    heading: str
    links: Sequence[SpecialLink]


def show_special(context: ViewContext, title: Title) -> Reply:
    """Show the special page with a title.

    Raises:
        ViewError: there is no such special page, or it is not available on a read-only wiki.
    """
    name = context.site.special_pages.english_name(title.dbkey)
    if name == "SpecialPages":
        others = set(context.site.parser.registries.special_pages) - INDEPENDENT.keys()
        upload = ("Upload",) if context.site.config.files.upload_url else ()
        groups = {
            **GROUPS,
            "files": (*GROUPS["files"], *upload),
            "upkeep": sorted(REPORTS.keys() - {*GROUPS["pages"], *GROUPS["files"]}),
            "accounts": tuple(ACCOUNTS) if context.reader.is_writable else (),
            "others": sorted(others),
        }
        return context.render(
            "specialpages.html",
            context.text("special-pages"),
            groups=[
                Group(context.text(f"group-{group}"), [_special_link(context, n) for n in names])
                for group, names in groups.items()
                if names
            ],
        )
    view = INDEPENDENT.get(name) or PAGE_RELATED.get(name)
    view = view or ACCOUNTS.get(name) or UNLISTED.get(name)
    if name in REPORTS:
        view = show_report
    if view is not None:
        return view(context, title)
    if name in context.site.parser.registries.special_pages:
        # Pages can transclude it, and so does this one.
        text = f"{{{{{title.prefixed_text}}}}}"
        rendering = context.reader.renderings.of_text(text, title, context.language)
        content = context.with_mount_point(rendering.html)
        return context.render("special.html", title.prefixed_text, content=content)
    is_known = title.dbkey in context.site.special_pages
    key = "reader-special-unbuilt" if is_known else "reader-special-unknown"
    raise ViewError(404, key, context.plain(title.text))


def _special_link(context: ViewContext, name: str) -> SpecialLink:
    key = f"special-{name.lower()}"
    label = context.text(key) if context.has_text(key) else name
    return SpecialLink(context.special(name), label)
