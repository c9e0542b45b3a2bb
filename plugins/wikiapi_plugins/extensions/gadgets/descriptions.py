"""Titles and descriptions of gadgets, from pages of the MediaWiki namespace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wikiapi.api import Module
from wikiapi.store.queries import texts
from wikiapi.title import MEDIAWIKI
from wikiapi.wikitext import ParserOptions
from wikiapi_plugins.actions.parse.markup import without_paragraph

_BARE = ParserOptions(limit_report=False, wrapper_class="", edit_sections=False)


def interface_html(module: Module, keys: Iterable[str]) -> Mapping[str, str]:
    """Return the HTML of the pages of interface messages that exist and are not empty, by key.

    The pages are read with one query, and rendered together.
    """
    titles = {key: module.site.titles.try_parse(key, MEDIAWIKI) for key in keys}
    pages = {key: title for key, title in titles.items() if title and title.ns == MEDIAWIKI}
    if not pages:
        return {}
    found = texts.current(module.db, [title.key for title in pages.values()])
    written = {
        key: (page.text, title)
        for key, title in pages.items()
        if (page := found.get(title.key)) and page.text
    }
    outputs = module.site.parser.parse_all(list(written.values()), _BARE)
    return {
        key: without_paragraph(output.html) for key, output in zip(written, outputs, strict=True)
    }
