"""Skins that clients may name; there is no page view here for them to differ in."""

from __future__ import annotations

from wikiapi import __version__
from wikiapi.plugins import ExtensionCredits

SKINS = (
    ("minerva", "MinervaNeue"),
    ("monobook", "MonoBook"),
    ("timeless", "Timeless"),
    ("vector-2022", "Vector (2022)"),
    ("vector", "Vector legacy (2010)"),
)
"""Codes and names."""
DEFAULT = "vector-2022"
_PACKAGES = ("MinervaNeue", "MonoBook", "Timeless", "Vector")


def skin_credits() -> list[ExtensionCredits]:
    """Skins count as extensions, by the name of the package that brings them."""
    return [
        ExtensionCredits(
            name=name,
            kind="skin",
            url=f"https://www.mediawiki.org/wiki/Skin:{name}",
            version=__version__,
            license="MIT",
            author="wikiapi",
        )
        for name in _PACKAGES
    ]
