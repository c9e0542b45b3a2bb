"""Message texts that a wiki has customised, on pages of the MediaWiki namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store import texts
from wikiapi.title.codec import capitalise
from wikiapi.title.namespaces import MEDIAWIKI

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.site import Site
    from wikiapi.store.batches import Key


def local_texts(site: Site, keys: Iterable[str], language: str) -> dict[str, str]:
    """The unfilled texts of those messages that are customised. One query.

    A text for a language other than the wiki's own is on a sub-page named by its code.
    """
    titles = {key: _page(site, key, language) for key in keys}
    pages = texts.current(site.db, titles.values()) if titles else {}
    return {
        key: page.text
        for key, title in titles.items()
        if (page := pages.get(title)) is not None and page.text is not None
    }


def _page(site: Site, key: str, language: str) -> Key:
    name = capitalise(key.replace(" ", "_"))
    return MEDIAWIKI, name if language == site.language else f"{name}/{language}"
