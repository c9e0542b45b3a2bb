"""What a gallery brings besides its HTML, which the golden cases show."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import DeclaredFile
from wikiapi.wikitext.options import ParserOptions
from wikiapi_plugins.wikitext.tags.gallery_modes import MODES, STYLES, TRADITIONAL, pixels

OPTIONS = ParserOptions(limit_report=False, wrapper_class="")

pytestmark = pytest.mark.wiki(files=[DeclaredFile("A.png", width=100, height=300)])


@pytest.fixture
def parse(site: Site) -> Any:
    return lambda text: site.parser.parse(text, site.titles.parse("T"), OPTIONS)


@pytest.mark.parametrize(
    ("mode", "modules"),
    [
        ("traditional", []),
        ("nolines", []),
        ("packed", ["mediawiki.page.gallery"]),
        ("packed-hover", ["mediawiki.page.gallery"]),
        ("packed-overlay", ["mediawiki.page.gallery"]),
        ("slideshow", ["mediawiki.page.gallery.slideshow"]),
        ("unknown", []),
    ],
)
def test_modules(parse: Any, mode: str, modules: list[str]) -> None:
    output = parse(f'<gallery mode="{mode}">A.png</gallery>')
    assert list(output.module_styles) == [STYLES]
    assert list(output.modules) == modules


def test_every_mode_is_registered_by_its_name() -> None:
    assert all(name == mode.name for name, mode in MODES.items())
    assert len(MODES) == 6


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("perrow=1e9", "max-width: 163px;"),
        ("perrow=3", "max-width: 489px;"),
        ("perrow=0", ""),
        ("perrow=-3", ""),
        ("perrow=٣", ""),
        ("perrow=x", ""),
        ("perrow=3 mode=packed", ""),
        ("perrow=3 mode=slideshow", "max-width: 489px;"),
        ("perrow=3 mode=nolines", "max-width: 387px;"),
    ],
)
def test_rows(parse: Any, attributes: str, expected: str) -> None:
    first = parse(f"<gallery {attributes}>A.png</gallery>").html.partition(">")[0]
    assert ("max-width" in first) == bool(expected)
    assert expected in first


@pytest.mark.parametrize("attribute", ["onclick", "onmouseover", "href", "src", "data-mw"])
def test_attributes_are_checked(parse: Any, attribute: str) -> None:
    html = parse(f'<gallery {attribute}="x" caption="y">A.png</gallery>').html
    assert attribute not in html.partition(">")[0]


def test_other_attributes_stay(parse: Any) -> None:
    html = parse('<gallery id="a b" title="&quot;&gt;" data-x="y" class="c">A.png</gallery>').html
    assert 'id="a_b"' in html
    assert 'title="&quot;&gt;"' in html
    assert 'data-x="y"' in html
    assert 'class="c gallery mw-gallery-traditional"' in html


@pytest.mark.parametrize("widths", ["9" * 30, "0", "-1", "1e3", "10x10", "px", "٢٠"])
def test_odd_sizes_do_no_harm(parse: Any, widths: str) -> None:
    html = parse(f'<gallery widths="{widths}" heights="{widths}">A.png</gallery>').html
    assert html.count("<img") == 1


def test_lines_are_wikitext_of_their_own(parse: Any) -> None:
    html = parse("<gallery>\nA.png|''a\nA.png|b\n</gallery>").html
    assert '<div class="gallerytext"><i>a</i></div>' in html
    assert '<div class="gallerytext">b</div>' in html


def test_bounds_of_packed_pictures_depend_on_the_height_alone() -> None:
    assert MODES["packed"].bounds(1, 120) == (1950, 180)
    assert TRADITIONAL.bounds(50, 120) == (50, 120)


@pytest.mark.parametrize(
    ("length", "text"), [(155, "155px"), (620.0, "620px"), (1061 + 1 / 3, "1061.3333333333px")]
)
def test_lengths_are_written_as_php_does(length: float, text: str) -> None:
    assert pixels(length) == text
