"""Images, links to files and galleries, as data: cases like those of ``test_golden.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import golden
from wikiapi.site import Site
from wikiapi.testing import DeclaredFile
from wikiapi.wikitext.options import ParserOptions

CASES = golden(Path(__file__).parent / "media")
OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
PAGES = {
    "Page": "the page",
    "Template:Option": "{{{1}}}",
    "Template:Boxes": "<gallery>\nWide.jpg|{{{1}}}\n</gallery>",
    "File:Way.jpg": "#REDIRECT [[File:Wide.jpg]]",
    "File:Lost way.jpg": "#REDIRECT [[File:Nowhere.jpg]]",
    "MediaWiki:Bad image list": "* [[:File:Bad.jpg]] except on [[:Page]]",
}
FILES = (
    DeclaredFile("Wide.jpg", width=800, height=200, mime="image/jpeg"),
    DeclaredFile("Small.png", width=40, height=60),
    DeclaredFile("Drawing.svg", 100, 50, mime="image/svg+xml", media_type="DRAWING"),
    DeclaredFile("Paper.pdf", 0, 0, mime="application/pdf", media_type="OFFICE"),
    DeclaredFile("Bad.jpg", width=400, height=400, mime="image/jpeg"),
)
INTERWIKI = {"other": "https://other.example/$1"}


pytestmark = pytest.mark.wiki(PAGES, files=FILES, interwiki=INTERWIKI)


def render(site: Site, text: str) -> str:
    return site.parser.parse(text, site.titles.parse("Golden"), OPTIONS).html


@pytest.mark.parametrize(("text", "html"), CASES)
def test_html(site: Site, text: str, html: str) -> None:
    assert render(site, text) == html


@pytest.mark.parametrize(("text", "html"), CASES)
def test_elsewhere(site: Site, text: str, html: str) -> None:
    for around in ("{|\n| %s\n|}", "* %s", "{{Option|1=%s}}", "== %s ==", "[[File:Wide.jpg|%s]]"):
        rendered = render(site, around % text)
        assert "\x7f" not in rendered
        assert "UNIQ" not in rendered
        assert "<script" not in rendered
