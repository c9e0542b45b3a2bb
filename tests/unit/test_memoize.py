"""Results remembered by texts that clients choose."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache
from weakref import ref

import pytest

from wikiapi.http.address import parse_address
from wikiapi.http.compression import choose_coding
from wikiapi.languages.codes import autonym, cldr_locale, is_known_language
from wikiapi.languages.dates import calendar_texts
from wikiapi.languages.direction import direction
from wikiapi.languages.language import language
from wikiapi.languages.numbers import format_number
from wikiapi.memoize import LONGEST, memoize

pytestmark = pytest.mark.slow


def test_a_result_is_made_once() -> None:
    made: list[str] = []

    @memoize(8)
    def double(first: str, second: str) -> str:
        made.append(first)
        return first + second

    assert double("a", "b") == double("a", "b") == "ab"
    assert double("a", "c") == "ac"
    assert made == ["a", "a"]


def test_what_was_made_of_a_long_text_is_not_cached() -> None:
    made: list[str] = []

    @memoize(8)
    def double(text: str) -> str:
        made.append(text)
        return text + text

    assert double("x" * LONGEST) == double("x" * LONGEST)
    assert len(made) == 1
    assert double("y" * (LONGEST + 1)) == double("y" * (LONGEST + 1))
    assert len(made) == 3


@pytest.mark.parametrize(
    "ask",
    [
        autonym,
        calendar_texts,
        choose_coding,
        cldr_locale,
        direction,
        language,
        is_known_language,
        lambda text: format_number("1", text),
        parse_address,
    ],
)
def test_no_long_text_of_a_client_stays(ask: Callable[[str], object]) -> None:
    assert _stays(lru_cache(len), "x" * 10_000), "else the test tells nothing"
    assert not _stays(ask, "de-kept" + "x" * 10_000)


class _Text(str):
    """A text to which weak references can be."""


def _stays(ask: Callable[[str], object], asked: str) -> bool:
    """Return whether the text with which a function was called stays in memory."""
    text = _Text(asked)
    left = ref(text)
    ask(text)
    del text
    gc.collect()
    return left() is not None
