"""Cite: footnotes. ``<ref>`` adds one at a place in the text, ``<references>`` lists them.

Settings of ``[extensions.cite]``: ``responsive`` (true) shows lists of more than
``responsive_threshold`` (10) footnotes in columns; ``sub_references`` (false) lets ``<ref
name="book" details="page 7" />`` add details to another footnote.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.site import Site
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.cite import tags
from wikiapi_plugins.extensions.cite.tags import Settings


@hookimpl
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """Return ``<ref>`` and ``<references>``; check the settings."""
    Settings.of(site)
    return (tags.REF, tags.REFERENCES)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the error messages and the name of their tracking category."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_resource_modules() -> Iterable[ResourceModule]:
    """Return the style sheet of footnotes and an empty module under the name of the script."""
    return (
        *read_modules(Path(__file__).parent / "resources"),
        ResourceModule("ext.cite.ux-enhancements"),
    )


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """Return the credits of the extension."""
    return (ExtensionCredits.bundled("Cite", "parserhook", "Footnotes and lists of them"),)
