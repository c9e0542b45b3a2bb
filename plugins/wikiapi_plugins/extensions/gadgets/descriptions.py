"""Titles and descriptions of gadgets, from pages of the MediaWiki namespace."""

from __future__ import annotations

from wikiapi.api import Module
from wikiapi.store.queries import texts
from wikiapi.title import MEDIAWIKI
from wikiapi.wikitext import ParserOptions
from wikiapi_plugins.actions.parse.markup import without_paragraph

_BARE = ParserOptions(limit_report=False, wrapper_class="", edit_sections=False)


def interface_html(module: Module, key: str) -> str:
    """Return the HTML of the page of an interface message, if it exists. Takes one query."""
    title = module.site.titles.try_parse(key, MEDIAWIKI)
    if title is None or title.ns != MEDIAWIKI:
        return ""
    page = texts.current(module.db, [title.key]).get(title.key)
    if page is None or not page.text:
        return ""
    return without_paragraph(module.site.parser.parse(page.text, title, _BARE).html)
