"""Serbian in its two scripts: one letter of Cyrillic for one of Latin, or for a pair of them."""

from __future__ import annotations

import re

_CYRILLIC = "абвгдђежзијклмнопрстћуфхцчшАБВГДЂЕЖЗИЈКЛМНОПРСТЋУФХЦЧШ"
_LATIN = "abvgdđežzijklmnoprstćufhcčšABVGDĐEŽZIJKLMNOPRSTĆUFHCČŠ"
_PAIRS = {"љ": "lj", "њ": "nj", "џ": "dž", "Љ": "Lj", "Њ": "Nj", "Џ": "Dž"}
_TO_LATIN = str.maketrans({**dict(zip(_CYRILLIC, _LATIN, strict=True)), **_PAIRS})
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_PAIR = re.compile("|".join(_PAIRS.values()), re.IGNORECASE)
_PAIRED = {latin.lower(): cyrillic for cyrillic, latin in _PAIRS.items() if cyrillic.islower()}


def _joined(match: re.Match[str]) -> str:
    letter = _PAIRED[match[0].lower()]
    return letter.upper() if match[0][0].isupper() else letter


def to_latin(text: str) -> str:
    """The text in Latin letters."""
    return text.translate(_TO_LATIN)


def to_cyrillic(text: str) -> str:
    """The text in Cyrillic letters; ``lj``, ``nj`` and ``dž`` are one letter each."""
    return _PAIR.sub(_joined, text).translate(_TO_CYRILLIC)
