"""Escapes in inline styles."""

from __future__ import annotations

import pytest

from wikiapi.wikitext.html.css import INVALID_CONTROL, check_css


@pytest.mark.parametrize("escape", ["\\666666", "\\110000", "\\d800", "\\0"])
def test_an_escape_of_no_character_is_refused(escape: str) -> None:
    assert check_css(f"color: {escape}") == INVALID_CONTROL


def test_other_escapes_are_decoded() -> None:
    assert check_css("\\63olor: red") == "color: red"
