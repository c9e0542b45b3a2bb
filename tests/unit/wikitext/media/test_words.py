from __future__ import annotations

import pytest

from wikiapi.languages.language import MagicWord
from wikiapi.languages.magicwords import MagicWords
from wikiapi.wikitext.media.words import MediaWords, NamedOption

ALL = ("img_thumbnail", "img_manualthumb", "img_alt", "img_upright", "img_width", "img_page")


@pytest.fixture(scope="module")
def words() -> MediaWords:
    return MediaWords(MagicWords("en"))


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("thumb", NamedOption("img_thumbnail", None)),
        ("thumbnail", NamedOption("img_thumbnail", None)),
        ("Thumb", None),
        ("thumb=", NamedOption("img_manualthumb", "")),
        ("thumb=a.png", NamedOption("img_manualthumb", "a.png")),
        ("upright", NamedOption("img_upright", None)),
        ("upright 2", NamedOption("img_upright", "2")),
        ("20px", NamedOption("img_width", "20")),
        ("px", NamedOption("img_width", "")),
        ("alt=20px", NamedOption("img_alt", "20px")),
        ("alt=a\nb", None),
        ("page 3", NamedOption("img_page", "3")),
        ("left", None),
        ("", None),
    ],
)
def test_find(words: MediaWords, text: str, option: NamedOption | None) -> None:
    assert words.find(text, ALL) == option


def test_only_possible_options_are_found(words: MediaWords) -> None:
    assert words.find("20px", ("img_alt",)) is None
    assert words.find("thumb", ("img_alt",)) is None


def test_other_languages_know_the_english_words() -> None:
    words = MediaWords(MagicWords("fr"))
    assert (
        words.find("thumb", ALL)
        == words.find("vignette", ALL)
        == NamedOption("img_thumbnail", None)
    )


def test_a_value_does_not_overlap_its_marks() -> None:
    words = MediaWords({"img_size": MagicWord(True, ("x$1x",))})
    assert words.find("x", ("img_size",)) is None
    assert words.find("xx", ("img_size",)) == NamedOption("img_size", "")
