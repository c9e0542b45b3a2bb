"""Interface texts from CLDR, for languages in which the reader's messages are not translated."""

from __future__ import annotations

from wikiapi.i18n.catalog import MessageCatalog
from wikiapi.i18n.languages import locale_of
from wikiapi.i18n.numbers import format_number

_ENGLISH = "en"
_UNITS = {"reader-bytes": "digital-byte"}
"""For each message that consists of a number and a unit, the name of the unit in CLDR."""


def counted(catalog: MessageCatalog, key: str, number: int, language: str) -> str | None:
    """Return a number with its unit in a language; ``None`` to use the message instead.

    The message is used if it is translated, and if CLDR does not have the unit.
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
    digits = str(number)
    text = format_unit(number, unit, "long", format="0", locale=locale)
    # If a language has no name for the unit, Babel returns its identifier.
    return None if unit in text else text.replace(digits, format_number(digits, language), 1)
