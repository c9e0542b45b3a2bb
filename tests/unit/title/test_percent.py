"""Percent-encoding gives what urllib gives, run by run instead of byte by byte."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.title.percent import percent_encoder, quote_title

SAFE = "!$()*,/:;@~-._"


@given(st.text(st.characters(codec="utf-8")))
def test_names_are_quoted_as_urllib_does(text: str) -> None:
    assert quote_title(text) == quote(text, safe=SAFE)


@given(st.text(st.characters(max_codepoint=0x17F)), st.text("]^\\-[*.:~%"))
def test_any_characters_may_be_exempt(text: str, safe: str) -> None:
    assert percent_encoder(safe)(text) == quote(text, safe=safe)


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        quote_title("a\ud800")
