"""LabeledSectionTransclusion: ``<section begin=name />`` and ``{{#section:Page|name}}``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.wikitext import ExtensionTag, ParserFunction
from wikiapi_plugins.extensions.labeledsectiontransclusion import headings, sections
from wikiapi_plugins.extensions.labeledsectiontransclusion.words import words_of


@hookimpl
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """Return the tag that marks sections, under all its names; its output is empty."""
    return [ExtensionTag(name, lambda call: "") for name in words_of(site.language).tags]


@hookimpl
def register_parser_functions(site: Site) -> Iterable[ParserFunction]:
    """Return the functions that transclude parts of pages."""
    return (*sections.declarations(words_of(site.language)), headings.DECLARATION)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the name of the tracking category."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    description = "Marks sections of pages and transcludes them"
    return (ExtensionCredits.bundled("LabeledSectionTransclusion", "parserhook", description),)
