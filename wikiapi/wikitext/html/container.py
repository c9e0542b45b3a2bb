"""The ``div`` element around the HTML of a page."""

from __future__ import annotations

from types import MappingProxyType

from wikiapi.languages.codes import html_code
from wikiapi.languages.direction import direction
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.entities import finished_attributes
from wikiapi.wikitext.options import ParserOptions


def wrap_output(html: str, site: Wiki, options: ParserOptions, language: str = "") -> str:
    """Return the HTML within a ``div`` that states its language and direction.

    The HTML is returned unchanged if the options give no class. ``language`` is the language of the
    page; empty for the wiki's.
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


VERSIONS = MappingProxyType(
    {"data-mw-parsoid-version": "0.22.0.0", "data-mw-html-version": "2.8.0"}
)
"""The version of Parsoid whose HTML is imitated, and that of the specification."""
