"""ImageMap: ``<imagemap>``, an image whose areas link to different pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.imagemap import tag

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "ImageMap",
            description="Pictures with several links",
            tags=(tag.DECLARATION,),
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )
