"""Guesses the main page of an imported wiki if the configured one is not in the store."""

from __future__ import annotations

from collections.abc import Iterator

from peewee import fn

from wikiapi.site import Site
from wikiapi.store.models import LinkTarget, Page, PageLinks
from wikiapi.store.queries import pages, texts
from wikiapi.title.namespaces import MAIN, MEDIAWIKI
from wikiapi.title.title import Title

_MESSAGE = "Mainpage"
_USUAL = "Main Page"
_FEWEST_LINKS = 3
"""How many pages must link to a page for it to be taken for the main page."""


def has_main_page(site: Site) -> bool:
    """Return whether the configured main page is in the store."""
    return bool(pages.by_titles(site.db, [site.main_page.key]))


def guessed_main_page(site: Site) -> Title | None:
    """Return the page of the store that is most likely the main page, or None.

    The first of these that exists is returned: the page named in the wiki's ``MediaWiki:Mainpage``,
    the page with the name of the wiki, ``Main Page``, and the page that most pages link to, if at
    least three do.
    """
    for name in _names(site):
        title = site.titles.try_parse(name, MAIN)
        if title and title.dbkey and not title.interwiki and title.ns >= 0:
            found = pages.by_titles(site.db, [title.key])
            if found:
                return title
    return _most_linked(site)


def _names(site: Site) -> Iterator[str]:
    key = (MEDIAWIKI, _MESSAGE)
    message = texts.current(site.db, [key]).get(key)
    if message and message.text:
        yield message.text.strip()
    yield site.config.site.name
    yield _USUAL


def _most_linked(site: Site) -> Title | None:
    count = fn.COUNT(PageLinks.pl_from)
    query = (
        PageLinks.select(LinkTarget.lt_title, count)
        .join(LinkTarget, on=(LinkTarget.lt_id == PageLinks.pl_target_id))
        .join(
            Page,
            on=(
                (Page.page_namespace == LinkTarget.lt_namespace)
                & (Page.page_title == LinkTarget.lt_title)
            ),
        )
        .where((LinkTarget.lt_namespace == MAIN) & (PageLinks.pl_from_namespace == MAIN))
        .group_by(LinkTarget.lt_title)
        .order_by(count.desc(), LinkTarget.lt_title)
        .limit(1)
    )
    row = site.db.row(query)
    if row is None or row[1] < _FEWEST_LINKS:
        return None
    return site.titles.make(MAIN, row[0])
