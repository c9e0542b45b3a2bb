from __future__ import annotations

import pytest
from babel import Locale, UnknownLocaleError
from babel.core import get_global

from wikiapi.i18n.languages import cldr_locale, direction, html_code, is_language_code


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
def test_a_locale_is_what_babel_takes_the_code_for(code: str) -> None:
    try:
        expected = Locale.parse(code.replace("_", "-"), sep="-")
    except (UnknownLocaleError, ValueError):
        expected = None
    assert cldr_locale(code.replace("_", "-")) == expected
