"""Numbers in the notation of a language, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import cases
from wikiapi.languages.numbers import (
    format_exactly,
    format_number,
    format_without_groups,
    parse_formatted,
)


@pytest.mark.parametrize("case", cases("language_facts/numbers.json"))
def test_format(case: dict[str, str]) -> None:
    assert format_number(case["text"], case["language"]) == case["shown"]


def test_exact_numbers_only():
    assert format_exactly("1234567 123456789012345678", "en") == "1,234,567 123456789012345678"
    assert format_exactly("0.1", "en") == "0.1"


def test_without_groups():
    assert format_without_groups("-12345.6", "de") == "\u221212345.6"
    assert format_without_groups("12.5", "hi") == "\u0967\u0968.\u096b"
    assert format_without_groups("12.5", "mni") == "\uabf1\uabf2.\uabf5"


LANGUAGES = ["en", "de", "fr", "fa", "hi", "bn", "pl", "an"]


@given(st.integers(-(10**14), 10**14), st.sampled_from(LANGUAGES))
def test_there_and_back(number, language):
    assert parse_formatted(format_number(str(number), language), language) == str(number)


def test_khmer_reads_its_comma_as_the_decimal_one():
    assert parse_formatted("1,5", "km") == "1.5"


@pytest.mark.parametrize("number", ["INF", "-INF"])
def test_infinity_is_read_back(number: str) -> None:
    assert parse_formatted(format_number(number, "fr"), "fr") == number


def test_commas_are_removed_in_any_other_language():
    assert parse_formatted("1,234\u066b5", "fa") == "1234.5"


@given(st.text(alphabet="0123456789.-+eE ,\u2212", max_size=40), st.sampled_from(LANGUAGES))
def test_no_text_fails(text, language):
    format_number(text, language)
    format_exactly(text, language)


def test_a_million_digits_are_a_number():
    assert format_number("1" * 1_000_000, "en") == "\u221e"
    assert len(format_number("0." + "1" * 1_000_000, "en")) < 1000
