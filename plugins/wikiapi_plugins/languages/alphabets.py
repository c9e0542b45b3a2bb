"""Languages that are written in two alphabets, converted letter by letter.

The tables follow the official alphabets: Uzbek of 1995, Tajik of 1928 with its later letters,
Tifinagh of IRCAM, Talysh in Azerbaijan and in the Soviet Union, and Kurmanji in Latin and in Arabic
letters. Some letters are converted differently at the beginning of a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wikiapi.languages import LanguageConverter
from wikiapi_plugins.languages.variants import variants_of


def _letters(listed: str) -> dict[str, str]:
    """Return a mapping of letters from a list of ``letter:letters``, separated by spaces."""
    pairs = (pair.partition(":") for pair in listed.split())
    return {source: target for source, _, target in pairs}


def _with_capitals(letters: Mapping[str, str]) -> dict[str, str]:
    """Return a mapping of letters extended by capitals. Of two letters, the first is a capital."""
    pairs = dict(letters)
    for source, target in letters.items():
        pairs.setdefault(source.upper(), target[:1].upper() + target[1:])
        pairs.setdefault(source[:1].upper() + source[1:], target[:1].upper() + target[1:])
    return pairs


def _reversed(letters: Mapping[str, str]) -> dict[str, str]:
    return {target: source for source, target in letters.items()}


_UZBEK = _letters(
    "а:a б:b в:v г:g д:d е:e ё:yo ж:j з:z и:i й:y к:k қ:q л:l м:m н:n о:o п:p р:r с:s т:t у:u "
    "ў:oʻ ф:f х:x ҳ:h ч:ch ш:sh ъ:ʼ ю:yu я:ya ғ:gʻ"
)
_UZBEK_E = {" е": " ye", **{f"{vowel}е": f"{_UZBEK[vowel]}ye" for vowel in "аоуўи"}}
_UZBEK_TO_LATIN = _UZBEK | {"э": "e", "ц": "ts", "ь": ""}
_UZBEK_TO_CYRILLIC = {
    **_reversed(_UZBEK),
    " e": " э",
    "ye": "е",
    **dict.fromkeys(("o'", "o‘", "o`"), "ў"),
    **dict.fromkeys(("g'", "g‘", "g`"), "ғ"),
    **dict.fromkeys(("'", "’"), "ъ"),
}


def _uzbek(variant: str) -> Mapping[str, str]:
    if variant == "uz-latn":
        initial = {" Е": " Ye"}
        return _with_capitals(_UZBEK_TO_LATIN) | _UZBEK_E | initial
    return _with_capitals(_UZBEK_TO_CYRILLIC) | {" E": " Э"} if variant == "uz-cyrl" else {}


_TAJIK = _letters(
    "а:a б:b в:v г:g ғ:ƣ д:d е:e ё:jo ж:ƶ з:z и:i ӣ:ī й:j к:k қ:q л:l м:m н:n о:o п:p р:r с:s т:t "
    "у:u ӯ:ū ф:f х:x ҳ:h ч:c ҷ:ç ш:ş ъ:' э:e ю:ju я:ja"
)
_TALYSH = _letters(
    "a:а b:б c:ҹ ç:ч d:д e:е ə:ә f:ф g:ҝ ğ:ғ h:һ x:х ı:ы i:и j:ж k:к q:г l:л m:м n:н o:о p:п r:р "
    "s:с ş:ш t:т u:у ü:ү v:в y:ј z:з"
)
_TIFINAGH = _letters(
    "ⴰ:a ⴱ:b ⴳ:g ⴷ:d ⴹ:ḍ ⴻ:e ⴼ:f ⴽ:k ⵀ:h ⵃ:ḥ ⵄ:ɛ ⵅ:x ⵇ:q ⵉ:i ⵊ:j ⵍ:l ⵎ:m ⵏ:n ⵓ:u ⵔ:r ⵕ:ṛ "
    "ⵖ:ɣ ⵙ:s ⵚ:ṣ ⵛ:c ⵜ:t ⵟ:ṭ ⵡ:w ⵢ:y ⵣ:z ⵥ:ẓ ⵯ:ʷ"
)
_KURDISH = _letters(
    "b:ب c:ج ç:چ d:د f:ف g:گ h:ه j:ژ k:ک l:ل m:م n:ن p:پ q:ق r:ر s:س ş:ش t:ت v:ڤ w:و x:خ y:ی z:ز"
)
_KURDISH_VOWELS = _letters("a:ا e:ە ê:ێ î:ی o:ۆ u:و û:وو") | {"i": ""}


def _kurdish_to_arabic() -> dict[str, str]:
    initial = {f" {latin}": f" ئ{letter}" for latin, letter in _KURDISH_VOWELS.items()}
    pairs = {**_KURDISH, **_KURDISH_VOWELS, **initial}
    return pairs | {latin.upper(): letter for latin, letter in pairs.items()}


def _kurdish_to_latin() -> dict[str, str]:
    vowels = {letter: latin for latin, letter in _KURDISH_VOWELS.items() if letter}
    initial = {f"ئ{letter}": latin for letter, latin in vowels.items()}
    return {**vowels, **_reversed(_KURDISH), "ی": "î", "و": "w", **initial, "ئ": ""}


def _capitals_of_talysh() -> dict[str, str]:
    """Return the letters and their capitals: ``I`` is the capital of ``ı``, ``İ`` that of ``i``."""
    pairs = _with_capitals({latin: letter for latin, letter in _TALYSH.items() if latin != "i"})
    return pairs | {"i": "и", "İ": "И", "I": "Ы"}


_MAKERS: Mapping[str, Callable[[], Mapping[str, str]]] = {
    "tg-latn": lambda: _with_capitals(_TAJIK),
    "tly-cyrl": _capitals_of_talysh,
    "shi-latn": lambda: _TIFINAGH,
    "zgh-latn": lambda: _TIFINAGH,
    "shi-tfng": lambda: _with_capitals(_reversed(_TIFINAGH)),
    "ku-arab": _kurdish_to_arabic,
    "ku-latn": _kurdish_to_latin,
    "uz-latn": lambda: _uzbek("uz-latn"),
    "uz-cyrl": lambda: _uzbek("uz-cyrl"),
}


def _pairs(variant: str) -> Mapping[str, str]:
    make = _MAKERS.get(variant)
    return make() if make else {}


_CODES = {
    "ban": ("ban", "ban-bali", "ban-x-dharma", "ban-x-palmleaf", "ban-x-pku"),
    "crh": ("crh", "crh-latn", "crh-cyrl"),
    "ku": ("ku", "ku-arab", "ku-latn"),
    "mni": ("mni", "mni-beng"),
    "shi": ("shi", "shi-tfng", "shi-latn"),
    "tg": ("tg", "tg-latn"),
    "tly": ("tly", "tly-cyrl"),
    "uz": ("uz", "uz-latn", "uz-cyrl"),
    "zgh": ("zgh", "zgh-latn"),
}
"""The variants of each language.

Those of Balinese, Crimean Tatar and Meitei have no tables, so that only rules in pages apply.
"""

DECLARATIONS = tuple(
    LanguageConverter(language, variants_of(language, codes), _pairs)
    for language, codes in _CODES.items()
)
