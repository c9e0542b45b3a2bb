"""ImageMap: ``<imagemap>``, an image whose areas link to different pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.imagemap import tag


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return the tag ``<imagemap>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the error messages for invalid maps."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of maps."""
    return read_modules(Path(__file__).parent / "resources")


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("ImageMap", "parserhook", "Pictures with several links"),)
