"""CategoryTree: categories shown as trees, by a tag, a parser function and an action."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.api import Action
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.wikitext import ExtensionTag, ParserFunction
from wikiapi_plugins.extensions.categorytree import function, tag
from wikiapi_plugins.extensions.categorytree.module import CategoryTree


@hookimpl
def register_extension_tags() -> Iterable[ExtensionTag]:
    """``<categorytree>``."""
    return (tag.DECLARATION,)


@hookimpl
def register_parser_functions() -> Iterable[ParserFunction]:
    """``{{#categorytree:}}``."""
    return (function.DECLARATION,)


@hookimpl
def register_actions() -> Iterable[type[Action]]:
    """``action=categorytree``."""
    return (CategoryTree,)


@hookimpl
def register_messages() -> Iterable[Path]:
    """What a tree says of counts, and where there is nothing to show."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (ExtensionCredits.bundled("CategoryTree", "parserhook", "Categories shown as trees"),)
