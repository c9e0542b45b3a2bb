"""What is derived from answers of MediaWiki about its languages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.reference import record_languages as recording


@pytest.fixture
def sections() -> dict[str, Any]:
    """Return what is derived for four languages, two of which fall back to each other."""
    english = _facts({"if": [0, "if"], "time": [0, "time"], "toc": [0, "TOC"]})
    listed = {
        "en": {**english, "fallback": []},
        "fr": {
            "fallback": ["en"],
            "namespaces": {"2": "Utilisateur"},
            "aliases": [[2, "Utilisatrice"]],
        },
        "xa": {"fallback": ["xb", "en"], "mainpage": "Alpha"},
        "xb": {"fallback": ["xa", "en"], "mainpage": "Beta"},
    }
    words = {"time": [0, "tempo", "time"], "if": [0, "if"], "toc": [0, "TOX", "TOC"]}
    answers = {
        "en": _answer(english),
        "fr": _answer({**english, "namespaces": {**_NAMES, "2": "Membre"}}, eva="Utilisatrice"),
        "xb": _answer({**_facts(words), "mainpage": "Older", "fallback": ["en"]}),
    }
    return recording.Additions(listed, answers).sections()


_NAMES = {"2": "User", "3": "User talk", "5": "Babelwiki talk"}


def _facts(words: dict[str, list[object]]) -> recording.Facts:
    return {
        "mainpage": "Main Page",
        "aliases": [],
        "namespaces": _NAMES,
        "magic": words,
        "special": {},
    }


def _answer(facts: recording.Facts, eva: str = "") -> recording.Answer:
    talks = {name: f"{name} talk" for name in recording.SITE_NAMES}
    user = facts["namespaces"]["2"]
    titles = {"User:Adam": f"{user}:Adam", "User:Eva": f"{eva or user}:Eva"}
    return recording.Answer(facts, titles, talks, "now")


def test_facts_of_a_circle_come_from_the_answer_unless_the_file_has_them(
    sections: dict[str, Any],
) -> None:
    words = {"time": [0, "tempo", "time"], "toc": [0, "TOX", "TOC"]}
    assert sections["facts"] == {
        "xa": {"fallback": ["xb", "en"], "base": "xb", "mainpage": "Alpha"},
        "xb": {"fallback": ["xa", "en"], "base": "en", "mainpage": "Beta", "magic": words},
    }


def test_a_language_without_an_answer_has_a_stand_in(
    sections: dict[str, Any],
) -> None:
    assert sections["stand_ins"] == {"xa": "xb"}
    assert sections["unknown"] == ["xa"]


def test_names_for_genders_are_beside_the_usual_name_of_the_newer_version(
    sections: dict[str, Any],
) -> None:
    names = {"male": "Utilisateur", "female": "Utilisatrice"}
    assert sections["genders"] == {"fr": {"2": names}}


def test_an_english_word_among_the_own_ones_has_a_place(
    sections: dict[str, Any],
) -> None:
    assert sections["magic_order"] == {"xb": [("if", "time")]}


@pytest.mark.parametrize(
    ("words", "older", "newer", "updated"),
    [
        ([0, "#SPRACHE:", "#LANG:"], [0, "#LANG:"], [0, "#LANG"], [0, "#SPRACHE", "#LANG"]),
        ([0, "NR:", "NS:"], [0, "NS:"], [0, "NS:"], [0, "NR:", "NS:"]),
        (
            ["Vers", "Version"],
            ["Version"],
            ["Version", "Versions"],
            ["Vers", "Version", "Versions"],
        ),
    ],
)
def test_english_words_are_those_of_the_newer_version(
    words: list[object], older: list[object], newer: list[object], updated: list[object]
) -> None:
    assert recording.updated_words(words, older, newer) == updated


def test_a_word_of_another_list_follows_the_one_before_it_there() -> None:
    assert recording.placed(["a", "d"], ["x", "a", "b", "c", "d"]) == ["x", "a", "b", "c", "d"]


def test_the_file_is_what_its_sections_make() -> None:
    text = recording.ADDITIONS.read_text("utf-8")
    assert recording.as_text(json.loads(text)) == text
