"""Arrays: ``{{#arraydefine:}}`` and others, lists of texts that a page defines by name.

Regular expressions in them need ``pip install wikiapi-server[patterns]``.
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
    """Return the functions of arrays."""
    return functions.DECLARATIONS


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the text for patterns that nothing can run."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    description = "Lists of texts that a page defines by name"
    return (ExtensionCredits.bundled("Arrays", "parserhook", description),)
