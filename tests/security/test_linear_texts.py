"""Rows 44, 45 and 47 of the hostile inputs: texts that took the square of their length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.security.growth import Stopwatch
from wikiapi.testing import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wikiapi.site import Site

PATIENCE = 60.0
SIZE, LARGEST = 2_000, 60_000


def is_linear(site: Site, make: Callable[[int], Mapping[str, Any]]) -> bool:
    with Stopwatch(PATIENCE) as watch:
        return watch.growth(lambda params: ask(site, params), make, SIZE, LARGEST) == []


def parsing(text: str) -> dict[str, Any]:
    return {"action": "parse", "title": "X", "contentmodel": "wikitext", "text": text}


@pytest.mark.parametrize(
    "make",
    [
        lambda size: parsing("<" + "a" * size),
        lambda size: parsing("==<" + "a" * size + "=="),
        lambda size: parsing("{{DISPLAYTITLE:<" + "a" * size + "}}"),
        lambda size: {"action": "parse", "section": "new", "sectiontitle": "<" + "a" * size},
    ],
    ids=["text", "heading", "display title", "section title"],
)
def test_row_44_a_long_word_behind_a_bracket(
    make_site: Callable[..., Site], make: Callable[[int], Mapping[str, Any]]
) -> None:
    assert is_linear(make_site(), make)


def test_row_45_a_poem_of_unclosed_tags(make_site: Callable[..., Site]) -> None:
    poem = "<poem>{}</poem>".format
    assert is_linear(make_site(), lambda size: parsing(poem("<nowiki>" * (size // 8))))


@pytest.mark.parametrize(
    "call", ["{{{{#coordinates:1{}x|2}}}}", "{{{{filepath:A.png|1{}x}}}}", "a{}b"]
)
def test_row_47_runs_of_blanks(make_site: Callable[..., Site], call: str) -> None:
    assert is_linear(make_site(), lambda size: parsing(call.format(" " * size)))
