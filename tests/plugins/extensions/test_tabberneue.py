from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugins.rendering import parsed
from wikiapi.site import Site

pytestmark = pytest.mark.wiki(
    {"First": "'''one'''\n== a ==\n== b ==\n== c ==\n== d ==", "Second": "two"}, writable=False
)


def test_tabs_and_panels_belong_together(site: Site) -> None:
    html = parsed(site, "<tabber>\n|-|One=\n'''a'''\n|-|Two words=b\n</tabber>")["text"]
    assert html.count('role="tabpanel"') == html.count('role="tab"') == 2
    assert 'id="tabber-Two_words-label" href="#tabber-Two_words"' in html
    assert "<b>a</b>" in html


def test_ids_are_different(site: Site) -> None:
    html = parsed(site, "<tabber>A=1|-|A=2</tabber><tabber>A=3</tabber>")["text"]
    assert all(f'id="tabber-A{end}"' in html for end in ("", "_2", "_3"))


def test_labels_are_text(site: Site) -> None:
    html = parsed(site, "<tabber>|-|<img src=x onerror=\"y\">''=1</tabber>")["text"]
    assert "<img" not in html
    assert "&lt;img src" in html


def test_labels_are_wikitext_if_the_wiki_says_so(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"extensions": {"tabberneue": {"parse_tab_name": True, "wrap": True}}})
    html = parsed(site, "<tabber>''L''=1</tabber>")["text"]
    assert "<i>L</i></a>" in html
    assert "tabber--wrap" in html
    assert "tabber--wrap" in parsed(site, "<tabber wrap>A=1</tabber>")["text"]
    assert "tabber--wrap" not in parsed(site, "<tabber wrap=false>A=1</tabber>")["text"]


def test_tabs_within_tabs(site: Site) -> None:
    text = "<tabber>A={{#tag:tabber|B=1{{!}}-{{!}}C=2}}</tabber>"
    html = parsed(site, text)["text"]
    assert html.count('role="tab"') == 3


def test_pages_as_tabs(site: Site) -> None:
    answer = parsed(site, "<tabbertransclude>\nFirst|A\nSecond\nMissing|C\n</tabbertransclude>")
    assert "<b>one</b>" in answer["text"]
    assert 'data-mw-tabber-page="Second" data-mw-tabber-revision=' in answer["text"]
    assert {one["title"] for one in answer["templates"]} == {"First", "Second", "Missing"}
    assert answer["sections"] == []
    assert not answer["showtoc"]


@pytest.mark.parametrize(
    "text", ["<tabber/>", "<tabber>|-|</tabber>", "<tabber>a|-|b</tabber>", "<tabbertransclude/>"]
)
def test_nothing_gives_nothing(site: Site, text: str) -> None:
    answer = parsed(site, text)
    assert "tabber" not in answer["text"]
    assert answer["categories"] == answer["modules"] == []
