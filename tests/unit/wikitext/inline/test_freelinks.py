"""Addresses in running text are found between links and tags, and nowhere else."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wikiapi.site import Site
from wikiapi.wikitext.inline.freelinks import link_free_urls
from wikiapi.wikitext.protocols import USUAL_PROTOCOLS
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.syntax import FIRST_CHARACTER, URL_CHARACTERS

PIECES = st.sampled_from(
    ["http://a.b", "mailto:x", "x", "é", " ", ":", "<", ">", "<b>", "<a ", "</a>", "[", "]", "//a"]
)
ONE_PATTERN = re.compile(
    r"(<a[ \t\r\n>][^<]*(?:<(?!/a>|a[ \t\r\n>])[^<]*)*</a>|<[^<>]*>)|\b(?<!\w)"
    rf"({USUAL_PROTOCOLS.named}{FIRST_CHARACTER}{URL_CHARACTERS}*)"
)


def new_state(site: Site) -> ParseState:
    parser = site.parser
    return parser.new_state(site.titles.parse("Test"))


@given(st.lists(PIECES, max_size=20).map("".join))
@example("<a http://a.b<a </a>")
def test_addresses_are_those_that_one_pattern_finds(site: Site, text: str) -> None:
    addresses = [match[2] for match in ONE_PATTERN.finditer(text) if match[2]]
    html = link_free_urls(text, new_state(site))
    assert html.count('class="external free"') == len(addresses)


@pytest.mark.parametrize(
    "text",
    [
        '<a href="x">http://a.org</a>',
        '<b title="http://a.org">',
        "xhttp://a.org",
        "éhttp://a.org",
        "http:// a.org",
        "<!--http://a.org-->",
    ],
)
def test_these_stay_as_they_are(site: Site, text: str) -> None:
    assert link_free_urls(text, new_state(site)) == text


def test_addresses_are_linked_in_place_and_noted_in_their_order(site: Site) -> None:
    state = new_state(site)
    html = link_free_urls("a http://b.org, <b>http://c.org</b> : http://d.org <", state)
    links = re.findall(r"<a [^>]*>([^<]*)</a>", html)
    assert links == [f"http&#58;//{name}.org" for name in "bcd"]
    assert re.sub(r"<a .*?</a>", "@", html) == "a @, <b>@</b> : @ <"
    assert list(state.output.external_links) == [f"http://{name}.org" for name in "bcd"]
