"""Titles in another variant than that under which a page is stored."""

from __future__ import annotations

import pytest

from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput

PAGES = {
    "Њива": "a page",
    "Njegoš": "a page in Latin letters",
    "Љубав": "#REDIRECT [[Њива]]",
    "Category:Њива": "a category",
    "Template:Њива": "a template: {{{1}}}",
}


pytestmark = pytest.mark.wiki(PAGES, config={"site": {"language": "sr"}})


def rendered(site: Site, text: str, variant: str = "", title: str = "Страна") -> ParserOutput:
    options = ParserOptions(variant=variant, limit_report=False, wrapper_class="")
    return site.parser.parse(text, site.titles.parse(title), options)


def test_link_to_a_variant_of_a_title(site: Site) -> None:
    output = rendered(site, "[[Njiva#a|b]] [[Његош]] [[Ljubav]] [[Nema]]")
    assert '<a href="/wiki/%D0%8A%D0%B8%D0%B2%D0%B0#a" title="Њива">b</a>' in output.html
    assert '<a href="/wiki/Njego%C5%A1" title="Njegoš">Његош</a>' in output.html
    assert 'class="mw-redirect" title="Љубав">Ljubav</a>' in output.html
    assert output.html.count('class="new"') == 1
    assert {"Њива", "Njiva"} <= {title.text for title in output.links.values()}


def test_existing_page_wins_over_its_variants(site: Site) -> None:
    assert 'title="Njegoš"' in rendered(site, "[[Njegoš]]").html


def test_link_of_a_page_to_itself(site: Site) -> None:
    html = rendered(site, "[[Njiva]] [[Njiva#a]]", title="Њива").html
    assert '<a class="mw-selflink selflink">Njiva</a>' in html
    assert '<a class="mw-selflink-fragment" href="#a">Njiva#a</a>' in html


def test_template_by_a_variant_of_its_title(site: Site) -> None:
    output = rendered(site, "{{Njiva|b}} {{Nema}}")
    assert "a template: b" in output.html
    assert [title.text for title in output.templates.values()] == ["Њива", "Nema"]


def test_tips_of_links_are_converted(site: Site) -> None:
    assert 'title="Njiva">Njiva</a>' in rendered(site, "[[Њива]]", "sr-el").html


@pytest.mark.parametrize(
    ("text", "namespace", "name"),
    [
        ("", "", "Njiva"),
        ("-{H|sr-ec:Њива;sr-el:Livada}-", "", "Livada"),
    ],
)
def test_name_of_the_page(site: Site, text: str, namespace: str, name: str) -> None:
    assert rendered(site, text, "sr-el", "Њива").name_in_variant == (namespace, name)


@pytest.mark.parametrize("switch", ["__NOTITLECONVERT__", "__NOTC__", "__NOCONTENTCONVERT__"])
def test_name_that_is_not_converted(site: Site, switch: str) -> None:
    output = rendered(site, switch, "sr-el", "Њива")
    assert output.name_in_variant is None
    assert not output.title_html


@pytest.mark.parametrize(
    ("variant", "title"),
    [("sr-el", "<i>Livada</i>"), ("sr-ec", "Ливада"), ("", "")],
)
def test_title_given_by_a_rule(site: Site, variant: str, title: str) -> None:
    text = "-{T|sr-ec:Ливада;sr-el:<i>Livada</i>}-"
    assert rendered(site, text, variant, "Њива").title_html == title


def test_title_given_by_a_function_wins(site: Site) -> None:
    text = "-{T|sr-el:Livada}-{{DISPLAYTITLE:<i>Њива</i>}}"
    assert rendered(site, text, "sr-el", "Њива").title_html == "<i>Њива</i>"


def test_headings_are_converted_by_rules_below_them(site: Site) -> None:
    output = rendered(site, "== Њ ==\n-{H|sr-ec:Њ;sr-el:X}-\n== -{Њ}- Љ ==", "sr-el")
    assert [section.line for section in output.sections] == ["X", "Њ Lj"]
    assert [section.anchor for section in output.sections] == ["Њ", "-{Њ}-_Љ"]


def test_container_has_the_code_of_the_variant(site: Site) -> None:
    title = site.titles.parse("Њива")
    options = ParserOptions(variant="sr-el", limit_report=False)
    assert 'lang="sr-Latn" dir="ltr"' in site.parser.parse("a", title, options).html


def test_variant_of_the_interface(site: Site) -> None:
    title = site.titles.parse("Њива")
    options = ParserOptions(language="sr-el", limit_report=False, wrapper_class="")
    assert site.parser.parse("Њива", title, options).html == "<p>Njiva\n</p>"


def test_category_by_a_variant_of_its_title(site: Site) -> None:
    output = rendered(site, "[[Category:Nema|a]] [[Category:Njiva|b]]")
    assert output.categories == {"Nema": "a", "Њива": "b"}


@pytest.mark.parametrize(
    ("language", "variant", "namespace"),
    [
        ("sr", "sr-ec", "Категорија"),
        ("sr", "sr-el", "Kategorija"),
        ("zh", "zh", "Category"),
        ("zh", "zh-hans", "分类"),
        ("zh", "zh-tw", "分類"),
    ],
)
def test_namespaces_are_named_in_the_variant(language: str, variant: str, namespace: str) -> None:
    site = make_site({"Category:B": "x"}, config={"site": {"language": language}})
    options = ParserOptions(variant=variant, limit_report=False)
    name = site.parser.parse("x", site.titles.parse("Category:B"), options).name_in_variant
    site.db.close()
    assert (name.namespace if name else "") == namespace
