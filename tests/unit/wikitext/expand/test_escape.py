"""Plain text written so that nothing in it is markup."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiapi.title.references import decode_references
from wikiapi.wikitext.expand.escape import escape_wikitext


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b: c", "a_b: c"),
        ("*a\n#b\n:c\n d", "&#42;a\n&#35;b\n&#58;c\n&#32;d"),
        ("{{a|b=c}}", "&#123;&#123;a&#124;b&#61;c&#125;&#125;"),
        ("__TOC__", "_&#95;TOC_&#95;"),
        ("http://a mailto:b", "http&#58;//a mailto&#58;b"),
        ("~~~~ ----\n----", "~~&#126;~ ----\n&#45;---"),
        ("!a !! b", "&#33;a &#33;! b"),
    ],
)
def test_escape(text, escaped):
    assert escape_wikitext(text) == escaped


@given(st.text(alphabet="ab'[]{}|=<>\n*#:; _~-!&\"/h", max_size=40))
@settings(max_examples=300, deadline=None)
def test_what_is_escaped_reads_the_same(text):
    escaped = escape_wikitext(text)
    assert decode_references(escaped) == decode_references(text.replace("&", "&#38;"))
    assert not set("'[]{}|=<>") & set(escaped)
