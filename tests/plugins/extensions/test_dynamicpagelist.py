from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.store.models import Revision
from wikiapi.store.queries.visibility import USER
from wikiapi.testing import DeclaredFile, Edit, ask

PAGES = {
    "Apple": "{{Fruit|colour=red|size=3}}\n== Taste ==\nsweet\n== Use ==\npie\n[[Category:Fruit]]",
    "Banana": "{{Fruit|colour=yellow}} [[Apple]] [[Category:Fruit|A]] [[Category:Long]]",
    "Carrot": "[[Apple]] [[Category:Vegetable]] [[File:Photo.png]]",
    "Template:Fruit": "{{{colour}}}<noinclude>[[Category:Hidden]]</noinclude>",
    "Category:Fruit": "",
    "File:Photo.png": "",
    "Project:A": "",
    "Project:A/B": "",
    "Old": "#REDIRECT [[Apple]]",
    "Help:Growing": "[[Banana]] <section begin=x />labelled<section end=x />",
}


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    return make_site(PAGES, files=[DeclaredFile("Photo.png", 40, 20)])


def parsed(site: Site, text: str) -> dict[str, Any]:
    params = {"action": "parse", "text": text, "contentmodel": "wikitext", "title": "Test"}
    params["prop"] = "text|templates|links|categories|sections"
    found: dict[str, Any] = ask(site, params | {"disablelimitreport": "1"}).data["parse"]
    return found


def shown(site: Site, text: str) -> list[str]:
    """Return the labels of the items of a list."""
    html = str(parsed(site, text)["text"])
    return [re.sub(r"<[^>]*>", "", item) for item in re.findall(r"<li>(.*?)</li>", html)]


LISTS = {
    "category=Fruit|ordermethod=title": ["Apple", "Banana"],
    "category=Fruit|ordermethod=sortkey": ["Banana", "Apple"],
    "category=Fruit|category=Long": ["Banana"],
    "category=Fruit¦Vegetable|ordermethod=title|order=descending": ["Carrot", "Banana", "Apple"],
    "category=Fruit|notcategory=Long": ["Apple"],
    "categorymatch=Fr%|ordermethod=title": ["Apple", "Banana"],
    "categorymatch=Veg%¦Lo%|ordermethod=title": ["Banana", "Carrot"],
    "category=Fruit|notcategorymatch=L%": ["Apple"],
    "category=Fruit|categoriesminmax=2,": ["Banana"],
    "category=Fruit|categoriesminmax=,1": ["Apple"],
    "namespace=|categoriesminmax=1,1|ordermethod=title": ["Apple", "Carrot"],
    "namespace=Project|ordermethod=title": ["Wiki:A", "Wiki:A/B"],
    "namespace=Project|includesubpages=false": ["Wiki:A"],
    "namespace=Help": ["Help:Growing"],
    "namespace=Help|shownamespace=false": ["Growing"],
    "namespace=¦Help|linksto=Banana": ["Help:Growing"],
    "linksto=Apple|ordermethod=title|count=1|offset=1": ["Carrot"],
    "linksto=Apple|notlinksto=Apple": [],
    "linksfrom=Carrot": ["Apple"],
    "uses=Template:Fruit|ordermethod=title": ["Apple", "Banana"],
    "notuses=Fruit|category=Vegetable¦Fruit": ["Carrot"],
    "usedby=Apple": ["Template:Fruit"],
    "imageused=Photo.png": ["Carrot"],
    "imagecontainer=Carrot": ["File:Photo.png"],
    "title=Apple": ["Apple"],
    "titlematch=%an%|namespace=": ["Banana"],
    "namespace=|nottitlematch=A%|titlegt=Banana": ["Carrot"],
    "namespace=|redirects=only": ["Apple"],
    "category=Fruit|ordermethod=size": ["Banana", "Apple"],
}


@pytest.mark.parametrize("parameters", LISTS)
def test_selection_and_order(site: Site, parameters: str) -> None:
    assert shown(site, f"{{{{#dpl:{parameters}}}}}") == LISTS[parameters]


def test_tag_takes_lines(site: Site) -> None:
    text = "<DPL>\n category = Fruit | Vegetable\n ordermethod = title\n mode = ordered\n</DPL>"
    assert shown(site, text) == ["Apple", "Banana", "Carrot"]


def test_format_with_variables(site: Site) -> None:
    text = "{{#dpl:category=Fruit|ordermethod=title|format=(,[%NR%:%TITLE%¦%CATNAMES%],;,)}}"
    html = parsed(site, text)["text"]
    assert "([1:Apple|Fruit];[2:Banana|Fruit, Long];)" in html


INCLUDED = {
    "{Fruit}:colour": "red",
    "{Fruit}:colour:size": "red3",
    "{Fruit}": "red",
    "#Taste": "sweet",
    "#2": "pie",
    "#Nothing": "",
    "#Taste,#Use": "sweetpie",
}


@pytest.mark.parametrize("wanted", INCLUDED)
def test_included_parts(site: Site, wanted: str) -> None:
    text = f"{{{{#dpl:title=Apple|include={wanted}|format=,(,),}}}}"
    assert f"({INCLUDED[wanted]})" in parsed(site, text)["text"]


def test_included_pages(site: Site) -> None:
    found = parsed(site, "{{#dpl:title=Apple|include=*}}")
    assert "red" in found["text"]
    assert [section["line"] for section in found["sections"]] == ["Taste", "Use"]
    assert "Apple" in {template["title"] for template in found["templates"]}
    html = parsed(site, "{{#dpl:title=Help:Growing|include=x|mode=none}}")["text"]
    assert "labelled" in html


def test_table(site: Site) -> None:
    text = "{{#dpl:category=Fruit|ordermethod=title|include={Fruit}:colour|table=class=w,Name,Hue}}"
    html = parsed(site, text)["text"]
    assert '<table class="w">' in html
    assert html.count("<tr>") == 3
    assert "yellow" in html


def test_nothing_found(site: Site) -> None:
    assert "No results" in parsed(site, "{{#dpl:category=None}}")["text"]
    assert "(none)" in parsed(site, "{{#dpl:category=None|noresultsheader=(none)}}")["text"]


@pytest.mark.parametrize("parameters", ["", "count=3", "category=A|mode=x", "category=A|count=x"])
def test_mistakes_are_told(site: Site, parameters: str) -> None:
    html = parsed(site, f"{{{{#dpl:{parameters}}}}}")["text"]
    assert "Error:" in html
    assert "Extension DPL" not in html


def test_lists_are_bounded(make_site: Callable[..., Site]) -> None:
    config = {"extensions": {"dynamicpagelist": {"max_results": 2, "header_template": ""}}}
    site = make_site({f"P{n}": "[[Category:C]]" for n in range(5)}, config=config)
    assert shown(site, "{{#dpl:category=C|count=4}}") == ["P0", "P1"]
    assert "Extension DPL" not in parsed(site, "{{#dpl:category=C}}")["text"]


def test_hidden_users_are_neither_shown_nor_found(make_site: Callable[..., Site]) -> None:
    site = make_site({"Elm": [Edit("[[Category:C]]", "Bea")]})
    show, find = "{{#dpl:title=Elm|adduser=true}}", "{{#dpl:category=C|%s=Bea}}"
    names = ("createdby", "modifiedby", "lastmodifiedby")
    assert shown(site, show) == ["Elm . . Bea"]
    assert [shown(site, find % name) for name in names] == [["Elm"]] * 3
    site.db.execute_write(Revision.update(rev_deleted=USER).where(Revision.rev_id == 1))
    assert shown(site, show) == ["Elm"]
    assert [shown(site, find % name) for name in names] == [[]] * 3


def test_wikimedias_tag(site: Site) -> None:
    text = "<DynamicPageList>\ncategory=Fruit\ncategory=Long\n</DynamicPageList>"
    assert shown(site, text) == ["Banana"]
    assert "must be named" in parsed(site, "<DynamicPageList>\ncount=3\n</DynamicPageList>")["text"]
    silent = "<DynamicPageList>\nsuppresserrors=true\n</DynamicPageList>"
    assert "must" not in parsed(site, silent)["text"]


FUNCTIONS = {
    "{{#dplnum:-12,5 abc}}": "12",
    "{{#dplnum:about 1.234 m}}": "1234",
    "{{#dplnum:none}}": "0",
    "{{#dplreplace:abcabc|b|X}}": "aXcaXc",
    "{{#dplvar:set|a|1|b|2}}{{#dplvar:default|a|3}}{{#dplvar:a}}{{#dplvar:b}}": "12",
    "{{#dplchapter:x\n== A ==\none\n== B ==\ntwo|A}}": "one",
}


@pytest.mark.parametrize("text", FUNCTIONS)
def test_functions(site: Site, text: str) -> None:
    answer = ask(site, {"action": "expandtemplates", "text": text, "prop": "wikitext"})
    assert answer.data["expandtemplates"]["wikitext"] == FUNCTIONS[text]


def test_patterns(site: Site) -> None:
    pytest.importorskip("re2")
    text = r"{{#dplreplace:a1b22|/([a-z])\d+/|<$1>}}"
    answer = ask(site, {"action": "expandtemplates", "text": text, "prop": "wikitext"})
    assert answer.data["expandtemplates"]["wikitext"] == "<a><b>"


@pytest.mark.parametrize(
    "text", ["{{#dpl:namespace=Help|%s=x}}", "<DPL>\nnamespace=Help\n%s=x\n</DPL>"]
)
def test_a_parameter_that_nobody_knows_gives_a_warning(site: Site, text: str) -> None:
    html = parsed(site, text % "nmaespace")["text"]
    assert "Warning: The unknown parameter 'nmaespace' is ignored." in html
    assert html.index("nmaespace") < html.index("Help:Growing")
    assert shown(site, text % "nmaespace") == ["Help:Growing"]
    assert "Warning" not in parsed(site, text % "allowcachedresults")["text"]
    silent = "{{#dpl:namespace=Help|nmaespace=x|suppresserrors=true}}"
    assert "Warning" not in parsed(site, silent)["text"]


def test_the_name_of_an_unknown_parameter_is_no_markup(site: Site) -> None:
    html = parsed(site, "<DPL>\nnamespace=Help\n[[Evil]] <b>{{Fruit}}</b>=x\n</DPL>")["text"]
    assert "'[[evil]] <b>{{fruit}}</b>'" in unescape(html)
    assert "<b>" not in html
