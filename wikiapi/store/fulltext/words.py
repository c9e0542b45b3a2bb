"""The words of a text, parted and folded as FTS5's tokenizer ``unicode61`` does it.

The servers part texts by rules of their own, which differ by version, locale and setting. They are
given words that are ready, so that every database finds the same.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 80
"""Characters of a word that count."""

_ASCII = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u036f]")


def words(text: str) -> list[str]:
    """The words in their order: lower case, without diacritics, long ones cut off."""
    lowered = text.lower()
    plain = lowered.isascii()
    found = _ASCII.findall(lowered) if plain else _WORD.findall(_without_marks(lowered))
    return [word[:LONGEST] for word in found]


def _without_marks(text: str) -> str:
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text)))
