"""LabeledSectionTransclusion: ``<section begin=name />`` and ``{{#section:Page|name}}``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.labeledsectiontransclusion import sections
from wikiapi_plugins.extensions.labeledsectiontransclusion.sections import words_of

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "LabeledSectionTransclusion",
            description="Marks sections of pages and transcludes them",
            tags=[ExtensionTag(name, lambda call: "") for name in words_of(site.language).tags],
            functions=sections.declarations(words_of(site.language)),
            messages=FOLDER / "messages",
        ),
    )
