"""InputBox: ``<inputbox>``, forms to search, create, comment on and move pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.inputbox import tag


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return the tag ``<inputbox>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the labels of buttons and the error messages."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of forms and an empty module under the name of the script."""
    return (*read_modules(Path(__file__).parent / "resources"), ResourceModule("ext.inputBox"))


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("InputBox", "parserhook", "Forms within pages"),)
