"""Plain text written so that nothing in it is markup."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiapi.config import WikitextConfig
from wikiapi.title.references import decode_references
from wikiapi.wikitext.expand.escape import escape_wikitext
from wikiapi.wikitext.inline.linkrules import LinkRules

RULES = LinkRules(WikitextConfig())


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
    assert escape_wikitext(text, RULES) == escaped


@pytest.mark.parametrize(
    ("settings_of_wiki", "text", "escaped"),
    [
        (WikitextConfig(magic_links=("RFC",)), "RFC 1 PMID 2 rfc 3", "RFC&#32;1 PMID 2 rfc 3"),
        (WikitextConfig(add_protocols=("steam:",)), "Steam:x", "Steam&#58;x"),
        (WikitextConfig(remove_protocols=("tel:",)), "tel:1 sms:1", "tel:1 sms&#58;1"),
    ],
)
def test_links_that_settings_make_are_escaped(settings_of_wiki, text, escaped):
    assert escape_wikitext(text, LinkRules(settings_of_wiki)) == escaped


@given(st.text(alphabet="ab'[]{}|=<>\n*#:; _~-!&\"/h", max_size=40))
@settings(max_examples=300, deadline=None)
def test_what_is_escaped_reads_the_same(text):
    escaped = escape_wikitext(text, RULES)
    assert decode_references(escaped) == decode_references(text.replace("&", "&#38;"))
    assert not set("'[]{}|=<>") & set(escaped)
