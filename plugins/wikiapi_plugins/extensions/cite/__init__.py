"""Cite: footnotes. ``<ref>`` marks a place, ``<references>`` lists what was said there.

Settings of ``[extensions.cite]``: ``responsive`` (true) sets long lists in columns, those of more
than ``responsive_threshold`` (10) footnotes; ``sub_references`` (false) lets ``<ref name="book"
details="page 7" />`` add to what another says.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ExtensionCredits
from wikiapi.site import Site
from wikiapi.wikitext import ExtensionTag
from wikiapi_plugins.extensions.cite import ref
from wikiapi_plugins.extensions.cite.footnote import Settings


@hookimpl
def register_extension_tags(site: Site) -> Iterable[ExtensionTag]:
    """``<ref>`` and ``<references>``, once the settings are known to be right."""
    Settings.of(site)
    return (ref.DECLARATION, ref.REFERENCES)


@hookimpl
def register_messages() -> Iterable[Path]:
    """Errors and their tracking category."""
    return (Path(__file__).parent / "messages",)


@hookimpl
def register_extension_credits() -> Iterable[ExtensionCredits]:
    """As the extension of that name."""
    return (ExtensionCredits.bundled("Cite", "parserhook", "Footnotes and lists of them"),)
