"""Answers for pages that cannot be shown: missing pages, errors, and pages of other wikis.

A wiki without its main page is shown with a landing page instead.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from difflib import get_close_matches
from typing import NamedTuple

from markupsafe import escape

from wikiapi.http import RETRY_LATER, Reply
from wikiapi.importing.origin import messages_command
from wikiapi.languages import Message, direction, html_code
from wikiapi.search import default_namespaces, near_match, prefix_search, similar_titles
from wikiapi.store.models import Category, Page
from wikiapi.store.queries import categories, pages, sitestats
from wikiapi.title import CATEGORY, FILE, MAIN, USER, USER_TALK, Title
from wikiapi.wikitext.media import upload_url
from wikiapi_plugins.shared.facts import facts
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.words import as_block
from wikiapi_plugins.web.replies import html_reply, redirect_reply

_SUGGESTED = 8
_COMPARED = 400
"""Largest number of titles that are compared with a misspelled one."""
_LEAST_ALIKE = 0.72


def show_missing(context: ViewContext, title: Title) -> Reply:
    """Show that a page does not exist, with similar titles and a search form. Status 404."""
    user = title.text.partition("/")[0] if title.ns in (USER, USER_TALK) else ""
    may_upload = title.ns == FILE and bool(context.site.config.files.upload_url)
    # The most likely first. At most eight queries.
    titles: dict[tuple[int, str], Title] = {}
    for proposed in _proposals(context, title):
        titles.update((other.key, other) for other in proposed if other.key not in titles)
        if len(titles) >= _SUGGESTED:
            break

    return context.render(
        "missing.html",
        context.named(title),
        title=title,
        status=404,
        similar=list(titles.values())[:_SUGGESTED],
        contributions=context.contributions_url(user) if user else "",
        upload=upload_url(title, context.site) if may_upload else "",
    )


def _proposals(context: ViewContext, title: Title) -> Iterator[list[Title]]:
    site = context.site
    row = near_match(site, title.prefixed_text)
    yield [site.titles.make(*row.key)] if row else []
    yield _written_alike(context, title)
    first = title.text.split(" ")[0].rstrip(",;:")
    for text in dict.fromkeys((title.text, first)):
        if len(text) > 1:
            name = f"{title.namespace.prefix}{text}"
            yield [page for page, _ in prefix_search(site, name, (), _SUGGESTED)]
    spaces = default_namespaces(site) if title.ns == MAIN else (title.ns,)
    rows = similar_titles(site, title.text, spaces, _SUGGESTED)
    yield [site.titles.make(*row.key) for row in rows]


def _written_alike(context: ViewContext, title: Title) -> list[Title]:
    """Return titles with the same first letters that differ in a few others. One query."""
    beginning = title.dbkey[:2]
    if len(title.dbkey) < 4:
        return []
    rows = pages.by_title(context.db, title.ns, _COMPARED, prefix=beginning)
    names = [name for name, _ in rows if abs(len(name) - len(title.dbkey)) <= 4]
    near = get_close_matches(title.dbkey, names, _SUGGESTED, _LEAST_ALIKE)
    return [context.site.titles.make(title.ns, name) for name in near]


_HEADINGS = {400: "bad-title", 403: "not-allowed", 404: "not-found", 503: "not-available"}


def show_error(context: ViewContext, error: ViewError) -> Reply:
    """Show the reason for an error. The page contains no content of a private wiki."""
    if context.may_read:
        reason = context.message_html(error.message)
    else:
        reason = escape(context.message_text(error.message))
    return context.render(
        "refusal.html",
        context.text(_HEADINGS.get(error.status, "not-found")),
        status=error.status,
        reason=as_block(reason),
    )


def show_nothing(context: ViewContext) -> Reply:
    """Show that there is nothing at an address outside the wiki's pages, with a search form."""
    return context.render("nothing.html", context.text("not-found"), status=404)


def show_unavailable(context: ViewContext) -> Reply:
    """Show that the database cannot be used, in a page that asks nothing of it. Status 503."""
    catalog, language = context.site.messages.catalog, context.language
    document = context.reader.skin.render(
        "unavailable.html",
        {
            "reader": context.reader,
            "root": context.root,
            "name": "" if context.reader.is_private else context.site.config.site.name,
            "heading": catalog.text(Message("reader-not-available"), language),
            "reason": catalog.text(Message("reader-no-database"), language),
            "lang": html_code(language),
            "dir": direction(language),
        },
    )
    return html_reply(document, context.reader.skin.policy, status=503, headers=[RETRY_LATER])


def show_interwiki(context: ViewContext, title: Title) -> Reply:
    """Redirect to another wiki if it is local in the interwiki table; otherwise show a link."""
    url = context.url(title)
    entry = context.site.interwiki.get(title.interwiki)
    if entry and entry.local and url.startswith(("https://", "http://", "//")):
        return redirect_reply(context.full_url(url))
    return context.render("elsewhere.html", context.named(title), status=404, url=url)


_CATEGORIES = 24
_LOOKED_AT = 100
"""Number of the largest categories that are considered, since some of them are hidden."""
_PAGES = 12


class _Listed(NamedTuple):
    title: Title
    size: int


def show_landing(context: ViewContext, title: Title, *, is_empty: bool = False) -> Reply:
    """Show the largest categories, some pages and a search form.

    ``title`` is that of the main page, which does not exist or ``is_empty``.
    """
    counts, language = sitestats.statistics(context.db), context.site.language
    has_texts = context.site.messages.catalog.is_translated(language)
    largest = Category.select(Category.cat_title, Category.cat_pages).where(Category.cat_pages > 0)
    rows = context.db.execute(largest.order_by(Category.cat_pages.desc()).limit(_LOOKED_AT))
    own = {name.replace(" ", "_") for name in facts("trackingcategories").values()}
    left_out = own | categories.hidden(context.db, [name for name, _ in rows])
    make = context.site.titles.make
    listed = [_Listed(make(CATEGORY, name), size) for name, size in rows if name not in left_out]

    spaces = context.site.namespaces.content or (0,)
    select = Page.select(Page.page_namespace, Page.page_title)
    for start in (random.random(), 0.0):  # noqa: S311
        query = select.where(
            Page.page_random >= start, Page.page_namespace.in_(spaces), Page.page_is_redirect == 0
        )
        rows = context.db.execute(query.order_by(Page.page_random).limit(_PAGES))
        if len(rows) == _PAGES:
            break

    return context.render(
        "landing.html",
        context.site.config.site.name,
        title=title,
        is_empty=is_empty,
        view="read" if is_empty else "",
        pages=counts.pages,
        categories=listed[:_CATEGORIES],
        some=[make(*row) for row in rows],
        untranslated="" if has_texts else language,
        messages_command=messages_command(context.site.config.site),
    )
