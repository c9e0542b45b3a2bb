"""ParserFunctions: conditions, ``{{#expr:}}``, ``{{#time:}}``, parts of titles and of texts."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.wikitext import parserfunctions

_NAME = "parserfunctions"


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    settings = site.config.extensions.get(_NAME, {})
    has_strings = settings.get("string_functions", True)
    strings = parserfunctions.STRING_FUNCTIONS if has_strings else ()
    return (
        BundledExtension(
            "ParserFunctions",
            description="Conditions and texts",
            functions=(*parserfunctions.EXTENSION, *strings),
        ),
    )
