"""The names of accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.params.types.title import user_kind, user_text

if TYPE_CHECKING:
    from wikiapi.site import Site

RESERVED_NAMES = (
    "MediaWiki default",
    "Conversion script",
    "Maintenance script",
    "Template namespace initialisation script",
    "ScriptImporter",
    "Delete page script",
    "Move page script",
    "Command line script",
    "Unknown user",
)
"""Names that the software itself acts under."""


def canonical_name(site: Site, text: str) -> str | None:
    """The one spelling of an account's name, None for what is no such name."""
    kind, name = user_kind(user_text(text, site) or "")
    return name if kind == "name" else None
