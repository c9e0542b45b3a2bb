from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.site import Site
from wikiapi.testing import DeclaredFile, ask

pytestmark = pytest.mark.wiki(
    {"Main Page": ""}, files=[DeclaredFile("Photo.png", 400, 200)], writable=False
)


def html_of(site: Site, *lines: str) -> str:
    text = "\n".join(("<imagemap>", *lines, "</imagemap>"))
    params = {"action": "parse", "text": text, "contentmodel": "wikitext", "prop": "text"}
    html = ask(site, params | {"disablelimitreport": "1"}).data["parse"]["text"]
    assert isinstance(html, str)
    return html


def test_areas_shrink_with_the_picture(site: Site) -> None:
    html = html_of(
        site, "File:Photo.png|200px", "# a comment", "rect 10 20 31 -30 [[Main Page|Home]]"
    )
    assert 'shape="rect" coords="5,10,16,-15" alt="Home" title="Home"' in html
    assert 'usemap="#ImageMap_' in html


def test_addresses(site: Site) -> None:
    html = html_of(site, "File:Photo.png", "circle 1 2 3 [https://x.example/?a=b&c Out]")
    assert 'href="https://x.example/?a=b&amp;c"' in html


def test_default_address(site: Site) -> None:
    html = html_of(site, "File:Photo.png", "default [https://x.example/?a&b]")
    tip = 'title="https://x.example/?a&amp;b"'
    assert f'<a rel="nofollow" href="https://x.example/?a&amp;b" class="plainlinks" {tip}>' in html


def test_a_picture_in_a_line_has_its_tooltip_as_caption(site: Site) -> None:
    html = html_of(site, "File:Photo.png|link=|A ''caption'' & more")
    assert '<span title="A caption &amp; more"><img alt="A caption &amp; more" ' in html
    assert "<figcaption>A caption &amp; more</figcaption>" in html
    html = html_of(site, "File:Photo.png|A caption")
    assert '<span><img alt="A caption" ' in html
    assert "<figcaption>A caption</figcaption>" in html


def test_links_to_pages_of_this_wiki_alone_are_noted(make_site: Callable[..., Site]) -> None:
    site = make_site(
        {"Main Page": ""},
        files=[DeclaredFile("Photo.png", 400, 200)],
        interwiki={"de": "https://de.wiki.example/wiki/$1"},
    )
    targets = ("Main Page", "de:Seite", "Special:Version", "Media:Sound.ogg", "#a")
    lines = [f"circle 1 2 3 [[{target}]]" for target in targets]
    text = "\n".join(["<imagemap>", "File:Photo.png", *lines, "</imagemap>"])
    output = site.parser.parse(text, site.titles.parse("Page"))
    assert [title.text for title in output.links.values()] == ["Main Page"]
    assert list(output.images) == ["Photo.png", "Sound.ogg"]
    assert output.interwiki_links == {}


def test_texts_of_any_kind(site: Site) -> None:
    html = html_of(site, 'File:Photo.png|alt=a > "b"|class=x', "desc none")
    assert 'typeof="mw:File"' in html
    assert 'class="mw-default-size x noresize"' in html
    assert html.count("<img") == 1


def test_default_and_caption(site: Site) -> None:
    html = html_of(site, "File:Photo.png|thumb|A ''caption''", 'default [[Main Page|"><b>]]')
    assert "<figcaption>A <i>caption</i></figcaption>" in html
    assert "<b>" not in html
    assert html.count("<a ") == 1


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["Main Page"], "Must specify an image"),
        (["File:Missing.png"], "Image is invalid or non-existent"),
        (["File:Photo.png", "rect 1 2 3 4"], "No valid link was found at the end of line 3"),
        (["File:Photo.png", "rect 1 2 3 [[A]]"], "The shape in line 3 lacks coordinates"),
        (["File:Photo.png", "circle 1 2 x [[A]]"], "A coordinate in line 3 is not a number"),
        (["File:Photo.png", "poly 1 2 3 [[A]]"], "The polygon in line 3 has an odd number"),
        (["File:Photo.png", "star 1 2 3 [[A]]"], "Line 3 does not begin with one of the shapes"),
        (
            ["File:Photo.png", "default [javascript:alert(1) x]"],
            "No valid link was found at the end of line 3",
        ),
        (["File:Photo.png", "desc <b>"], "Invalid desc"),
    ],
)
def test_mistakes(site: Site, lines: list[str], error: str) -> None:
    html = html_of(site, *lines)
    assert f'<p class="error">Error: {error}' in html
