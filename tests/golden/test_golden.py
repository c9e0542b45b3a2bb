"""Every construct, as data: see README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import golden
from wikiapi.testing import DeclaredFile
from wikiapi.wikitext.options import ParserOptions

CASES = golden(Path(__file__).parent)
OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
PAGES = {
    "Page": "the page",
    "Moved": "#REDIRECT [[Page]]",
    "Help:Page": "help",
    "Category:A": "a category",
    "Template:Hello": "hello",
    "Template:Greet": "hello, {{{1|world}}}!",
    "Template:Old greet": "#REDIRECT [[Template:Greet]]",
    "Template:Loop": "a {{Loop}} b",
    "Template:Parts": "<noinclude>no</noinclude><includeonly>yes</includeonly>",
    "Template:Bullets": "* a\n* b",
    "Template:Section": "== a ==",
}
FILES = [DeclaredFile("Wide.jpg", width=800, height=200, mime="image/jpeg")]
INTERWIKI = {
    "de": "https://de.wiki.example/wiki/$1",
    "other": "https://other.example/$1",
}


pytestmark = pytest.mark.wiki(
    PAGES, config={"site": {"main_subpages": True}}, interwiki=INTERWIKI, files=FILES
)


def render(site, text):
    return site.parser.parse(text, site.titles.parse("Golden"), OPTIONS).html


@pytest.mark.parametrize(("text", "html"), CASES)
def test_html(site, text, html):
    assert render(site, text) == html
    assert render(site, text) == html


@pytest.mark.parametrize(("text", "html"), CASES)
def test_elsewhere(site, text, html):
    for around in ("{|\n| %s\n|}", "* %s", "<div>%s</div>", "{{Greet|1=%s}}", "== %s =="):
        rendered = render(site, around % text)
        assert "\x7f" not in rendered
        assert "<script" not in rendered
