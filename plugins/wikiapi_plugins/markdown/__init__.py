"""Pages as Markdown: ``action=parse&prop=markdown`` and ``prop=extracts&exformat=markdown``.

MediaWiki has neither. Disabling this plugin removes these parameters, but other plugins can still
import the conversion.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.api import Module, Param, enum
from wikiapi.hookspecs import hookimpl

_VALUE = "markdown"


@hookimpl
def register_params(module: type[Module]) -> Iterable[Param]:
    """Add a value to ``prop`` of ``action=parse``, and ``exformat`` to ``prop=extracts``."""
    if module.name == "parse":
        yield enum("prop", _VALUE, value_help=((_VALUE, "The page as Markdown."),))
    elif module.name == "extracts":
        yield enum("format", _VALUE, help="Return whole pages or introductions as Markdown.")
