"""Cite: footnotes. ``<ref>`` adds one at a place in the text, ``<references>`` lists them.

Settings of ``[extensions.cite]``: ``responsive`` (true) shows lists of more than
``responsive_threshold`` (10) footnotes in columns; ``sub_references`` (false) lets ``<ref
name="book" details="page 7" />`` add details to another footnote.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import ResourceModule, read_modules
from wikiapi.site import Site
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.cite import tags
from wikiapi_plugins.extensions.cite.tags import Settings

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions(site: Site) -> Iterable[Extension]:
    """Return the extension; check its settings."""
    Settings.of(site)
    return (
        BundledExtension(
            "Cite",
            description="Footnotes and lists of them",
            tags=(tags.REF, tags.REFERENCES),
            messages=FOLDER / "messages",
            resources=lambda: (
                *read_modules(FOLDER / "resources"),
                ResourceModule("ext.cite.ux-enhancements"),
            ),
        ),
    )
