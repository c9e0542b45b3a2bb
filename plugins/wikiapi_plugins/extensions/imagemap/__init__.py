"""ImageMap: ``<imagemap>``, a picture whose parts lead to different pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.imagemap import tag


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """``<imagemap>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """What may be wrong with a map."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (ExtensionCredits.bundled("ImageMap", "parserhook", "Pictures with several links"),)
