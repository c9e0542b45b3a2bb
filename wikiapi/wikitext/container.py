"""The element around every rendering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction, html_code
from wikiapi.wikitext.html.entities import escape_attribute

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.wikitext.options import ParserOptions


def wrap_output(html: str, site: Site, options: ParserOptions, language: str = "") -> str:
    """The HTML in its container, which carries language and direction; unwrapped if so asked.

    ``language`` is that of the page where it is not the wiki's.
    """
    if not options.wrapper_class:
        return html
    language = language or site.language
    way = direction(language)
    css = escape_attribute(f"mw-content-{way} {options.wrapper_class}")
    return f'<div class="{css}" lang="{html_code(language)}" dir="{way}">{html}</div>'
