from __future__ import annotations

import re

import pytest

from wikiapi_plugins.query.search.search import snippet, word_count

LOREM = re.compile(r"\blorem\b", re.IGNORECASE)


def marked(text: str) -> str:
    return text.replace("[", '<span class="searchmatch">').replace("]", "</span>")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no such word", ""),
        ("a Lorem b", "a [Lorem] b\n"),
        ("lorem\nother\nlorem lorem\nlorem", "[lorem]\n[lorem] [lorem]\n"),
        ("<b>lorem</b> & 'it'", "&lt;b&gt;[lorem]&lt;/b&gt; &amp; &#039;it&#039;\n"),
        ("x" * 80 + " lorem " + "y" * 80, "..." + "x" * 74 + " [lorem] " + "y" * 75 + "\n"),
        ("x" * 77 + " lorem", "x" * 77 + " [lorem]\n"),
        ("é" * 50 + " lorem " + "é" * 50, "é" * 50 + " [lorem] " + "é" * 50 + "\n"),
        ("é" * 80 + " lorem " + "é" * 80, "..." + "é" * 74 + " [lorem] " + "é" * 75 + "\n"),
        ("lorem at the end    ", "[lorem] at the end    \n"),
        ("loremipsum lorem", "loremipsum [lorem]\n"),
    ],
)
def test_snippet(text: str, shown: str) -> None:
    assert snippet(text, LOREM) == marked(shown)


def test_without_terms_nothing_is_shown() -> None:
    assert snippet("text", None) == ""


def test_markup_in_the_text_stays_text() -> None:
    assert "<script>" not in snippet("lorem <script>alert(1)</script>", LOREM)


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("one two", 2), ("don't re-do", 2), ("a1b", 2), ("-- x -- y", 3)]
)
def test_word_count(text: str, count: int) -> None:
    assert word_count(text) == count
