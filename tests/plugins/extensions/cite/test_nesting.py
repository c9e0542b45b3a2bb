from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi_plugins.extensions.cite.arguments import contains_open_ref

_COMPLETE = re.compile(r"<(\w++)[^>]*>.*?</\1\s*>|<!--.*?-->", re.DOTALL)
_START = re.compile(r"<ref(?:erences)?\b[^>]*>", re.IGNORECASE)
PIECES = ["<ref>", "</ref>", "<ref", "<REF a>", "<references />", "<b>", "</b >", "<b", ">", "a"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", False),
        ("a <ref>b", True),
        ("a <ref name=b />", True),
        ("a <references>", True),
        ("a <referenced>", False),
        ("a <ref", False),
        ("a <ref>b</ref>", False),
        ("<nowiki><ref></nowiki>", False),
        ("<!-- <ref> --> <b>", False),
        ("<!-- <ref>", True),
        ("<b><ref></b> <Ref>", True),
    ],
)
def test_starts_that_are_not_ended(text: str, expected: bool) -> None:
    assert contains_open_ref(text) is expected


@given(st.lists(st.sampled_from([*PIECES, "<!--", "-->"]), max_size=12))
def test_agrees_with_the_plain_rule(pieces: list[str]) -> None:
    text = "|".join(pieces)
    assert contains_open_ref(text) is bool(_START.search(_COMPLETE.sub("", text)))
