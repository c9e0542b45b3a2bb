"""The display title of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.entities import escape_text

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.output import ParserOutput

_PLAIN = frozenset({"json", "text"})
"""Content models whose pages are not rendered by the parser and show their bare name."""


def display_title(title: Title, model: str, output: ParserOutput) -> str:
    """The title set by the page, or its name with its parts marked up."""
    if output.title_html:
        return output.title_html
    if model in _PLAIN:
        return escape_text(title.prefixed_text)
    main = f'<span class="mw-page-title-main">{escape_text(title.text)}</span>'
    if not title.namespace.name:
        return main
    return (
        f'<span class="mw-page-title-namespace">{escape_text(title.namespace.name)}</span>'
        f'<span class="mw-page-title-separator">:</span>{main}'
    )
