from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugins.rendering import html_of, parsed, words_of
from wikiapi.config import NamespaceConfig
from wikiapi.site import Site
from wikiapi.testing import ask

PAGES = {
    "Mercury": "__DISAMBIG__",
    "Hg": "#REDIRECT [[Mercury]]",
    "Mars": "a planet",
    "Red planet": "#REDIRECT [[Mars]]",
    "Module:Is": (
        "return { f = function(frame)"
        " return tostring(mw.title.new(frame.args[1]).isDisambiguationPage) end }"
    ),
}
MODULES = (NamespaceConfig(828, "Module"), NamespaceConfig(829, "Module talk"))


pytestmark = pytest.mark.wiki(PAGES, namespaces=MODULES, writable=False)


def test_the_switch_sets_a_property(site: Site) -> None:
    answer = parsed(site, "a __disambig__ b", prop="text|properties")
    assert answer["properties"] == {"disambiguation": ""}
    assert "disambig" not in answer["text"]
    pages = {"action": "query", "list": "pageswithprop", "pwppropname": "disambiguation"}
    results = ask(site, pages).data["query"]["pageswithprop"]
    assert [page["title"] for page in results] == ["Mercury"]


def test_special_page(site: Site) -> None:
    request = {"action": "query", "list": "querypage", "qppage": "DisambiguationPages"}
    results = ask(site, request).data["query"]["querypage"]["results"]
    assert [(page["title"], page["ns"]) for page in results] == [("Mercury", 0)]
    generator = {"action": "query", "generator": "querypage", "gqppage": "DisambiguationPages"}
    pages = ask(site, generator).data["query"]["pages"]
    assert [page["title"] for page in pages] == ["Mercury"]
    assert results[0]["value"] == str(pages[0]["pageid"])


@pytest.mark.parametrize(
    ("text", "css"),
    [
        ("[[Mercury]]", 'class="mw-disambig"'),
        ("[[mercury|x]]", 'class="mw-disambig"'),
        ("[[Hg]]", 'class="mw-redirect mw-disambig"'),
        ("[[Red planet]]", 'class="mw-redirect"'),
    ],
)
def test_links_have_a_class(site: Site, text: str, css: str) -> None:
    assert f"{css} title=" in html_of(site, text)


def test_other_links_have_none(site: Site) -> None:
    assert "class" not in html_of(site, "[[Mars]]")


def test_without_the_extension(make_site: Callable[..., Site]) -> None:
    site = make_site(PAGES, config={"plugins": {"disabled": ["disambiguator"]}})
    assert "mw-disambig" not in html_of(site, "[[Mercury]]")
    assert words_of(site, "__DISAMBIG__") == "__DISAMBIG__"
    request = {"action": "query", "list": "querypage", "qppage": "DisambiguationPages"}
    assert ask(site, request).codes == "badvalue"


def test_lua(site: Site) -> None:
    pytest.importorskip("lupa")
    text = "{{#invoke:Is|f|Mercury}} {{#invoke:Is|f|Mars}} {{#invoke:Is|f|Nowhere}}"
    assert words_of(site, text) == "true false false"
    used = {entry["title"] for entry in parsed(site, text)["templates"]}
    assert used == {"Module:Is", "Mercury", "Mars", "Nowhere"}
