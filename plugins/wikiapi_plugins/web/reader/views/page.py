"""A page as it is read, in its newest revision or an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.i18n import direction, html_code
from wikiapi.store import categories, pages, redirects
from wikiapi.title import CATEGORY, Title
from wikiapi.wikitext import LanguageLink, Section
from wikiapi.wikitext.languages import autonym
from wikiapi_plugins.diffs import neighbours
from wikiapi_plugins.web.reader.rendering import Rendering
from wikiapi_plugins.web.reader.stored import StoredPage, load_page, load_revision
from wikiapi_plugins.web.reader.views.category import category_of
from wikiapi_plugins.web.reader.views.file import file_of
from wikiapi_plugins.web.reader.views.missing import show_missing
from wikiapi_plugins.web.reader.views.redirection import FROM, follow, relocated
from wikiapi_plugins.web.reader.visit import Declined, Visit


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


@dataclass(slots=True)
class Entry:
    """A heading; ``line`` is HTML, ``anchor`` as a link has it."""

    line: Markup
    number: str
    anchor: str
    below: list[Entry] = field(default_factory=list)


def contents_of(sections: Iterable[Section]) -> list[Entry]:
    """The headings of the first level, each with those below it."""
    top: list[Entry] = []
    open_entries: list[tuple[int, Entry]] = []
    for section in sections:
        line = Markup(section.line)  # noqa: S704
        entry = Entry(line, section.number, section.link_anchor)
        while open_entries and open_entries[-1][0] >= section.toc_level:
            open_entries.pop()
        (open_entries[-1][1].below if open_entries else top).append(entry)
        open_entries.append((section.toc_level, entry))
    return top


@dataclass(frozen=True, slots=True)
class CategoryLink:
    """A category of the page."""

    title: Title
    is_missing: bool


@dataclass(frozen=True, slots=True)
class Categories:
    """The categories of a page, hidden ones apart."""

    shown: tuple[CategoryLink, ...]
    hidden: tuple[CategoryLink, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """The page in another language. ``code`` is the one that HTML has."""

    code: str
    dir: str
    name: str
    title: str
    url: str


def categories_of(visit: Visit, names: Sequence[str]) -> Categories:
    """What is known of a page's categories. Two queries, if it has any."""
    if not names:
        return Categories((), ())
    stored = pages.existing(visit.db, {(CATEGORY, name) for name in names})
    hidden = categories.hidden(visit.db, names)
    links = {
        name: CategoryLink(visit.site.titles.make(CATEGORY, name), (CATEGORY, name) not in stored)
        for name in names
    }
    return Categories(
        tuple(link for name, link in links.items() if name not in hidden),
        tuple(link for name, link in links.items() if name in hidden),
    )


def languages_of(visit: Visit, links: Iterable[LanguageLink]) -> list[Language]:
    """The links to other languages, by their own names."""
    found = []
    for link in links:
        entry = visit.site.interwiki.get(link.prefix)
        if entry:
            page, _, fragment = link.title.partition("#")
            url = entry.page_url(page, fragment)
            code = html_code(link.prefix)
            name = autonym(link.prefix) or link.prefix
            found.append(Language(code, direction(link.prefix), name, link.title, url))
    return found


@dataclass(frozen=True, slots=True)
class OldRevision:
    """The revisions around one that is not the newest; ``before`` is ``None`` for the first."""

    stored: StoredPage
    before: int | None
    after: int | None


def old_revision(visit: Visit, stored: StoredPage) -> OldRevision:
    """What is around an earlier revision. Two queries."""
    return OldRevision(
        stored,
        neighbours.before(visit.db, stored.revision),
        neighbours.after(visit.db, stored.revision),
    )


def redirected_from(visit: Visit, title: Title) -> Title | None:
    """The redirect that led here. Nothing is believed: it must be one, and lead here.

    Two queries where one is named.
    """
    source = visit.site.titles.try_parse(visit.param(FROM)) if visit.param(FROM) else None
    if source is None or source.interwiki:
        return None
    row = pages.by_titles(visit.db, [source.key]).get(source.key)
    target = redirects.targets(visit.db, [row.page_id]).get(row.page_id) if row else None
    return source if target and target.key == title.key else None


def above(visit: Visit, title: Title) -> list[Title]:
    """The pages above a sub-page that exist, the topmost first. One query for sub-pages."""
    if not title.namespace.subpages or "/" not in title.dbkey:
        return []
    parts = title.prefixed_text.split("/")
    names = ("/".join(parts[:length]) for length in range(1, len(parts)))
    found = [page for name in names if (page := visit.site.titles.try_parse(name))]
    stored = pages.existing(visit.db, {page.key for page in found})
    return [page for page in found if page.key in stored]
