"""GeoData: ``{{#coordinates:}}`` in pages, ``prop=coordinates`` and ``list=geosearch``.

The table ``geo_tags`` has the layout of MediaWiki's extension, so that the data of an existing
database is used. Where the table is missing, no page has coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from peewee import Model

from wikiapi.api import QueryModule
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi.wikitext import ParserFunction
from wikiapi_plugins.extensions.geodata import parserfunction, tags
from wikiapi_plugins.extensions.geodata.coordinates import Coordinates
from wikiapi_plugins.extensions.geodata.geosearch import GeoSearch
from wikiapi_plugins.extensions.geodata.tags import GeoTags


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return the function ``{{#coordinates:}}``."""
    return (parserfunction.DECLARATION,)


@hookimpl
def register_query_modules() -> Iterable[type[QueryModule]]:
    """Return ``prop=coordinates`` and ``list=geosearch``."""
    return (Coordinates, GeoSearch)


@hookimpl
def register_models() -> Iterable[type[Model]]:
    """Return the model of ``geo_tags``."""
    return (GeoTags,)


@hookimpl
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Replace the stored coordinates of the pages."""
    tags.replace(site.db, pages)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the error messages for invalid coordinates."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("GeoData", "other", "Geographical coordinates of pages"),)
