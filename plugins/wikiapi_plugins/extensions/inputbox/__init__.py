"""InputBox: ``<inputbox>``, forms to search, create, comment on and move pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.inputbox import tag


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
