"""Poem: ``<poem>``, text whose lines and indentation stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi_plugins.extensions.poem import tag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.wikitext.declarations import ExtensionTag


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """``<poem>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (ExtensionCredits.bundled("Poem", "parserhook", "Text that keeps its lines"),)
