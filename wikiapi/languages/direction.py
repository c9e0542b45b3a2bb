"""The direction in which languages are written.

``directions.json`` has those of MediaWiki's languages that are written from right to left.
"""

from __future__ import annotations

from wikiapi.languages.codes import cldr_locale
from wikiapi.languages.declared import declared
from wikiapi.memoize import memoize


@memoize(2048)
def direction(code: str) -> str:
    """Return the text direction of a language, ``ltr`` or ``rtl``, by MediaWiki or CLDR."""
    if own := declared("directions.json", "direction", code):
        return own
    locale = cldr_locale(code)
    return "rtl" if locale and locale.character_order == "right-to-left" else "ltr"


def direction_mark(code: str) -> str:
    """Return the invisible character with the text direction of a language."""
    return "\u200f" if direction(code) == "rtl" else "\u200e"
