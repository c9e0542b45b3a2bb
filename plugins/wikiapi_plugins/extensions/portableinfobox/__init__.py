"""PortableInfobox: ``<infobox>``, boxes of facts whose content a template declares.

Settings of ``[extensions.portableinfobox]``: ``image_width`` (270), the width of images in
pixels; ``thumbnail_width`` (300), the width of the thumbnails that are loaded for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ExtensionTag, ParseState
from wikiapi_plugins.extensions.portableinfobox import tag


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return ``<infobox>``."""
    return (tag.DECLARATION,)


@hookimpl
def on_page_parsed(state: ParseState) -> None:
    """Set the page property that describes the boxes."""
    tag.set_property(state)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the error messages for invalid boxes."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of boxes, and the script that collapses groups and switches panels."""
    return read_modules(Path(__file__).parent / "resources", in_reader=True)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("PortableInfobox", "parserhook", "Boxes of facts"),)
