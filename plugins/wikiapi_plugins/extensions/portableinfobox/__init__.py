"""PortableInfobox: ``<infobox>``, boxes of facts whose content a template declares.

Settings of ``[extensions.portableinfobox]``: ``image_width`` (270), the width of images in
pixels; ``thumbnail_width`` (300), the width of the thumbnails that are loaded for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.portableinfobox import tag

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "PortableInfobox",
            description="Boxes of facts",
            tags=(tag.DECLARATION,),
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources", in_reader=True),
        ),
    )


@hookimpl
def on_page_parsed(state: ParseState) -> None:
    """Set the page property that describes the boxes."""
    tag.set_property(state)
