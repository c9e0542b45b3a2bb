from __future__ import annotations

import pytest

from wikiapi.languages.variants import LONGEST_KEY, ConversionTable, LanguageConverter, Variant


@pytest.mark.parametrize(
    ("text", "converted"),
    [
        ("", ""),
        ("a", "1"),
        ("ab", "2"),
        ("abc", "23"),
        ("xxabxx", "xx2xx"),
        ("aab", "12"),
        ("c", "3"),
        ("none", "none"),
    ],
)
def test_longest_text_is_replaced(text: str, converted: str) -> None:
    table = ConversionTable({"a": "1", "ab": "2", "c": "3", "abcd": "4"})
    assert table.convert(text) == converted


def test_replacement_is_not_replaced_again() -> None:
    assert ConversionTable({"a": "b", "b": "a"}).convert("aab") == "bba"


def test_copy_leaves_the_table_alone() -> None:
    table = ConversionTable({"a": "1"})
    copy = table.copy()
    copy.add("ab", "2")
    copy.remove("a")
    assert copy.convert("aab") == "a2"
    assert table.convert("aab") == "11b"


@pytest.mark.parametrize("source", ["", "a" * (LONGEST_KEY + 1)])
def test_keys_of_no_use_are_ignored(source: str) -> None:
    table = ConversionTable({source: "b"})
    assert len(table) == 0
    assert table.convert("a" * 300) == "a" * 300


CONVERTER = LanguageConverter(
    "xx",
    (Variant("xx", "both"), Variant("xx-latn", "Latin"), Variant("zh-tw", "Taiwan")),
    pairs=lambda code: {"я": "ja"} if code == "xx-latn" else {},
    is_written_in=lambda text, code: code == "xx-latn" and "č" in text,
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("xx", "xx"),
        ("XX-Latn", "xx-latn"),
        ("zh-Hant-TW", "zh-tw"),
        ("zh-hk", None),
        ("", None),
    ],
)
def test_find(text: str, code: str | None) -> None:
    assert CONVERTER.find(text) == code


def test_text_in_the_variant_is_left_alone() -> None:
    assert CONVERTER.convert("я", "xx-latn") == "ja"
    assert CONVERTER.convert("яč", "xx-latn") == "яč"
    assert CONVERTER.translate("яč", "xx-latn") == "jač"


def test_all_variants() -> None:
    assert CONVERTER.convert_to_all("я") == {"xx": "я", "xx-latn": "ja", "zh-tw": "я"}
