"""The display title of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.entities import escape_all

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.output import ParserOutput

_PLAIN = frozenset({"json", "text"})
"""Content models whose pages are not rendered by the parser and show their bare name."""


_UNCONVERTED = frozenset({"notitleconvert", "nocontentconvert"})


def display_title(title: Title, model: str, output: ParserOutput) -> str:
    """The title set by the page, or its name with its parts marked up."""
    if output.title_html:
        return output.title_html
    if model in _PLAIN or not _UNCONVERTED.isdisjoint(output.switches):
        return escape_all(title.prefixed_text)
    main = f'<span class="mw-page-title-main">{escape_all(title.text)}</span>'
    if not title.namespace.name:
        return main
    return (
        f'<span class="mw-page-title-namespace">{escape_all(title.namespace.name)}</span>'
        f'<span class="mw-page-title-separator">:</span>{main}'
    )
