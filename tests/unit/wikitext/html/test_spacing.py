"""Spaces that must not break are found without taking the text apart at its tags."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.wikitext.html.spacing import armour_french_spaces

TEXTS = {
    "Quoi ?": "Quoi&#160;?",
    "« a »": "«&#160;a&#160;»",
    "‹ a › b": "‹&#160;a&#160;› b",
    "a :b": "a :b",
    "«  ;": "«&#160;&#160;;",
    '<i style="color :red">a :</i> ;': '<i style="color :red">a&#160;:</i>&#160;;',
    "a < b ; c > d ;": "a < b ; c > d&#160;;",
    "a < b ;": "a < b&#160;;",
    "a > b ;<": "a > b&#160;;<",
    "red !important ;": "red !important&#160;;",
}
PIECES = st.sampled_from([" ", ";", "!", "«", "<", ">", "a", "important", "&#160;", "<b c ;>"])


@pytest.mark.parametrize("text", TEXTS)
def test_spaces_of_french_do_not_break(text: str) -> None:
    assert armour_french_spaces(text) == TEXTS[text]


@given(st.lists(PIECES, max_size=20).map("".join))
def test_tags_are_left_alone(text: str) -> None:
    assert armour_french_spaces(text) == taken_apart(text)


def taken_apart(text: str) -> str:
    """Return the same from a list of all tags and the texts between them."""
    before, after = re.compile(r" (?=[?:;!%»›](?!\w))"), re.compile(r"([«‹]) ")
    if not before.search(text) and not after.search(text):
        return text
    pieces = re.split(r"(<[^<>]*>)", text)
    pieces[::2] = [after.sub(r"\1&#160;", before.sub("&#160;", piece)) for piece in pieces[::2]]
    return re.sub(r"&#160;(!\s*important)", r" \1", "".join(pieces))
