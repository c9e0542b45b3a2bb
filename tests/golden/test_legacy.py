"""The HTML of MediaWiki before 1.41 (images) and 1.44 (headings), as data.

The cases are like those of ``test_golden.py``; MediaWiki 1.39 gives the same HTML for them, but for
the edit links, whose text it does not put into an element of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cases import golden
from wikiapi.site import Site
from wikiapi.testing import DeclaredFile
from wikiapi.wikitext.options import ParserOptions

CASES = golden(Path(__file__).parent / "legacy")
OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
PAGES = {
    "File:Way.jpg": "#REDIRECT [[File:Wide.jpg]]",
    "File:Lost way.jpg": "#REDIRECT [[File:Nowhere.jpg]]",
    "MediaWiki:Bad image list": "* [[:File:Bad.jpg]]",
}
FILES = (
    DeclaredFile("Wide.jpg", width=800, height=200, mime="image/jpeg"),
    DeclaredFile("Small.png", width=40, height=60),
    DeclaredFile("Drawing.svg", 100, 50, mime="image/svg+xml", media_type="DRAWING"),
    DeclaredFile("Paper.pdf", 0, 0, mime="application/pdf", media_type="OFFICE"),
    DeclaredFile("Bad.jpg", width=400, height=400, mime="image/jpeg"),
)


def declared(wikitext: Mapping[str, Any]) -> dict[str, Any]:
    """Return the declaration of the wiki on which the cases are rendered."""
    config = {"wikitext": wikitext, "files": {"svg_thumbnails": True}}
    return {"pages": PAGES, "files": FILES, "config": config}


@pytest.fixture(scope="module")
def legacy(make_module_site: Callable[..., Site]) -> Site:
    return make_module_site(**declared({"legacy_media": True, "legacy_headings": True}))


@pytest.fixture(scope="module")
def present(make_module_site: Callable[..., Site]) -> Site:
    return make_module_site(**declared({}))


def render(site: Site, text: str, options: ParserOptions = OPTIONS) -> str:
    return site.parser.parse(text, site.titles.parse("Golden"), options).html


@pytest.mark.parametrize(("text", "html"), CASES)
def test_html(legacy: Site, text: str, html: str) -> None:
    assert render(legacy, text) == html


@pytest.mark.parametrize(("text", "html"), CASES)
def test_parsoids_html_is_that_of_other_wikis(
    legacy: Site, present: Site, text: str, html: str
) -> None:
    options = replace(OPTIONS, parsoid=True)
    assert render(legacy, text, options) == render(present, text, options)


@pytest.mark.parametrize(("text", "html"), CASES)
def test_elsewhere(legacy: Site, text: str, html: str) -> None:
    for around in ("{|\n| %s\n|}", "* %s", "== %s ==", "[[File:Wide.jpg|%s]]", "''%s"):
        rendered = render(legacy, around % text)
        assert "\x7f" not in rendered
        assert "UNIQ" not in rendered


def test_thumbnails_are_at_the_end_of_lines(make_site: Callable[..., Site]) -> None:
    site = make_site(**declared({"legacy_media": True}), language="he")
    html = render(site, "[[File:Wide.jpg|thumb|x]]")
    assert html.startswith('<div class="thumb tleft">')


def test_one_form_without_the_other(make_site: Callable[..., Site]) -> None:
    text = "== A ==\n[[File:Wide.jpg|thumb|x]]"
    for name in ("legacy_media", "legacy_headings"):
        html = render(make_site(**declared({name: True})), text)
        assert ('class="thumbinner"' in html) == (name == "legacy_media")
        assert ('class="mw-headline"' in html) == (name == "legacy_headings")


def test_thumbnails_need_no_script(legacy: Site) -> None:
    output = legacy.parser.parse("[[File:Wide.jpg|thumb|x]]", legacy.titles.parse("T"), OPTIONS)
    assert not output.modules


def test_an_id_in_the_wikitext_is_not_that_of_the_section(legacy: Site, present: Site) -> None:
    for site, anchor in ((legacy, "x"), (present, "own")):
        output = site.parser.parse('<h2 id="own">x</h2>', site.titles.parse("T"), OPTIONS)
        assert [section.anchor for section in output.sections] == [anchor]
