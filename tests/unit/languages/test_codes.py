from __future__ import annotations

import gc
from collections.abc import Mapping

import pytest
from babel import Locale, UnknownLocaleError, localedata
from babel.core import get_global

from wikiapi.languages.codes import (
    MAX_LOCALES,
    cldr_locale,
    html_code,
    is_language_code,
    locale_of,
)
from wikiapi.languages.dates import calendar_texts
from wikiapi.languages.direction import direction
from wikiapi.languages.numbers import format_number


@pytest.mark.parametrize("code", ["en", "zh-hans", "be-x-old", "roa-tara", "x", "a1", "a" * 63])
def test_language_code(code: str) -> None:
    assert is_language_code(code)


@pytest.mark.parametrize(
    "code",
    ["", "-", "en-", "-en", "en--us", "en_US", "en\n", "1en", "é", "../en", "en/x", "a" * 64,
     "<b>", "e n", "en\x00"],
)  # fmt: skip
def test_no_language_code(code: str) -> None:
    assert not is_language_code(code)


@pytest.mark.parametrize(
    ("code", "html"),
    [
        ("en", "en"),
        ("EN", "en"),
        ("en-gb", "en-GB"),
        ("zh-hans", "zh-Hans"),
        ("zh-min-nan", "nan"),
        ("simple", "en-simple"),
        ("de-formal", "de-x-formal"),
        ("be-x-old", "be-tarask"),
        ("sr-ec", "sr-Cyrl"),
        ("roa-tara", "nap-x-tara"),
        ("zh-tw", "zh-Hant-TW"),
        ("sr", "sr"),
        ("crh", "crh"),
    ],
)
def test_html_code(code: str, html: str) -> None:
    assert html_code(code) == html


@pytest.mark.parametrize(
    ("code", "expected"),
    [("en", "ltr"), ("he", "rtl"), ("ar", "rtl"), ("fa", "rtl"), ("ur", "rtl"), ("yi", "rtl"),
     ("zh-hans", "ltr"), ("de-formal", "ltr"), ("no-such", "ltr"), ("", "ltr"), ("é", "ltr")],
)  # fmt: skip
def test_direction(code: str, expected: str) -> None:
    assert direction(code) == expected


_ODD = ("und-AT", "EN-us", "de@euro", "de.utf8", "", "-", "1", "sr-ec", "x", "in", "SH", "zz-1-2")


@pytest.mark.parametrize("code", [*_ODD, *sorted(get_global("language_aliases"))[::5]])
def test_a_locale_is_that_of_babel(code: str) -> None:
    try:
        expected = Locale.parse(code.replace("_", "-"), sep="-")
    except (UnknownLocaleError, ValueError):
        expected = None
    assert cldr_locale(code.replace("_", "-")) == expected


def test_the_data_of_few_languages_stay_in_memory() -> None:
    """Whoever asked for one language after the other would else make us keep 200 MB for good."""
    codes = [code.replace("_", "-") for code in sorted(localedata.locale_identifiers())[:120]]
    for code in codes:
        direction(code)
        calendar_texts(code)
        format_number("1234.5", code)
    gc.collect()
    # Whatever refers to the data of a locale: Babel, locales, and whoever keeps those.
    kept = [each for each in gc.get_objects() if isinstance(each, dict) and _is_of_locale(each)]
    assert len(codes) > len(kept) > 0
    assert len(kept) <= 2 * MAX_LOCALES + 4


def _is_of_locale(mapping: Mapping[object, object]) -> bool:
    return "character_order" in mapping and "number_symbols" in mapping


def test_no_language_gets_the_names_of_one_that_was_requested_before() -> None:
    def february(code: str) -> str:
        return str(locale_of(code).months["stand-alone"]["wide"][2])

    assert [february(code) for code in ("he", "zh", "nl", "sv", "en", "da")] == [
        *("פברואר", "二月", "februari", "februari", "February", "februar")
    ]
