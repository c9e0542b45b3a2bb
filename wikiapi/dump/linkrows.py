"""From what the parser found on a page to the rows of the link tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.write.links import CategoryLink, PageLinkSet, RedirectTarget, sort_key
from wikiapi.title.namespaces import CATEGORY, FILE

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.output import ParserOutput

_DEFAULT_SORT = "defaultsort"
_MEMBER_TYPES = {CATEGORY: "subcat", FILE: "file"}
_PREFIX_BYTES = 255
_SORT_KEY_BYTES = 230
_CONTROL = str.maketrans("\n\t", "  ")


def link_set(page_id: int, title: Title, timestamp: str, output: ParserOutput) -> PageLinkSet:
    """The rows of one page.

    Args:
        page_id: the page's id.
        title: its title.
        timestamp: since when it is in its categories, 14 digits.
        output: what parsing it gave.
    """
    return PageLinkSet(
        page_id,
        title.ns,
        templates=list(output.templates),
        pages=[key for key in output.links if key[0] >= 0],
        existence=list(output.existence_links),
        images=list(output.images),
        categories=_categories(title, timestamp, output),
        external=list(output.external_links),
        interwiki=list(output.interwiki_links),
        languages=[(link.prefix, link.title) for link in output.language_links.values()],
        redirect=_redirect(output.redirect),
        properties=output.properties,
        plugin_data=output.plugin_data,
    )


def _categories(title: Title, timestamp: str, output: ParserOutput) -> list[CategoryLink]:
    member = _MEMBER_TYPES.get(title.ns, "page")
    default = output.properties.get(_DEFAULT_SORT, "")
    links = []
    for name, given in output.categories.items():
        prefix = _cut((given or default).translate(_CONTROL), _PREFIX_BYTES)
        key = _cut(sort_key(title.text, prefix), _SORT_KEY_BYTES)
        links.append(CategoryLink(name, prefix, key, member, timestamp))
    return links


def _redirect(target: Title | None) -> RedirectTarget | None:
    if target is None:
        return None
    return RedirectTarget(target.ns, target.dbkey, target.interwiki, target.fragment)


def _cut(text: str, size: int) -> str:
    """At most so many bytes, without half a character at the end."""
    return text.encode()[:size].decode("utf-8", "ignore") if len(text) * 4 > size else text
