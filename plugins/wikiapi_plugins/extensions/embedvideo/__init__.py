"""EmbedVideo: videos from other sites, which are loaded only when a reader asks for them.

``{{#ev:}}``, ``{{#evt:}}``, ``{{#evu:}}``, ``{{#evl:}}``, ``<embedvideo>`` and a tag for each
service. Settings of ``[extensions.embedvideo]``: ``default_width`` (640) in pixels; ``services``,
the names of the allowed services, all by default.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.site import Site
from wikiapi.wikitext import ExtensionTag, ParserFunction
from wikiapi_plugins.extensions.embedvideo import calls
from wikiapi_plugins.extensions.embedvideo.services import PLAYER_SITES


@hookimpl
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """Return ``<embedvideo>``, and a tag for each allowed service."""
    return calls.tags(site)


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return ``{{#ev:}}`` and its variants."""
    return calls.FUNCTIONS


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the texts of buttons and errors."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of videos, and the script that loads one after a click."""
    folder = Path(__file__).parent / "resources"
    return read_modules(folder, in_reader=True, frame_sources=PLAYER_SITES)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("EmbedVideo", "parserhook", "Videos of other sites"),)
