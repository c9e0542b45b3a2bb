"""Inuktitut in syllabics and in Latin letters, by the dual orthography of 1976."""

from __future__ import annotations

from collections.abc import Mapping

from wikiapi.languages import LanguageConverter
from wikiapi_plugins.languages.variants import variants_of

_VOWELS = ("i", "ii", "u", "uu", "a", "aa", "")
_ROWS = {
    "": "ᐃᐄᐅᐆᐊᐋ",
    "p": "ᐱᐲᐳᐴᐸᐹᑉ",
    "t": "ᑎᑏᑐᑑᑕᑖᑦ",
    "k": "ᑭᑮᑯᑰᑲᑳᒃ",
    "g": "ᒋᒌᒍᒎᒐᒑᒡ",
    "m": "ᒥᒦᒧᒨᒪᒫᒻ",
    "n": "ᓂᓃᓄᓅᓇᓈᓐ",
    "s": "ᓯᓰᓱᓲᓴᓵᔅ",
    "l": "ᓕᓖᓗᓘᓚᓛᓪ",
    "j": "ᔨᔩᔪᔫᔭᔮᔾ",
    "v": "ᕕᕖᕗᕘᕙᕚᕝ",
    "r": "ᕆᕇᕈᕉᕋᕌᕐ",
    "q": "ᕿᖀᖁᖂᖃᖄᖅ",
    "ng": "ᖏᖐᖑᖒᖓᖔᖕ",
    "nng": "ᙱᙲᙳᙴᙵᙶᖖ",
    "ł": "ᖠᖡᖢᖣᖤᖥᖦ",
}
"""By consonant: the syllables with each vowel, and the sign for a final consonant."""


def _pairs(variant: str) -> Mapping[str, str]:
    syllables = {
        syllable: consonant + vowel
        for consonant, row in _ROWS.items()
        for syllable, vowel in zip(row, _VOWELS, strict=False)
    } | {"ᕼ": "h"}
    if variant == "ike-latn":
        return syllables
    if variant != "ike-cans":
        return {}
    pairs = {latin: syllable for syllable, latin in syllables.items()}
    return {**pairs, **{latin.capitalize(): syllable for latin, syllable in pairs.items()}}


DECLARATION = LanguageConverter("iu", variants_of("iu", ("iu", "ike-cans", "ike-latn")), _pairs)
