"""What a page says of itself without showing it, as ``link`` and ``meta`` elements."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from wikiapi.title.namespaces import CATEGORY
from wikiapi.wikitext.html.entities import finished_attributes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.wikitext.parsoid.elementids import ElementIds
    from wikiapi.wikitext.state import ParseState

_UNQUOTED = "/:;@$!*(),'"


def page_properties(state: ParseState, ids: ElementIds) -> str:
    """Behaviour switches, languages and categories of a page, in this order."""
    return "".join(
        f"<{tag}{finished_attributes({**attributes, 'id': ids.take()})} />\n"
        for tag, attributes in (*_switches(state), *_languages(state), *_categories(state))
    )


def _switches(state: ParseState) -> Iterator[tuple[str, dict[str, str]]]:
    for name in state.output.switches:
        yield "meta", {"property": f"mw:PageProp/{name}"}


def _languages(state: ParseState) -> Iterator[tuple[str, dict[str, str]]]:
    for link in state.output.language_links.values():
        entry = state.site.interwiki.get(link.prefix)
        if entry is not None:
            url = entry.page_url(link.title)
            yield "link", {"rel": "mw:PageProp/Language", "href": url}


def _categories(state: ParseState) -> Iterator[tuple[str, dict[str, str]]]:
    for name, sort_key in state.output.categories.items():
        title = state.site.titles.make(CATEGORY, name)
        href = "./" + quote(title.prefixed_dbkey, safe=_UNQUOTED)
        if sort_key:
            href += "#" + quote(sort_key, safe=_UNQUOTED)
        yield "link", {"rel": "mw:PageProp/Category", "href": href}
