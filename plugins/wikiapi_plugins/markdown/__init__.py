"""Pages as Markdown: ``action=parse&prop=markdown`` and ``prop=extracts&exformat=markdown``.

MediaWiki has neither. Disabling this plugin removes these parameters, but other plugins can still
import the conversion.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.api import Module, Param, enum
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site

_VALUE = "markdown"


def absolute_url(site: Site, url: str) -> str:
    """Return the absolute form of a URL on the wiki; other URLs are returned unchanged."""
    if url.startswith("//"):
        return f"{site.config.site.server.partition('//')[0]}{url}"
    return f"{site.config.site.server}{url}" if url.startswith("/") else url


@hookimpl
def register_params(module: type[Module]) -> Iterable[Param]:
    """Add a value to ``prop`` of ``action=parse``, and ``exformat`` to ``prop=extracts``."""
    if module.name == "parse":
        yield enum("prop", _VALUE, value_help=((_VALUE, "The page as Markdown."),))
    elif module.name == "extracts":
        yield enum("format", _VALUE, help="Return whole pages or introductions as Markdown.")
