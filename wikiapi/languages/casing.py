"""Upper and lower case in the way of a language.

``casing.json`` has the letters whose other case depends on the language, as pairs: ``iİ`` for the
first letter of a text in capitals, ``Iı`` in lower case. All other letters follow Unicode.
"""

from __future__ import annotations

from collections.abc import Mapping

from wikiapi.languages.declared import declared
from wikiapi.memoize import memoize

_FACTS = "casing.json"
_SIGMA = "\u03a3"


def lower(text: str) -> str:
    """Return the text in lower case. Each sigma becomes the same letter, also at the end."""
    if _SIGMA not in text:
        return text.lower()
    return _SIGMA.lower().join(part.lower() for part in text.split(_SIGMA))


def upper_first(text: str, language: str) -> str:
    """Return the text with its first letter as a capital; some are two letters: ``Ss`` for ``ß``.

    A letter that is two in one, such as ``ǆ``, gets its title case, ``ǅ``.
    """
    return with_capital(text, capitals(language))


def with_capital(text: str, own: Mapping[str, str]) -> str:
    """Return the same as :func:`upper_first`, with a language's own :func:`capitals`."""
    first = text[:1]
    return (own.get(first) or first.title()) + text[1:]


def lower_first(text: str, language: str) -> str:
    """Return the text with its first letter in lower case."""
    first = text[:1]
    return (_pairs("lower", language).get(first) or first.lower()) + text[1:]


def capitals(language: str) -> Mapping[str, str]:
    """Return the capitals of a language that differ from Unicode's, by small letter."""
    return _pairs("upper", language)


@memoize(64)
def _pairs(case: str, language: str) -> Mapping[str, str]:
    pair = declared(_FACTS, case, language)
    return {pair[0]: pair[1]} if pair else {}
