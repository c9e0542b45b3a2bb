"""What footnotes withstand: work grows with the text, and no faster."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType

import pytest

from wikiapi.site import Site
from wikiapi.wikitext.options import ParserOptions
from wikiapi_plugins.extensions.cite.arguments import contains_open_ref

OPTIONS = ParserOptions(limit_report=False)
SIZE = 100
GROWTH = 2.3
"""How much more work a text twice as long may be."""
HOSTILE: dict[str, Callable[[int], str]] = {
    "footnotes": lambda n: "<ref>x</ref>" * n,
    "uses of a name": lambda n: "<ref name=a>x</ref>" * n,
    "contradictions": lambda n: f"<ref name=a>{'x' * n}</ref>" + "<ref name=a>y</ref>" * n,
    "groups": lambda n: "".join(f"<ref group=g{i}>x</ref>" for i in range(n)),
    "lists": lambda n: "<ref>x</ref><references />" * n,
    "follow": lambda n: "<ref name=a>x</ref>" + "<ref follow=a>x</ref>" * n,
    "loose": lambda n: "".join(f"<ref follow=a{i}>x</ref>" for i in range(n)),
    "nested": lambda n: "{{#tag:ref|a" * 20 + "b" + "}}" * 20 + "c" * n,
    "taken back": lambda n: "{{#tag:references|" + "<ref>x</ref>" * n + "}}",
    "problems of a list": lambda n: "<references>" + "<ref>x</ref>" * n + "</references>",
    "forgotten ends": lambda n: "<ref><b>" * n + "</ref>",
}


pytestmark = pytest.mark.wiki({"Loop": "x"}, config={"limits": {"template_cache_bytes": 0}})


def work(site: Site, text: str) -> int:
    """Return how many function calls a rendering makes, including those of the interpreter."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    title = site.titles.parse("Test")
    sys.setprofile(note)
    try:
        site.parser.parse(text, title)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_with_the_text(site: Site, name: str) -> None:
    make = HOSTILE[name]
    work(site, make(SIZE))
    once, twice = work(site, make(SIZE)), work(site, make(2 * SIZE))
    assert twice <= GROWTH * once


@pytest.mark.parametrize(
    "piece", ["<a", "<a>", "<!--", "<ref", "</ref", "</ref ", "<a><ref", "<!-- <a"]
)
def test_long_texts_are_read_once(piece: str) -> None:
    contains_open_ref("<ref" + piece * 200_000)


def test_footnotes_that_include_themselves_end(make_site: Callable[..., Site]) -> None:
    site = make_site({"Template:Loop": "<ref>{{Loop}}</ref>{{#tag:ref|{{Loop}}}}"})
    html = site.parser.parse("{{Loop}}", site.titles.parse("A"), OPTIONS).html
    assert "Unstrip" not in html
    assert html.count("<li ") <= 4


def test_names_cannot_break_out_of_attributes(site: Site) -> None:
    name = "&quot; onclick=&quot;alert(1)"
    text = f'<ref name="{name}" group="{name}">x</ref>\n<references group="{name}" />'
    html = site.parser.parse(text, site.titles.parse("A"), OPTIONS).html
    assert html.count("onclick=") == 6
    assert not re.search(r'<[^<>]*" onclick', html)
