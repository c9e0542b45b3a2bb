"""GeoData: ``{{#coordinates:}}`` in pages, ``prop=coordinates`` and ``list=geosearch``.

The table ``geo_tags`` has the layout of MediaWiki's extension, so that the data of an existing
database is used. Where the table is missing, no page has coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.geodata import parserfunction, tags
from wikiapi_plugins.extensions.geodata.coordinates import Coordinates
from wikiapi_plugins.extensions.geodata.geosearch import GeoSearch
from wikiapi_plugins.extensions.geodata.tags import GeoTags

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "GeoData",
            kind="other",
            description="Geographical coordinates of pages",
            functions=(parserfunction.DECLARATION,),
            query_modules=(Coordinates, GeoSearch),
            models=(GeoTags,),
            messages=FOLDER / "messages",
        ),
    )


@hookimpl
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Replace the stored coordinates of the pages."""
    tags.replace(site, pages)
