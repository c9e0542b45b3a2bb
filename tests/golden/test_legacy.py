"""The HTML of MediaWiki before 1.41 (images) and 1.44 (headings), as data.

The cases are like those of ``test_golden.py``; MediaWiki 1.39 gives the same HTML for them, but for
the edit links, whose text it does not put into an element of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import DeclaredFile, make_site
from wikiapi.wikitext.options import ParserOptions

CASES = Path(__file__).parent / "legacy"
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


def make(wikitext: Mapping[str, Any], language: str = "") -> Site:
    """Return the wiki on which the cases are rendered."""
    config = {"wikitext": wikitext, "files": {"svg_thumbnails": True}}
    return make_site(PAGES, files=FILES, config=config, language=language)


@pytest.fixture(scope="module")
def legacy() -> Iterator[Site]:
    made = make({"legacy_media": True, "legacy_headings": True})
    yield made
    made.db.close()


@pytest.fixture(scope="module")
def present() -> Iterator[Site]:
    made = make({})
    yield made
    made.db.close()


def golden() -> Iterator[object]:
    for path in sorted(CASES.glob("*.json")):
        for name, (text, html) in json.loads(path.read_text(encoding="utf-8")).items():
            yield pytest.param("\n".join(text), "\n".join(html), id=f"{path.stem}: {name}")


def render(site: Site, text: str, options: ParserOptions = OPTIONS) -> str:
    return site.parser.parse(text, site.titles.parse("Golden"), options).html


@pytest.mark.parametrize(("text", "html"), list(golden()))
def test_html(legacy: Site, text: str, html: str) -> None:
    assert render(legacy, text) == html


@pytest.mark.parametrize(("text", "html"), list(golden()))
def test_parsoids_html_is_that_of_other_wikis(
    legacy: Site, present: Site, text: str, html: str
) -> None:
    options = replace(OPTIONS, parsoid=True)
    assert render(legacy, text, options) == render(present, text, options)


@pytest.mark.parametrize(("text", "html"), list(golden()))
def test_elsewhere(legacy: Site, text: str, html: str) -> None:
    for around in ("{|\n| %s\n|}", "* %s", "== %s ==", "[[File:Wide.jpg|%s]]", "''%s"):
        rendered = render(legacy, around % text)
        assert "\x7f" not in rendered
        assert "UNIQ" not in rendered


def test_thumbnails_are_at_the_end_of_lines() -> None:
    site = make({"legacy_media": True}, language="he")
    html = render(site, "[[File:Wide.jpg|thumb|x]]")
    assert html.startswith('<div class="thumb tleft">')
    site.db.close()


def test_one_form_without_the_other(legacy: Site) -> None:
    text = "== A ==\n[[File:Wide.jpg|thumb|x]]"
    for name in ("legacy_media", "legacy_headings"):
        site = make({name: True})
        html = render(site, text)
        assert ('class="thumbinner"' in html) == (name == "legacy_media")
        assert ('class="mw-headline"' in html) == (name == "legacy_headings")
        site.db.close()


def test_thumbnails_need_no_script(legacy: Site) -> None:
    output = legacy.parser.parse("[[File:Wide.jpg|thumb|x]]", legacy.titles.parse("T"), OPTIONS)
    assert not output.modules


def test_an_id_in_the_wikitext_is_not_that_of_the_section(legacy: Site, present: Site) -> None:
    for site, anchor in ((legacy, "x"), (present, "own")):
        output = site.parser.parse('<h2 id="own">x</h2>', site.titles.parse("T"), OPTIONS)
        assert [section.anchor for section in output.sections] == [anchor]
