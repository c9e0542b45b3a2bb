"""InputBox: ``<inputbox>``, forms to search, create, comment on and move pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi_plugins.extensions.inputbox import tag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.wikitext import ExtensionTag


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """``<inputbox>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """The labels of buttons."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (ExtensionCredits.bundled("InputBox", "parserhook", "Forms within pages"),)
