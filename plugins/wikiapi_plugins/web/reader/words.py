"""Words of the interface that CLDR has in every language, for those without a translation here."""

from __future__ import annotations

from wikiapi.i18n.catalog import MessageCatalog
from wikiapi.i18n.languages import locale_of

_ENGLISH = "en"
_UNITS = {"reader-bytes": "digital-byte"}
"""Messages with a number, by their keys, and CLDR's unit of what is counted."""


def counted(catalog: MessageCatalog, key: str, number: int, language: str) -> str | None:
    """Return a number with its unit in a language; ``None`` to use the message.

    That is for units which CLDR does not know, and languages that have the message.
    """
    unit = _UNITS.get(key)
    found = catalog.find(key, language)
    if unit is None or found is None or found.language != _ENGLISH:
        return None
    return _with_unit(unit, number, language)


def _with_unit(unit: str, number: int, language: str) -> str | None:
    from babel.units import format_unit

    locale = locale_of(language)
    if locale.language == _ENGLISH:
        return None
    text = format_unit(number, unit, "long", locale=locale)
    # Where a language has no name for the unit, Babel writes CLDR's.
    return None if unit in text else str(text)
