"""CategoryTree: categories shown as trees, by a tag, a parser function and an action."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.api import Action
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.wikitext import ExtensionTag, ParserFunction
from wikiapi_plugins.extensions.categorytree import function, tag
from wikiapi_plugins.extensions.categorytree.module import CategoryTree


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """Return the tag ``<categorytree>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """Return the function ``{{#categorytree:}}``."""
    return (function.DECLARATION,)


@hookimpl
def register_actions() -> Iterable[type[Action]]:
    """Return ``action=categorytree``."""
    return (CategoryTree,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the texts for counts and for empty trees."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of trees and an empty module under the name of the script."""
    return (*read_modules(Path(__file__).parent / "resources"), ResourceModule("ext.categoryTree"))


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("CategoryTree", "parserhook", "Categories shown as trees"),)
