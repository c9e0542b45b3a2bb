"""Chinese, Gan and Wu, in simplified and traditional characters, and Chinese by country.

The words come from the dictionaries of OpenCC, which the package ``opencc-python-reimplemented``
brings along (the extra ``chinese``). Without it only what pages say themselves is converted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from importlib.util import find_spec
from types import MappingProxyType

from wikiapi.i18n import ConversionTable, LanguageConverter, Rules
from wikiapi_plugins.languages.variants import variants_of

logger = logging.getLogger(__name__)

_PACKAGE = "opencc"


def has_dictionaries() -> bool:
    """Return whether the package is installed that has the words."""
    return find_spec(_PACKAGE) is not None


def _words(*names: str) -> dict[str, str]:
    """Return words, and what each is converted to: of several possibilities the first.

    Where several dictionaries have a word, that of the first counts.
    """
    folder = resources.files(_PACKAGE) / "dictionary"
    words: dict[str, str] = {}
    for name in names:
        for line in (folder / f"{name}.txt").read_text("utf-8").splitlines():
            source, _, targets = line.partition("\t")
            if source and targets:
                words.setdefault(source, targets.split()[0])
    return words


@cache
def _to_simplified() -> Mapping[str, str]:
    return MappingProxyType(_words("TSPhrases", "TSCharacters"))


@cache
def _to_traditional() -> Mapping[str, str]:
    return MappingProxyType(_words("STPhrases", "STCharacters"))


def _to_taiwan() -> dict[str, str]:
    return _regional(_words("TWPhrases"), _words("TWVariants"))


def _to_hong_kong() -> dict[str, str]:
    return _regional({}, _words("HKVariantsPhrases", "HKVariants"))


def _regional(phrases: Mapping[str, str], characters: Mapping[str, str]) -> dict[str, str]:
    """Return the words for a region that writes some characters of its own.

    OpenCC converts to traditional characters first, to those of the region then; here it is done at
    once, so that a word is found in simplified characters as well.
    """
    shown, simplified = ConversionTable(characters), ConversionTable(_to_simplified())
    pairs = {source: shown.convert(target) for source, target in _to_traditional().items()}
    pairs |= characters
    for source, target in phrases.items():
        word = shown.convert(target)
        pairs |= {simplified.convert(source): word, source: word, shown.convert(source): word}
    return pairs


def _to_mainland() -> dict[str, str]:
    simplified = ConversionTable(_to_simplified())
    pairs = dict(_to_simplified())
    for source, target in _words("TWPhrasesRev").items():
        word = simplified.convert(target)
        pairs |= {simplified.convert(source): word, source: word}
    return pairs


_MAKERS: Mapping[str, Callable[[], Mapping[str, str]]] = {
    "hans": _to_simplified,
    "hant": _to_traditional,
    "cn": _to_mainland,
    "sg": _to_simplified,
    "my": _to_simplified,
    "tw": _to_taiwan,
    "hk": _to_hong_kong,
    "mo": _to_hong_kong,
}


def _pairs(variant: str) -> Mapping[str, str]:
    make = _MAKERS.get(variant.partition("-")[2])
    if make is None:
        return {}
    if not has_dictionaries():
        logger.warning("%s is not converted to: wikiapi-server[chinese] is not installed", variant)
        return {}
    return make()


_BY_SCRIPT = {"hans": "简体", "hant": "繁體"}
_COUNTRIES = {
    "zh-cn": "大陆",
    "zh-hk": "香港",
    "zh-mo": "澳門",
    "zh-my": "大马",
    "zh-sg": "新加坡",
    "zh-tw": "臺灣",
}


def converter(
    language: str, countries: tuple[str, ...] = (), scripts: Rules = Rules.ALL
) -> LanguageConverter:
    """Return the converter of a language that is written in Chinese characters."""
    by_script = {f"{language}-{script}": name for script, name in _BY_SCRIPT.items()}
    codes = (language, *by_script, *countries)
    names = {language: "原文", **by_script, **_COUNTRIES}
    rules = {language: Rules.NONE, **dict.fromkeys(by_script, scripts)}
    return LanguageConverter(
        language,
        variants_of(language, codes, names, rules),
        _pairs,
        code_separator="：",
        rule_separator="；",
    )


DECLARATIONS = (
    converter("zh", tuple(_COUNTRIES), Rules.ONE_WAY),
    converter("gan"),
    converter("wuu"),
)
