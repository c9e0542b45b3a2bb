"""Messages whose texts come from CLDR: dates, list separators and durations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from wikiapi.languages.codes import locale_of
from wikiapi.languages.dates import calendar_texts
from wikiapi.languages.declared import nearest, tables
from wikiapi.languages.plural import plural_categories
from wikiapi.memoize import memoize

_LENGTHS = ("long", "short", "narrow")
"""CLDR's lengths of unit patterns, in order of preference; some languages lack the first."""
_UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
_SEPARATORS = {
    "word-separator": " ",
    "comma-separator": ", ",
    "semicolon-separator": "; ",
    "colon-separator": ": ",
}
"""The usual separators by message key. Those of other languages are in ``separators.json``."""


@memoize(64)
def localized_texts(language: str) -> Mapping[str, str]:
    """Return the texts of a language by message key, such as ``and``."""
    texts = dict(calendar_texts(language))
    texts.update(_separators(language))
    texts.update(_durations(language))
    return MappingProxyType(texts)


def _separators(language: str) -> Iterator[tuple[str, str]]:
    pattern = locale_of(language).list_patterns["standard"]
    texts = {
        key: usual if (own := nearest(tables("separators.json")[key], language)) is None else own
        for key, usual in _SEPARATORS.items()
    }
    comma = pattern["middle"].removeprefix("{0}").removesuffix("{1}")
    # Some languages, such as Arabic, write "and" between all.
    if not any(letter.isalpha() for letter in comma):
        texts["comma-separator"] = comma
    yield from texts.items()
    between = pattern["2"].removeprefix("{0}").removesuffix("{1}")
    # The message is followed by the word separator.
    yield "and", between.removesuffix(texts["word-separator"])


def _durations(language: str) -> Iterator[tuple[str, str]]:
    data, categories = locale_of(language)._data, plural_categories(language)
    for unit in _UNITS:
        patterns = data["unit_patterns"][f"duration-{unit}"]
        length = next(name for name in _LENGTHS if "other" in patterns.get(name, ()))
        plain = _plural(patterns[length], categories)
        yield f"{unit}s", plain
        yield f"duration-{unit}s", plain
        yield f"{unit}s-ago", _plural(data["date_fields"][unit]["past"], categories)


def _plural(forms: Mapping[str, str], categories: Iterable[str]) -> str:
    """Return the plural forms of a unit as one text with ``{{PLURAL:}}``."""
    texts = (forms.get(name, forms["other"]).replace("{0}", "$1") for name in categories)
    return "{{PLURAL:$1|" + "|".join(texts) + "}}"
