from __future__ import annotations

import pytest

from wikiapi.wikitext.media.words import Found, MediaWords

ALL = ("img_thumbnail", "img_manualthumb", "img_alt", "img_upright", "img_width", "img_page")


@pytest.fixture(scope="module")
def words() -> MediaWords:
    return MediaWords.load("en")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("thumb", Found("img_thumbnail", None)),
        ("thumbnail", Found("img_thumbnail", None)),
        ("Thumb", None),
        ("thumb=", Found("img_manualthumb", "")),
        ("thumb=a.png", Found("img_manualthumb", "a.png")),
        ("upright", Found("img_upright", None)),
        ("upright 2", Found("img_upright", "2")),
        ("20px", Found("img_width", "20")),
        ("px", Found("img_width", "")),
        ("alt=20px", Found("img_alt", "20px")),
        ("alt=a\nb", None),
        ("page 3", Found("img_page", "3")),
        ("left", None),
        ("", None),
    ],
)
def test_find(words: MediaWords, text: str, found: Found | None) -> None:
    assert words.find(text, ALL) == found


def test_only_possible_options_are_found(words: MediaWords) -> None:
    assert words.find("20px", ("img_alt",)) is None
    assert words.find("thumb", ("img_alt",)) is None


def test_other_languages_know_the_english_words() -> None:
    assert MediaWords.load("xx-none").find("thumb", ALL) == Found("img_thumbnail", None)


def test_a_value_does_not_overlap_its_marks() -> None:
    words = MediaWords({"size": ["x$1x"]})
    assert words.find("x", ("size",)) is None
    assert words.find("xx", ("size",)) == Found("size", "")
