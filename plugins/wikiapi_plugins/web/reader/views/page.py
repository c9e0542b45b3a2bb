"""A page as it is read, in its newest revision or an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from wikiapi_plugins.web.reader.declined import Declined
from wikiapi_plugins.web.reader.stored import load_page, load_revision
from wikiapi_plugins.web.reader.views.category import category_of
from wikiapi_plugins.web.reader.views.contents import contents_of
from wikiapi_plugins.web.reader.views.file import file_of
from wikiapi_plugins.web.reader.views.footer import categories_of, languages_of
from wikiapi_plugins.web.reader.views.missing import show_missing
from wikiapi_plugins.web.reader.views.notices import old_revision, redirected_from
from wikiapi_plugins.web.reader.views.redirection import follow
from wikiapi_plugins.web.reader.views.relocation import relocated
from wikiapi_plugins.web.reader.views.subpages import above

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.rendering import Rendering
    from wikiapi_plugins.web.reader.stored import StoredPage
    from wikiapi_plugins.web.reader.visit import Visit


def show_page(visit: Visit, title: Title) -> Reply:
    """The page, or where its redirect leads, or that there is none.

    Raises:
        Declined: the revision does not exist, or its text is suppressed.
    """
    stored = asked_revision(visit, title)
    if stored is not None:
        title = stored.title
    if stored and (redirection := follow(visit, stored)):
        return redirection
    file, category = file_of(visit, title), category_of(visit, title)
    if stored is None and file is None and category is None:
        return show_missing(visit, title)
    rendering = rendered(visit, stored) if stored else None
    return visit.draw(
        "page.html",
        Markup(rendering.title_html) if rendering else title.prefixed_text,  # noqa: S704
        title=title,
        view="read" if stored is None or stored.is_current else "",
        is_kept=True,
        is_indexed=stored is not None
        and stored.is_current
        and rendering is not None
        and rendering.is_indexed,
        stored=stored,
        rendering=rendering,
        content=relocated(visit, rendering.html) if rendering else None,
        contents=contents_of(rendering.sections) if rendering else (),
        above=above(visit, title),
        file=file,
        category=category,
        categories=categories_of(visit, rendering.categories) if rendering else None,
        languages=languages_of(visit, rendering.languages) if rendering else (),
        redirected=redirected_from(visit, title),
        old=old_revision(visit, stored) if stored and not stored.is_current else None,
    )


def asked_revision(visit: Visit, title: Title) -> StoredPage | None:
    """The revision that ``oldid`` names, or the newest of a page, if there is such a page.

    Raises:
        Declined: there is no revision of that number.
    """
    number = visit.number("oldid")
    if not number:
        return load_page(visit.site, title)
    stored = load_revision(visit.site, number)
    if stored is None:
        raise Declined(404, "reader-no-revision", number)
    return stored


def text_of(stored: StoredPage) -> str:
    """The text of a revision.

    Raises:
        Declined: it is suppressed.
    """
    if stored.text is None:
        raise Declined(403, "reader-text-hidden")
    return stored.text


def rendered(visit: Visit, stored: StoredPage) -> Rendering | None:
    """The rendering of a revision; ``None`` where only its source can be shown.

    Raises:
        Declined: its text is suppressed.
    """
    text_of(stored)
    return visit.reader.renderings.of(stored, visit.language)
