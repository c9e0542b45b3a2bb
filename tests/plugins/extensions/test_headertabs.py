from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.plugins import rendering
from wikiapi.site import Site

TWO = "above\n= One =\na\n== Part ==\n= ''Two'' =\nb\n<headertabs />below"


pytestmark = pytest.mark.wiki({"Page": TWO}, writable=False)

parsed = partial(rendering.parsed, title="Page")


def test_sections_become_tabs(site: Site) -> None:
    html = parsed(site, TWO)["text"]
    assert html.index("above") < html.index('<div id="headertabs">') < html.index("below")
    assert html.count("role='tabpanel'") == html.count("role='tab'") == 2
    assert "<span class='oo-ui-labelElement-label'>Two</span>" in html
    assert "<h1" not in html
    assert '<h2 id="Part">' in html
    assert "nomoretabs" not in html


def test_each_tab_can_be_edited(site: Site) -> None:
    html = parsed(site, TWO)["text"]
    assert "/w/index.php?title=Page&amp;action=edit&amp;section=2" in html
    assert "class='section-1 " in html
    assert "ht-editsection" in html
    assert "ht-editsection" not in parsed(site, TWO, disableeditsection="1")["text"]


@pytest.mark.parametrize("text", ["<headertabs/>", "= One =\n<headertabs/>", "= A =\n= B ="])
def test_too_few_sections_stay_as_they_are(site: Site, text: str) -> None:
    assert "tablist" not in parsed(site, text)["text"]


def test_settings(make_site: Callable[..., Site]) -> None:
    settings = {"render_single_tab": True, "default_first_tab": "Start", "edit_tab_link": False}
    site = make_site(config={"extensions": {"headertabs": settings}})
    html = parsed(site, "above\n= One =\na\n<headertabs />")["text"]
    assert html.count("role='tab'") == 2
    assert "id='Start'" in html
    assert "ht-editsection" not in html


def test_table_of_contents_is_left_out(site: Site) -> None:
    text = "= A =\n= B =\n= C =\n= D =\n"
    assert parsed(site, text)["showtoc"]
    answer = parsed(site, f"{text}<headertabs/>")
    assert not answer["showtoc"]
    assert 'id="toc"' not in answer["text"]


def test_links_to_tabs(site: Site) -> None:
    html = parsed(site, "{{#switchtablink:Two words|''go''}} {{#switchtablink:A|b|Page}}")["text"]
    assert '<a href="#tab=Two_words" class="tabLink"><i>go</i></a>' in html
    assert 'Page#tab=A">b</a>' in html


def test_quotes_in_headings_stay_in_their_attribute(site: Site) -> None:
    html = parsed(site, "= a' onclick='x =\n= <nowiki><b></nowiki> =\n<headertabs/>")["text"]
    assert "id='a&#x27;_onclick=&#x27;x'" in html
    assert "&lt;b&gt;</span>" in html


def test_sections_in_the_old_form_become_tabs(make_site: Callable[..., Site]) -> None:
    site = make_site({"Page": TWO}, config={"wikitext": {"legacy_headings": True}})
    html = parsed(site, TWO.replace("One", "Öne (1)"))["text"]
    assert html.count("role='tabpanel'") == 2
    assert "<span class='oo-ui-labelElement-label'>Öne (1)</span>" in html
    assert "id='Öne_(1)'" in html
    assert "<span class='oo-ui-labelElement-label'>Two</span>" in html
    assert "/w/index.php?title=Page&amp;action=edit&amp;section=2" in html
    assert "class='section-1 " in html
    assert "<h1" not in html
    assert '<h2><span class="mw-headline" id="Part">' in html
