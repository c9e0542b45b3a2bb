"""What stands below a page: its categories, and the same page in other languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction, html_code
from wikiapi.store import categories, pages
from wikiapi.title.namespaces import CATEGORY
from wikiapi.wikitext.languages import autonym

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikiapi.title.title import Title
    from wikiapi.wikitext.output import LanguageLink
    from wikiapi_plugins.web.reader.visit import Visit


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
