"""ParserFunctions: conditions, ``{{#expr:}}``, ``{{#time:}}``, parts of titles and of texts."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.wikitext import ParserFunction
from wikiapi_plugins.wikitext import magicwords, parserfunctions


@hookimpl
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Return ``#if`` and its variants, ``#expr``, ``#time``, ``#titleparts``, ``#len`` and more."""
    return magicwords.localized(parserfunctions.EXTENSION, site.language)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("ParserFunctions", "parserhook", "Conditions and texts"),)
