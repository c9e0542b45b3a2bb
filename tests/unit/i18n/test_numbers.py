"""Numbers in the notation of a language, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.i18n.numbers import (
    format_exactly,
    format_number,
    format_without_groups,
    parse_formatted,
)


@pytest.mark.parametrize(
    ("text", "language", "shown"),
    [
        ("1234.5", "de", "1.234,5"),
        ("1234.5", "fa", "\u06f1\u066c\u06f2\u06f3\u06f4\u066b\u06f5"),
        ("1234.5", "he", "1,234.5"),
        ("1234.5", "fr", "1\u202f234,5"),
        ("-12", "en", "\u221212"),
        ("12-34", "en", "12\u221234"),
        ("1e3x", "en", "1,000x"),
        ("12345678901234567890", "en", "12,345,678,901,234,567,000"),
        ("1e400", "en", "\u221e"),
        ("-1e400", "en", "\u2212\u221e"),
        ("0.1", "en", "0.1"),
        ("1.", "en", "1"),
        ("\u0661\u0662", "en", "\u0661\u0662"),
        ("1_000", "en", "1_0"),
        ("1", "not a language", "1"),
    ],
)
def test_format(text, language, shown):
    assert format_number(text, language) == shown


def test_exact_numbers_only():
    assert format_exactly("1234567 123456789012345678", "en") == "1,234,567 123456789012345678"
    assert format_exactly("0.1", "en") == "0.1"


def test_without_groups():
    assert format_without_groups("-12345.6", "de") == "\u221212345,6"


@given(st.integers(-(10**14), 10**14), st.sampled_from(["en", "de", "fr", "fa", "hi"]))
def test_there_and_back(number, language):
    assert parse_formatted(format_number(str(number), language), language) == str(number)


@given(st.text(alphabet="0123456789.-+eE ,\u2212", max_size=40))
def test_no_text_fails(text):
    format_number(text, "en")
    format_exactly(text, "en")


def test_a_million_digits_are_a_number():
    assert format_number("1" * 1_000_000, "en") == "\u221e"
    assert len(format_number("0." + "1" * 1_000_000, "en")) < 1000
