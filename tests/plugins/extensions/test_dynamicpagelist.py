"""Lists of DynamicPageList3. Longer lists of cases are in ``extensions/dynamicpagelist.json``."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from tests.plugins.rendering import parsed
from wikiapi.site import Site
from wikiapi.store.models import Revision
from wikiapi.store.queries.visibility import USER
from wikiapi.testing import DeclaredFile, Edit, ask
from wikiapi.testing.conformance.queries import whole_scans
from wikiapi_plugins.extensions.dynamicpagelist import parameters

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


pytestmark = pytest.mark.wiki(PAGES, files=[DeclaredFile("Photo.png", 40, 20)], writable=False)


def labels(site: Site, text: str) -> list[str]:
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
    assert labels(site, f"{{{{#dpl:{parameters}}}}}") == LISTS[parameters]


def test_tag_takes_lines(site: Site) -> None:
    text = "<DPL>\n category = Fruit | Vegetable\n ordermethod = title\n mode = ordered\n</DPL>"
    assert labels(site, text) == ["Apple", "Banana", "Carrot"]


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


@pytest.mark.parametrize("part", INCLUDED)
def test_included_parts(site: Site, part: str) -> None:
    text = f"{{{{#dpl:title=Apple|include={part}|format=,(,),}}}}"
    assert f"({INCLUDED[part]})" in parsed(site, text)["text"]


def test_included_pages(site: Site) -> None:
    answer = parsed(site, "{{#dpl:title=Apple|include=*}}")
    assert "red" in answer["text"]
    assert [section["line"] for section in answer["sections"]] == ["Taste", "Use"]
    assert "Apple" in {template["title"] for template in answer["templates"]}
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
    assert labels(site, "{{#dpl:category=C|count=4}}") == ["P0", "P1"]
    assert "Extension DPL" not in parsed(site, "{{#dpl:category=C}}")["text"]


def test_hidden_users_are_neither_shown_nor_found(make_site: Callable[..., Site]) -> None:
    site = make_site({"Elm": [Edit("[[Category:C]]", "Bea")]})
    show, find = "{{#dpl:title=Elm|%s=true}}", "{{#dpl:category=C|%s=Bea}}"
    flags = ("adduser", "addauthor", "addlasteditor")
    names = ("createdby", "modifiedby", "lastmodifiedby")
    assert [labels(site, show % flag) for flag in flags] == [["Elm . . Bea"]] * 3
    assert [labels(site, find % name) for name in names] == [["Elm"]] * 3
    site.db.execute_write(Revision.update(rev_deleted=USER).where(Revision.rev_id == 1))
    assert [labels(site, show % flag) for flag in flags] == [["Elm"]] * 3
    assert [labels(site, find % name) for name in names] == [[]] * 3


def test_wikimedias_tag(site: Site) -> None:
    text = "<DynamicPageList>\ncategory=Fruit\ncategory=Long\n</DynamicPageList>"
    assert labels(site, text) == ["Banana"]
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


# Pages with a history, and categories in categories

TREES = {
    "Oak": [
        Edit("[[Category:Trees]] [[Category:Big]]", "Ann", timestamp="20200101000000"),
        Edit(
            "[[Category:Trees]] [[Category:Big]] {{Leaf|form=lobed|edge=smooth}}"
            "\n== Bark ==\nrough\n",
            "Bea",
            timestamp="20210101000000",
            minor=True,
        ),
    ],
    "Elm": [Edit("[[Category:Trees]] [[Category:Big & old]]", "Bea", timestamp="20200601000000")],
    "Ash": [
        Edit("[[Category:Trees]]", "Ann", timestamp="20190301000000"),
        Edit("[[Category:Trees]]\n", "Bea", timestamp="20200301000000"),
        Edit(
            "[[Category:Trees]] {{Leaf|form=oval}}\n== Bark ==\ngrey\n",
            "Ann",
            timestamp="20220301000000",
        ),
    ],
    "Fern": "[[Category:Plants]]",
    "Talk:Oak": "",
    "Talk:Fern": "",
    "Category:Trees": "[[Category:Plants]]",
    "Category:Plants": "[[Category:Life]]",
    "Category:Circle": "[[Category:Circle]]",
    "Template:Leaf": "",
}


@pytest.fixture(scope="module")
def trees(make_module_site: Callable[..., Site]) -> Site:
    return make_module_site(TREES)


def in_order(parameters: str) -> str:
    """Return a call, in which pages are ordered by title unless it says otherwise."""
    order = "" if "ordermethod" in parameters else "|ordermethod=title"
    return f"{{{{#dpl:{parameters}{order}}}}}"


CASES = cases("extensions/dynamicpagelist.json")


@pytest.mark.parametrize("case", CASES)
def test_lists(case: dict[str, Any], trees: Site) -> None:
    if case.get("patterns"):
        pytest.importorskip("re2")
    assert labels(trees, in_order(case["parameters"])) == case["items"]
    assert "Warning: The" not in parsed(trees, in_order(case["parameters"]))["text"]


@pytest.mark.parametrize("case", [case for case in CASES if not case.values[0].get("patterns")])
def test_lists_read_no_whole_table(case: dict[str, Any], trees: Site) -> None:
    with trees.db.recording() as log:
        parsed(trees, in_order(case["parameters"]))
    assert not [step for record in log for step in whole_scans(trees.db, record)]


@pytest.mark.parametrize(
    "more",
    ["addauthor=true", "addlasteditor=true", "goal=categories", "addcategories=true", "include=*"],
)
def test_number_of_queries_does_not_grow(more: str, trees: Site) -> None:
    numbers = []
    for count in (1, 3):
        with trees.db.recording() as log:
            parsed(trees, in_order(f"category=Trees|count={count}|{more}"))
        numbers.append(len(log))
    assert numbers[0] == numbers[1]


def test_too_many_subcategories(make_site: Callable[..., Site]) -> None:
    site = make_site({f"Category:C{n}": "[[Category:Root]]" for n in range(501)})
    assert "more than 500 subcategories" in parsed(site, "{{#dpl:category=*Root}}")["text"]


TEXTS = {
    "category=Trees|resultsheader=(%PAGES%/%TOTALPAGES%)|count=1": "(1/3)",
    "category=Trees|resultsheader=(%PAGES%/%TOTALPAGES%)|count=1|offset=2": "(1/3)",
    "category=Trees|resultsheader=(%PAGES%/%TOTALPAGES%)": "(3/3)",
    "category=Trees|count=1|format=,(%NR%/%TOTALPAGES%),,": "(1/3)",
    "category=Trees|goal=categories|resultsheader=(%TOTALPAGES%)": "(3)",
    "title=Oak|oneresultheader=(one)|resultsheader=(many)": "(one)",
    "title=Oak|oneresultfooter=(one)|resultsfooter=(many)": "(one)",
    "title=Oak|showcurid=true": 'curid=1">Oak</a>',
    "title=Oak|addpagetoucheddate=true|userdateformat=Y/": "/ <a",
    "title=Oak|include=#Bark|includetrim=true|format=,[%PAGE%,],": "[Oakrough]",
    "title=Oak|addauthor=true|format=,(%USER%),,": "(Ann)",
    "title=Oak|lastrevisionbefore=2020-06-01|format=,(%USER% %DATE%),,": "(Ann 2020-01-01 00:00)",
    "category=Trees|tablesortcol=2|include=#Bark|table=,A,B": r"grey.*rough",
    "category=Trees|tablesortcol=-2|include=#Bark|table=,A,B": r"rough.*grey",
    "category=Trees|lastrevisionbefore=never": "'never' is not a valid value",
    "category=Trees|goal=links": "'links' is not a valid value",
    "category=Trees|tablesortcol=x": "'x' is not a valid value",
}


@pytest.mark.parametrize("parameters", TEXTS)
def test_texts_of_lists(parameters: str, trees: Site) -> None:
    html = unescape(str(parsed(trees, in_order(parameters))["text"]))
    expected = TEXTS[parameters]
    matches = expected in html or (
        ".*" in expected and re.search(expected, html, re.DOTALL) is not None
    )
    assert matches, html


HOSTILE = {
    "doubling": "replaceintitle=" + "¦".join(["O,OO"] * 50),
    "growing": "replaceintitle=a," + "aaaaaaaaaa" * 1000,
    "many replacements": "replaceintitle=" + "¦".join(["O,P"] * 1000),
    "no comma": "replaceintitle=" + "/a" * 50_000,
    "many conditions": "include=*|includematch=" + "x," * 50_000,
    "open conditions": "include=*|includematch=" + "/a" * 50_000,
    "large numbers": "minrevisions=999999999|maxrevisions=999999999",
    "many categories": "category=" + "**A¦" * 10_000,
    "long format": "addeditdate=1|userdateformat=" + "Y" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_values_are_bounded(name: str, trees: Site) -> None:
    html = parsed(trees, f"{{{{#dpl:category=Trees|{HOSTILE[name]}}}}}")["text"]
    assert len(html) < 120_000


def test_gallery(site: Site) -> None:
    sizes = 'imagewidth=60|imageheight=50|imagesperrow=2|gallerymode=nolines|gallerycaption="C"'
    html = parsed(site, f"{{{{#dpl:namespace=File|mode=gallery|{sizes}}}}}")["text"]
    assert "mw-gallery-nolines" in html
    assert '<li class="gallerycaption">"C"</li>' in html
    assert 'width="50"' in html or 'width="60"' in html


def test_wikimedias_dates(site: Site) -> None:
    text = "<DynamicPageList>\ncategory=Long\naddfirstcategorydate=dmy\n</DynamicPageList>"
    assert re.fullmatch(r"[0-9]+ [A-Z][a-z]+ [0-9]{4}: Banana", labels(site, text)[0])


EXPIRY = {
    "category=Trees": 300,
    "category=Trees|cacheperiod=60": 60,
    "category=Trees|cacheperiod=86400": 86400,
    "category=Trees|allowcachedresults=false": 0,
    "category=Trees|allowcachedresults=yes+warn": 300,
}


@pytest.mark.parametrize("parameters", EXPIRY)
def test_how_long_a_list_is_cached(parameters: str, trees: Site) -> None:
    output = trees.parser.parse(f"{{{{#dpl:{parameters}}}}}", trees.titles.parse("Test"))
    assert output.cache_expiry == EXPIRY[parameters]


# Parameters without effect

TRACKED = "Pages_using_DynamicPageList3_with_parameters_that_are_ignored"


def is_tracked(answer: dict[str, Any]) -> bool:
    return TRACKED in {one["category"] for one in answer["categories"]}


@pytest.mark.parametrize("name", parameters.IGNORED)
def test_a_list_says_which_parameters_it_ignores(name: str, trees: Site) -> None:
    answer = parsed(trees, f"{{{{#dpl:category=Trees|{name}=something else}}}}")
    assert f"Warning: The parameter '{name}' is not supported" in unescape(answer["text"])
    assert is_tracked(answer)
    for value in parameters.IGNORED[name]:
        quiet = parsed(trees, f"{{{{#dpl:category=Trees|{name}={value}}}}}")
        assert ("Warning" in quiet["text"], is_tracked(quiet)) == (False, False)


@pytest.mark.parametrize("name", sorted(parameters.WITHOUT_EFFECT))
def test_parameters_without_effect_are_passed_over(name: str, trees: Site) -> None:
    answer = parsed(trees, f"{{{{#dpl:category=Trees|{name}=5}}}}")
    assert ("Warning" in answer["text"], is_tracked(answer)) == (False, False)


@pytest.mark.parametrize(
    ("parameters", "name"),
    [("ordermethod=counter,title", "ordermethod=counter"), ("linksto=Oa%", "linksto=%")],
)
def test_values_that_are_ignored(parameters: str, name: str, trees: Site) -> None:
    html = unescape(parsed(trees, f"{{{{#dpl:namespace=|{parameters}}}}}")["text"])
    assert f"The parameter '{name}' is not supported" in html


def test_only_editors_are_warned_of_a_list_that_shows_no_warnings(trees: Site) -> None:
    silent = (
        "{{#dpl:category=Trees|scroll=yes|nmaespace=x|suppresserrors=true}}",
        "{{#dpl:category=Trees|scroll=yes|nmaespace=x|debug=0}}",
        "<DynamicPageList>\ncategory=Trees\nscroll=yes\nnmaespace=x\n</DynamicPageList>",
    )
    for text in silent:
        params = {"action": "parse", "text": text, "contentmodel": "wikitext", "title": "Test"}
        params["prop"] = "text|categories|parsewarnings"
        answer = ask(trees, params).data["parse"]
        assert "nmaespace" not in answer["text"]
        assert is_tracked(answer)
        assert "'nmaespace', 'scroll'" in unescape(answer["parsewarnings"][0])


def test_tracking_can_be_switched_off(make_site: Callable[..., Site]) -> None:
    site = make_site(TREES, config={"site": {"track_unknown": False}})
    assert not is_tracked(parsed(site, "{{#dpl:category=Trees|scroll=yes}}"))


def test_the_documentation_lists_all_parameters() -> None:
    page = Path(__file__).parents[3] / "docs" / "extensions.md"
    written = set(re.findall(r"`([a-z<>]+)`", page.read_text(encoding="utf-8")))
    names = parameters.FOLLOWED | parameters.IGNORED.keys() | parameters.WITHOUT_EFFECT
    missing = names - written
    assert not missing


@pytest.mark.parametrize(
    "text", ["{{#dpl:namespace=Help|%s=x}}", "<DPL>\nnamespace=Help\n%s=x\n</DPL>"]
)
def test_a_parameter_that_nobody_knows_gives_a_warning(site: Site, text: str) -> None:
    html = parsed(site, text % "nmaespace")["text"]
    assert "Warning: The unknown parameter 'nmaespace' is ignored." in html
    assert html.index("nmaespace") < html.index("Help:Growing")
    assert labels(site, text % "nmaespace") == ["Help:Growing"]
    assert "Warning" not in parsed(site, text % "allowcachedresults")["text"]
    silent = "{{#dpl:namespace=Help|nmaespace=x|suppresserrors=true}}"
    assert "Warning" not in parsed(site, silent)["text"]


def test_the_name_of_an_unknown_parameter_is_no_markup(site: Site) -> None:
    html = parsed(site, "<DPL>\nnamespace=Help\n[[Evil]] <b>{{Fruit}}</b>=x\n</DPL>")["text"]
    assert "'[[evil]] <b>{{fruit}}</b>'" in unescape(html)
    assert "<b>" not in html
