"""The element around every rendering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction
from wikiapi.wikitext.html.entities import escape_attribute

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.wikitext.options import ParserOptions


def wrap_output(html: str, site: Site, options: ParserOptions) -> str:
    """The HTML in its container, which carries language and direction; unwrapped if so asked."""
    if not options.wrapper_class:
        return html
    way = direction(site.language)
    css = escape_attribute(f"mw-content-{way} {options.wrapper_class}")
    return f'<div class="{css}" lang="{site.language}" dir="{way}">{html}</div>'
