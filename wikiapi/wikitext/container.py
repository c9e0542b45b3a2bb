"""The element around every rendering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction, html_code
from wikiapi.wikitext.html.entities import finished_attributes
from wikiapi.wikitext.parsoid.versions import VERSIONS

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
    attributes = {
        "class": f"mw-content-{way} {options.wrapper_class}",
        "lang": html_code(language),
        "dir": way,
        **(VERSIONS if options.parsoid else {}),
    }
    return f"<div{finished_attributes(attributes)}>{html}</div>"
