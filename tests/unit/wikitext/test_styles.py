"""Style sheets that come more than once."""

from __future__ import annotations

from wikiapi.wikitext.parser import deduplicate_styles

_A = '<style data-mw-deduplicate="k1">.a{}</style>'
_B = '<style type="text/css" data-mw-deduplicate="k2">.b{}</style>'


def test_repeated_styles_refer_to_the_first():
    link = '<link rel="mw-deduplicated-inline-style" href="mw-data:k1" />'
    assert deduplicate_styles(f"{_A}x{_A}y{_B}{_A}") == f"{_A}x{link}y{_B}{link}"


def test_other_styles_stay():
    text = "<style>.a{}</style>" * 2
    assert deduplicate_styles(text) == text
