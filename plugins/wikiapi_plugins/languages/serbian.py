"""Serbian, and Serbo-Croatian, in Cyrillic and Latin letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from wikiapi.languages import LanguageConverter
from wikiapi_plugins.languages.variants import variants_of

_CYRILLIC = "абвгдђежзијклмнопрстћуфхцчшАБВГДЂЕЖЗИЈКЛМНОПРСТЋУФХЦЧШ"
_LATIN = "abvgdđežzijklmnoprstćufhcčšABVGDĐEŽZIJKLMNOPRSTĆUFHCČŠ"
_LETTERS = dict(zip(_CYRILLIC, _LATIN, strict=True))
_DIGRAPHS = {"љ": "lj", "њ": "nj", "џ": "dž"}
_TWO_LETTERS = {"l!j": "лј", "n!j": "нј", "d!ž": "дж", "d!j": "дј"}
"""The notation of authors for two letters that are not a digraph."""


def _pairs(variant: str) -> Mapping[str, str]:
    if variant in ("sr-ec", "sh-cyrl"):
        pairs = {latin: letter for letter, latin in _LETTERS.items()}
        for letter, latin in _DIGRAPHS.items():
            capital = {latin.capitalize(), latin.upper(), latin[0].upper() + latin[1]}
            pairs |= {latin: letter, **dict.fromkeys(capital, letter.upper())}
        for latin, letters in _TWO_LETTERS.items():
            pairs |= {latin: letters, latin.capitalize(): letters.capitalize()}
            pairs[latin.upper()] = letters.upper()
        return pairs
    if variant == "sr-el":
        capitals = {letter.upper(): latin.capitalize() for letter, latin in _DIGRAPHS.items()}
        return {**_LETTERS, **_DIGRAPHS, **capitals}
    return {}


_ONLY_CYRILLIC = re.compile("[ђжћчшЂЖЋЧШ]")
_ONLY_LATIN = re.compile("[đžćčšĐŽĆČŠ]")


def _is_written_in(text: str, variant: str) -> bool:
    """Return whether a text is already in the script of a variant.

    That is decided by the letters that occur only in one of the alphabets.
    """
    cyrillic, latin = len(_ONLY_CYRILLIC.findall(text)), len(_ONLY_LATIN.findall(text))
    if variant == "sr-ec":
        return cyrillic > latin
    return latin > cyrillic if variant == "sr-el" else False


_ROMAN = re.compile(
    r"\b(?=[MDCLXVI])M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b"
)


def _without_roman_numerals(text: str) -> Iterator[tuple[str, bool]]:
    copied = 0
    for match in _ROMAN.finditer(text):
        yield text[copied : match.start()], True
        yield match[0], False
        copied = match.end()
    yield text[copied:], True


SERBIAN = LanguageConverter(
    "sr",
    variants_of("sr", ("sr", "sr-ec", "sr-el")),
    _pairs,
    _is_written_in,
    _without_roman_numerals,
)
SERBO_CROATIAN = LanguageConverter(
    "sh", variants_of("sh", ("sh-latn", "sh-cyrl")), _pairs, pieces=_without_roman_numerals
)

DECLARATIONS = (SERBIAN, SERBO_CROATIAN)
