"""Babel: ``{{#babel:en-3|de-1}}``, boxes that say which languages a user speaks.

Settings of ``[extensions.babel]``: ``main_category`` ("%code%") names the category of all speakers
of a language, ``level_category`` ("%code%-%level%") that of its speakers at one level. An empty
text switches the category off.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.api import QueryModule
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ParserFunction
from wikiapi_plugins.extensions.babel.function import DECLARATION
from wikiapi_plugins.extensions.babel.module import Babel


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return ``{{#babel:}}``."""
    return (DECLARATION,)


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """Return ``meta=babel``."""
    return (Babel,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the sentences of the boxes, each in the language of its box."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of the boxes."""
    return read_modules(Path(__file__).parent / "resources")


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("Babel", "parserhook", "Languages that users speak"),)
