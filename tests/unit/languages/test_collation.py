"""Sort keys and headings are those of MediaWiki, which made the cases with PHP's ICU 72."""

from __future__ import annotations

import sys
import unicodedata
from itertools import groupby
from typing import Any

import pytest

from tests.cases import cases
from tests.icu import needs_icu
from wikiapi.errors import CollationUnavailable, ConfigError
from wikiapi.languages.collation import Collation, collation

MISSING = "site.category_collation is 'uca-sv': sort keys need PyICU"


def made(case: dict[str, Any]) -> list[list[str]]:
    order = collation(case["collation"], case["language"])
    # The message for them has the digits of the language.
    numerals = [heading for *_, heading in case["members"] if Collation.NUMERALS[1] in heading]
    return [
        [text, order.key(text).hex(), numerals[0] if heading == Collation.NUMERALS else heading]
        for text, *_ in case["members"]
        for heading in [order.heading(text)]
    ]


@pytest.mark.parametrize("case", cases("language_facts/collations.json"))
def test_members(case: dict[str, Any]) -> None:
    if case["collation"].startswith("uca-"):
        pytest.importorskip("icu")
    assert made(case) == case["members"]


def test_the_prefix_precedes_the_title() -> None:
    order = collation("uppercase", "en")
    assert order.member_key("Delta", "Zzz") == b"ZZZ\nDELTA"
    assert order.member_key("Delta", "a\tb\nc") == b"A B C\nDELTA"
    assert order.member_key("Delta") == b"DELTA"
    assert order.member_heading("Delta", "zzz") == "Z"


@pytest.mark.parametrize("name", ["uppercase", "identity", "numeric"])
def test_keys_are_cut_to_the_size_of_the_column(name: str) -> None:
    assert len(collation(name, "en").member_key("Ü1" * 200)) == 230


@pytest.mark.parametrize("name", ["uppercase", "identity", "numeric", "uca-default-u-kn"])
@pytest.mark.parametrize("text", ["", "a\ud800b", "a\0b", "\U0010ffff", "\u0378", "\u0301", "\n"])
def test_every_text_has_a_key_and_a_heading(name: str, text: str) -> None:
    if name.startswith("uca-"):
        pytest.importorskip("icu")
    order = collation(name, "en")
    assert isinstance(order.key(text), bytes)
    assert isinstance(order.heading(text), str)


@needs_icu
def test_headings_follow_the_order_of_keys() -> None:
    order = collation("uca-cs", "cs")
    texts = [chr(code) for code in range(0x20, 0x500) if unicodedata.category(chr(code))[0] == "L"]
    headings = [order.heading(text) for text in sorted(texts, key=order.key)]
    assert len(list(groupby(headings))) == len(set(headings))


@needs_icu
def test_the_version_of_icu_is_part_of_the_version() -> None:
    assert collation("uca-sv", "sv").version.startswith("uca-sv ICU ")
    assert collation("numeric", "sv").version == "numeric"


def test_without_icu_there_are_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "icu", None)
    order = type(collation("uca-sv", "en"))("uca-sv", "en")
    with pytest.raises(CollationUnavailable, match=MISSING):
        order.check()
    assert issubclass(CollationUnavailable, ConfigError)
    # Capital letters stand in for the headings.
    assert [order.heading(text) for text in ("öl", "")] == ["Ö", ""]
