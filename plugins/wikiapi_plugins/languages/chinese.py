"""Chinese, Gan and Wu in simplified and traditional characters, and Chinese by country.

The words come from the dictionaries of OpenCC in the package ``opencc-python-reimplemented``
(installed by the extra ``chinese``). Without it, only conversion rules in pages are applied.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from importlib.util import find_spec
from types import MappingProxyType

from wikiapi.languages import ConversionTable, LanguageConverter, Rules
from wikiapi_plugins.languages.variants import variants_of

logger = logging.getLogger(__name__)

_PACKAGE = "opencc"


def has_dictionaries() -> bool:
    """Return whether the package with the dictionaries is installed."""
    return find_spec(_PACKAGE) is not None


def _words(*names: str) -> dict[str, str]:
    """Return the conversions of words in OpenCC's dictionaries.

    If a word has several conversions, the first one is used; if several of the dictionaries contain
    it, that of the first one.
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
    """Return the conversions for a region that uses variants of some characters.

    OpenCC converts first to traditional characters, and then to those of the region. The mapping
    returned does both in one step, and also contains the words in simplified characters.
    """
    regional, simplified = ConversionTable(characters), ConversionTable(_to_simplified())
    pairs = {source: regional.convert(target) for source, target in _to_traditional().items()}
    pairs |= characters
    for source, target in phrases.items():
        word = regional.convert(target)
        pairs |= {simplified.convert(source): word, source: word, regional.convert(source): word}
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


@cache
def _warn_of_missing_dictionaries() -> None:
    """Log once for all variants that they are not converted."""
    logger.warning("Chinese is not converted: wikiapi-server[chinese] is not installed")


def _pairs(variant: str) -> Mapping[str, str]:
    make = _MAKERS.get(variant.partition("-")[2])
    if make is None:
        return {}
    if not has_dictionaries():
        _warn_of_missing_dictionaries()
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
    """Return the converter of a language that is written in Chinese characters.

    Args:
        language: code of the language.
        countries: codes of the variants for countries.
        scripts: which rules in pages apply to the variants for scripts.
    """
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
