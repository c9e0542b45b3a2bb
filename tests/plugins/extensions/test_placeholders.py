from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugins.rendering import parsed
from wikiapi.site import Site

pytestmark = pytest.mark.wiki(writable=False)


@pytest.mark.parametrize("tag", ["score", "timeline", "graph", "mapframe"])
def test_source_is_collapsed_under_a_message(site: Site, tag: str) -> None:
    html = parsed(site, f"<{tag}>a & ''b'' <script> [[C]]</{tag}>")["text"]
    assert "not rendered here." in html
    assert "<pre>a &amp; ''b'' &lt;script&gt; &#91;&#91;C&#93;&#93;</pre></details>" in html or (
        "<pre>a &amp; ''b'' &lt;script&gt; [[C]]</pre></details>" in html
    )


def test_maps_lead_to_a_map(site: Site) -> None:
    place = 'latitude="48.2" longitude="16.3" zoom="12"'
    address = "https://www.openstreetmap.org/?mlat=48.2&mlon=16.3#map=12/48.2/16.3"
    answer = parsed(site, f"<maplink {place} text=\"the ''city''\" />")
    assert answer["externallinks"] == [address]
    assert "the <i>city</i></a>" in answer["text"]
    html = parsed(site, f'<mapframe {place} text="Vienna">{{}}</mapframe>')["text"]
    assert "<p>Vienna</p>" in html
    assert ">48.2, 16.3</a>" in html


@pytest.mark.parametrize("latitude", ["91", "1e5", "x", "1&quot; onclick=&quot;x"])
def test_no_link_without_a_place(site: Site, latitude: str) -> None:
    answer = parsed(site, f'<maplink latitude="{latitude}" longitude="1" text="T" />')
    assert answer["externallinks"] == []
    assert ">T</span>" in answer["text"]


def test_formulas_are_readable(site: Site, make_site: Callable[..., Site]) -> None:
    html = parsed(site, "a <math>x<y ''z''</math>")["text"]
    assert "$ x&lt;y ''z'' $</span>" in html
    rendering = make_site(config={"extensions": {"math": {}}})
    assert "placeholder" not in parsed(rendering, "<math>x</math>")["text"]


def test_tags_can_be_left_out(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"extensions": {"placeholders": {"tags": ["score"]}}})
    assert "&lt;graph&gt;" in parsed(site, "<graph>{}</graph>")["text"]
    assert "not rendered" in parsed(site, "<score>c</score>")["text"]


def test_widgets_leave_a_note(site: Site) -> None:
    html = parsed(site, '{{#widget:Player|id=<b>"1"|x=y}}')["text"]
    assert ">[Widget: Player]</span>" in html or ">&#91;Widget: Player&#93;</span>" in html
    assert "<b>" not in html


def test_seo_shows_nothing(site: Site) -> None:
    answer = parsed(site, 'a{{#seo:|description=All "of" it|image=x<script>|unknown=1}}b')
    assert "ab\n" in answer["text"]
    head = str(answer["headhtml"])
    assert 'name="description" content="All &quot;of&quot; it"' in head
    assert "x<script>" not in head
    assert "unknown" not in head
    answer = parsed(site, '<seo keywords="a,b" twitter_site="@x" />')
    assert 'name="keywords" content="a,b"' in answer["headhtml"]
    assert 'name="twitter:site"' in answer["headhtml"]
