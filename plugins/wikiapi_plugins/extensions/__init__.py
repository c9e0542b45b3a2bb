"""Extensions of MediaWiki that ship with wikiapi: a plugin for each, in a folder of its own."""

from __future__ import annotations

from dataclasses import dataclass

from wikiapi import __version__
from wikiapi.plugins import Extension

__all__ = ["BundledExtension"]


@dataclass(frozen=True, slots=True)
class BundledExtension(Extension):
    """An extension of MediaWiki that ships with wikiapi, under the name that it has there."""

    kind: str = "parserhook"
    version: str = __version__
    license: str = "MIT"
    author: str = "wikiapi"

    def __post_init__(self) -> None:
        """Derive the address of the page that describes the extension."""
        object.__setattr__(self, "url", f"https://www.mediawiki.org/wiki/Extension:{self.name}")
