"""MediaWiki's skins, with the modules that each loads, for clients that ask about them.

The pages of this server do not use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from wikiapi import __version__
from wikiapi.plugins import ExtensionCredits


@dataclass(frozen=True, slots=True)
class Skin:
    """A skin.

    Attributes:
        code: the value of ``useskin``.
        name: the name for people; empty for a skin that users cannot choose.
        styles: modules with style sheets; the first has the styles of the content.
        scripts: modules with scripts.
        html_classes: classes of the ``html`` element.
        body_classes: classes of the ``body`` element before those that every page has.
        body_ending: classes of the ``body`` element after those.
        has_toc: whether the table of contents is within the content.
    """

    code: str
    name: str = ""
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    html_classes: tuple[str, ...] = ()
    body_classes: tuple[str, ...] = ()
    body_ending: tuple[str, ...] = ()
    has_toc: bool = True


_SKINS = (
    Skin("apioutput", styles=("mediawiki.skinning.interface",)),
    Skin("authentication-popup", styles=("mediawiki.special.userlogin.authentication-popup",)),
    Skin("fallback", styles=("mediawiki.skinning.interface",)),
    Skin("json"),
    Skin(
        "minerva",
        "MinervaNeue",
        styles=("skins.minerva.styles", "skins.minerva.icons"),
        scripts=("skins.minerva.scripts",),
        body_ending=("skin--responsive",),
    ),
    Skin(
        "monobook",
        "MonoBook",
        styles=("skins.monobook.styles",),
        scripts=("skins.monobook.scripts",),
        body_ending=("skin--responsive",),
    ),
    Skin(
        "timeless",
        "Timeless",
        styles=("skins.timeless",),
        scripts=("skins.timeless.js",),
        body_ending=("skin--responsive",),
    ),
    Skin(
        "vector-2022",
        "Vector (2022)",
        styles=("skins.vector.styles", "skins.vector.icons", "skins.vector.search.codex.styles"),
        scripts=("skins.vector.js",),
        html_classes=(
            "vector-feature-language-in-header-enabled",
            "vector-feature-language-in-main-page-header-disabled",
            "vector-feature-page-tools-pinned-disabled",
            "vector-feature-toc-pinned-clientpref-1",
            "vector-feature-main-menu-pinned-disabled",
            "vector-feature-limited-width-clientpref-1",
            "vector-feature-limited-width-content-enabled",
            "vector-feature-custom-font-size-clientpref-1",
            "vector-feature-appearance-pinned-clientpref-1",
            "vector-feature-night-mode-disabled",
            "skin-theme-clientpref-day",
        ),
        body_classes=("skin--responsive", "skin-vector", "skin-vector-search-vue"),
        has_toc=False,
    ),
    Skin(
        "vector",
        "Vector legacy (2010)",
        styles=("skins.vector.styles.legacy",),
        scripts=("skins.vector.legacy.js",),
        body_ending=("skin-vector-legacy",),
    ),
)
SKINS: Mapping[str, Skin] = MappingProxyType({skin.code: skin for skin in _SKINS})
"""Skins by code; those without a name are for the software itself."""
DEFAULT = "vector-2022"
OWN_SKIN = "wikiapi"
"""The code of the skin of this server's pages, which is none of those."""
API_SKIN = "apioutput"
"""The skin for which the API renders pages unless another is requested."""
_PACKAGES = ("MinervaNeue", "MonoBook", "Timeless", "Vector")


def skin_credits() -> list[ExtensionCredits]:
    """Return the credits of the packages with skins, which count as extensions."""
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
