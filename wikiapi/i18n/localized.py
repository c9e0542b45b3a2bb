"""Messages whose texts come from CLDR: dates, list separators and durations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from wikiapi.i18n.catalog import plural_categories
from wikiapi.i18n.dates import calendar_texts
from wikiapi.i18n.languages import locale_of
from wikiapi.memoize import memoize

_LENGTHS = ("long", "short", "narrow")
"""CLDR's lengths of unit patterns, in order of preference; some languages lack the first."""
_UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
_WITHOUT_SPACES = frozenset({"dz", "ja", "km", "lo", "my", "th", "yue", "zh"})
"""Languages that write words without spaces between them."""
_FULL_WIDTH = frozenset({"ja", "yue", "zh"})
_ARABIC_COMMA, _ARABIC_SEMICOLON = "\u060c", "\u061b"
_NO_BREAK_SPACE = "\u00a0"


@memoize(64)
def localized_texts(language: str) -> Mapping[str, str]:
    """Return the texts of a language by message key, such as ``and``."""
    texts = dict(calendar_texts(language))
    texts.update(_separators(language))
    texts.update(_durations(language))
    return MappingProxyType(texts)


def _separators(language: str) -> Iterator[tuple[str, str]]:
    locale = locale_of(language)
    pattern = locale.list_patterns["standard"]
    word = "" if locale.language in _WITHOUT_SPACES else " "
    between = pattern["2"].removeprefix("{0}").removesuffix("{1}")
    comma = pattern["middle"].removeprefix("{0}").removesuffix("{1}")
    is_arabic = locale.text_direction == "rtl" and locale.language not in ("he", "yi")
    if any(letter.isalpha() for letter in comma):  # as in Arabic, which writes "and" between all
        comma = f"{_ARABIC_COMMA} " if is_arabic else ", "
    space = _NO_BREAK_SPACE if locale.language == "fr" else ""
    yield "word-separator", word
    # The message is followed by the word separator.
    yield "and", between.removesuffix(word)
    yield "comma-separator", comma
    if locale.language in _FULL_WIDTH:
        yield "semicolon-separator", "；"
        yield "colon-separator", "："
    else:
        yield "semicolon-separator", f"{_ARABIC_SEMICOLON} " if is_arabic else f"{space}; "
        yield "colon-separator", f"{space}: "


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
