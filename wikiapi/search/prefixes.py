"""Search for titles that begin with a text, for suggestions while typing."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.search.query import spellings, split_namespace
from wikiapi.site import Site
from wikiapi.store import PageRow, bounds
from wikiapi.store.models import Page
from wikiapi.store.queries import pages
from wikiapi.title import MAIN, SPECIAL, Title


def prefix_search(
    site: Site, text: str, namespaces: Sequence[int], limit: int, offset: int = 0
) -> list[tuple[Title, PageRow | None]]:
    """Return titles that begin with a text in alphabetical order, an exact match first. One query.

    A leading namespace in the text replaces ``namespaces``; alone, it matches all its titles.
    Special pages have no row. In a language with variants, titles that begin with the text in
    another variant follow, with one more query for each variant until there are enough.
    """
    matches: dict[tuple[int, str], tuple[Title, PageRow | None]] = {}
    for position, spelled in enumerate(spellings(site, text)):
        if len(matches) >= limit or (position and offset):
            break
        rows = _search_spelling(site, spelled, namespaces, limit - len(matches), offset)
        matches |= {title.key: (title, row) for title, row in rows if title.key not in matches}
    return list(matches.values())


def _search_spelling(
    site: Site, text: str, namespaces: Sequence[int], limit: int, offset: int
) -> list[tuple[Title, PageRow | None]]:
    if not text.strip():
        return []
    text, spaces = split_namespace(site, text.strip(), namespaces or (MAIN,))
    text = text.strip()
    if SPECIAL in spaces:
        # Names of equal rank are together: first the usual one of each page, then its next alias.
        start = _folded(text)
        ranked: dict[str, tuple[int, str]] = {}
        for aliases in site.special_pages.names.values():
            ranked |= {_folded(alias): (rank, alias) for rank, alias in enumerate(aliases)}
        matching = sorted((rank, key) for key, (rank, _) in ranked.items() if key.startswith(start))
        names = (ranked[key][1] for _, key in matching[offset : offset + limit])
        return [(site.titles.make(SPECIAL, name), None) for name in names]
    rows = _stored_pages(site, text, spaces, limit, offset)
    if offset == 0:
        titles = (
            site.titles.try_parse(f"{site.titles.namespace(number).prefix}{text}")
            for number in spaces
        )
        keys = {title.key for title in titles if title}
        exact = next((row for row in rows if row.key in keys), None)
        if exact is not None:
            rows = [exact, *(row for row in rows if row is not exact)]
    return [(site.titles.make(row.namespace, row.title), row) for row in rows]


def _stored_pages(
    site: Site, text: str, spaces: Sequence[int], limit: int, offset: int
) -> list[PageRow]:
    prefixes: dict[str, list[int]] = {}
    for number in spaces:
        if not text:
            prefixes.setdefault("", []).append(number)
            continue
        title = site.titles.try_parse(f"{site.titles.namespace(number).prefix}{text}")
        if title is not None and title.ns == number and title.dbkey and not title.interwiki:
            prefixes.setdefault(title.dbkey, []).append(number)
    matching = None
    for prefix, numbers in prefixes.items():
        condition = Page.page_namespace.in_(numbers)
        for bound in bounds.with_prefix(Page.page_title, prefix):
            condition &= bound
        matching = condition if matching is None else matching | condition
    if matching is None:
        return []
    query = pages.SELECT_PAGES.where(matching).order_by(Page.page_title, Page.page_namespace)
    return [PageRow(*row) for row in site.db.execute(query.limit(limit).offset(offset))]


def _folded(name: str) -> str:
    return name.replace(" ", "_").upper()
