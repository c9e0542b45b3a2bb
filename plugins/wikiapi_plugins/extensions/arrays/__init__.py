"""Arrays: ``{{#arraydefine:}}`` and other functions for named lists of texts within a page.

Regular expressions in their arguments need ``pip install wikiapi-server[patterns]``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.wikitext import ParserFunction
from wikiapi_plugins.extensions.arrays import functions


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return the array functions."""
    return functions.DECLARATIONS


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the error message for pages that use patterns where RE2 is not installed."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    description = "Lists of texts that a page defines by name"
    return (ExtensionCredits.bundled("Arrays", "parserhook", description),)
