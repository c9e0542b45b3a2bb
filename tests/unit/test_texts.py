from __future__ import annotations

import pytest

from wikiapi.texts import counted


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ["page"], "0 pages"),
        (1, ["page"], "1 page"),
        (2, ["page"], "2 pages"),
        (1, ["category is", "categories are"], "1 category is"),
        (2, ["category is", "categories are"], "2 categories are"),
    ],
)
def test_counted(number: int, words: list[str], text: str) -> None:
    assert counted(number, *words) == text
