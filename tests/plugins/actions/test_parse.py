"""action=parse: what is parsed, and the facts answered."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

PAGES = {
    "Alpha": (
        "'''Alpha''' [[Beta]]\n== One ==\na\n=== Deep ===\nb\n== Two ==\n{{Box}}[[Category:C|k]]"
    ),
    "Beta": "#REDIRECT [[Alpha#One]]",
    "Template:Box": "box",
    "Category:C": "__HIDDENCAT__",
    "Help:Plain": "help",
    "Help:Plain/Sub/Page": "a sub-page",
    "Template:Twice": "{{{a}}}",
}


pytestmark = pytest.mark.wiki(PAGES, interwiki={"de": "https://de.example/wiki/$1"})


@pytest.fixture
def parse(site):
    return lambda **params: ask(site, {"action": "parse", **params})


def test_page(parse):
    answer = parse(page="Alpha", disablelimitreport="1").data["parse"]
    assert answer["title"] == "Alpha"
    assert answer["pageid"] == 1
    assert answer["revid"] == 1
    assert answer["text"].startswith(
        '<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr"><p><b>Alpha</b> '
    )
    assert answer["links"] == [{"ns": 0, "title": "Beta", "exists": True}]
    assert answer["templates"] == [{"ns": 10, "title": "Template:Box", "exists": True}]
    assert answer["categories"][0]["category"] == "C"
    assert answer["categories"][0]["sortkey"] == "k"
    assert [section["index"] for section in answer["sections"]] == ["1", "2", "3"]
    assert answer["tocdata"]["sections"][1]["number"] == "1.1"
    assert answer["displaytitle"] == '<span class="mw-page-title-main">Alpha</span>'
    assert answer["properties"] == {}
    assert answer["showtoc"] is False


def test_version_1(parse):
    answer = parse(page="Alpha").version1["parse"]
    assert set(answer["text"]) == {"*"}
    assert answer["links"] == [{"ns": 0, "*": "Beta", "exists": ""}]
    assert answer["properties"] == []


def test_the_limit_report_can_be_left_out(parse):
    assert "NewPP limit report" in parse(page="Alpha").data["parse"]["text"]
    without = parse(page="Alpha", disablelimitreport="1").data["parse"]["text"]
    assert "NewPP limit report" not in without


def test_redirects_are_followed_when_requested(parse):
    stays = parse(page="Beta").data["parse"]
    assert stays["title"] == "Beta"
    assert 'class="redirectMsg"' in stays["text"]
    followed = parse(page="Beta", redirects="1").data["parse"]
    assert followed["title"] == "Alpha"
    assert followed["redirects"] == [{"from": "Beta", "to": "Alpha", "tofragment": "One"}]
    assert parse(page="Alpha", redirects="1").data["parse"]["redirects"] == []
    assert parse(pageid="1", redirects="1").version1["parse"]["redirects"] == []
    for params in ({"page": "Alpha"}, {"oldid": "1", "redirects": "1"}, {"text": "x"}):
        assert "redirects" not in parse(**params).data["parse"]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"page": "Nowhere"}, "missingtitle"),
        ({"page": "a["}, "invalidtitle"),
        ({"pageid": "99"}, "nosuchpageid"),
        ({"oldid": "99"}, "nosuchrevid"),
        ({"page": "Alpha", "section": "9"}, "nosuchsection"),
        ({"page": "Alpha", "text": "x"}, "invalidparammix"),
        ({"text": "x", "contentmodel": "bogus"}, "badvalue"),
        ({"text": "{}", "contentmodel": "json", "prop": "parsetree"}, "notwikitext"),
        ({"text": "x", "title": "Special:Version"}, "pagecannotexist"),
        ({"text": "x", "title": "de:X"}, "invalidtitle"),
        ({"page": "Special:Version"}, "pagecannotexist"),
        ({"page": "de:X"}, "invalidtitle"),
        ({"page": "Alpha", "section": "new"}, "invalidparammix"),
        ({"text": "x", "revid": "99"}, "nosuchrevid"),
        ({"text": "x", "contentmodel": "css", "contentformat": "text/plain"}, "badformat"),
    ],
)
def test_errors(parse, params, code):
    assert parse(**params).codes == code


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, "//56"),
        ({"preview": "1"}, "/127.0.0.1/56"),
        ({"sectionpreview": "1"}, "/127.0.0.1/56"),
        ({"preview": "1", "revid": "1"}, "1/192.0.2.1/81"),
    ],
)
def test_the_author_of_a_preview_is_its_reader(parse, asked, expected):
    text = "{{REVISIONID}}/{{REVISIONUSER}}/{{REVISIONSIZE}}<!-- -->"
    answer = parse(text=text, title="Alpha", prop="text", disablelimitreport="1", **asked)
    assert f"<p>{expected}\n</p>" in answer.data["parse"]["text"]


@pytest.mark.parametrize(
    ("title", "asked", "expected", "templates"),
    [
        ("Nothing yet", {}, "//", 0),
        ("Nothing yet", {"preview": "1"}, "/127.0.0.1/127.0.0.1", 0),
        ("Alpha", {}, "/192.0.2.1/192.0.2.1", 1),
    ],
)
def test_the_author_of_the_page_by_name(parse, title, asked, expected, templates):
    text = "/{{REVISIONUSER:{{PAGENAME}}}}/{{REVISIONUSER:Alpha}}"
    text = text.replace("Alpha", title)
    answer = parse(text=text, title=title, prop="text|templates", **asked).data["parse"]
    assert f"<p>{expected}\n" in answer["text"]
    assert len(answer["templates"]) == templates


def test_substituted_text_has_the_saving_user_as_author(parse):
    answer = parse(text="{{subst:REVISIONUSER}}", title="Alpha", onlypst="1")
    assert answer.data["parse"]["text"] == "127.0.0.1"


@pytest.mark.parametrize("asked", [{"parser": "parsoid"}, {"parsoid": "1"}])
def test_the_form_of_parsoid(parse, asked):
    answer = parse(page="Alpha", disablelimitreport="1", **asked).data["parse"]
    assert '<section data-mw-section-id="1"' in answer["text"]
    assert 'typeof="mw:Transclusion"' in answer["text"]
    assert answer["displaytitle"] == "Alpha"
    assert [answer[kind] for kind in ("links", "externallinks", "iwlinks")] == [[], [], []]
    assert answer["templates"] == [{"ns": 10, "title": "Template:Box", "exists": True}]


def test_source_code_has_no_sections(parse):
    answer = parse(text="== a ==", contentmodel="css", title="A", prop="sections|tocdata|text")
    assert 'class="mw-highlight' in answer.data["parse"]["text"]
    assert answer.data["parse"]["sections"] == []
    assert answer.data["parse"]["tocdata"] == {"sections": [], "extensionData": []}


def test_only_wikitext_has_the_form_of_parsoid(parse):
    answer = parse(text="{}", contentmodel="json", title="A", parser="parsoid").data["parse"]
    assert "section" not in answer["text"]


def test_a_section_brings_its_subsections(parse):
    answer = parse(page="Alpha", section="1", prop="sections|wikitext").data["parse"]
    assert [section["line"] for section in answer["sections"]] == ["One", "Deep"]
    assert answer["wikitext"] == "== One ==\na\n=== Deep ===\nb"


def test_text_under_a_title(parse):
    answer = parse(text="{{PAGENAME}}", title="Some page", contentmodel="wikitext").data["parse"]
    assert answer["pageid"] == 0
    assert "Some page" in answer["text"]


def test_neither_page_nor_text(parse):
    answer = parse()
    assert not answer.codes
    assert answer.data["parse"]["title"] == "API"


def test_text_without_title_is_warned_about(parse):
    assert "apiwarn-parse-nocontentmodel" in parse(text="x").warned
    assert not parse(text="x", contentmodel="wikitext").warned


@pytest.mark.parametrize("css", ["", "a b", 'x" onclick="y'])
def test_wrapper_class(parse, css):
    text = parse(text="x", wrapoutputclass=css, disablelimitreport="1").data["parse"]["text"]
    escaped = css.replace('"', "&quot;")
    wrapped = f'<div class="mw-content-ltr {escaped}" lang="en" dir="ltr"><p>x\n</p></div>'
    assert text == (wrapped if css else "<p>x\n</p>")


def test_other_content_models_are_shown_as_source(parse):
    for model in ("text", "css", "javascript", "Scribunto", "vue"):
        answer = parse(text="<b>", contentmodel=model, disablelimitreport="1").data["parse"]
        assert "&lt;" in answer["text"]
        assert "<b>" not in answer["text"]
        assert "<pre" in answer["text"]
    table = parse(text='{"a": [1, "<"]}', contentmodel="json").data["parse"]["text"]
    assert 'class="mw-json"' in table
    assert "&lt;" in table


def test_the_unknown_content_model_shows_a_note(parse):
    answer = parse(text="<b>secret</b>", contentmodel="unknown").data["parse"]
    assert '<div class="error">' in answer["text"]
    assert "secret" not in answer["text"]
    refused = parse(text="x", contentmodel="unknown", contentformat="text/x-wiki")
    assert refused.codes == "badformat"


def test_the_special_page_of_categories_has_its_name_in_the_language(
    make_site: Callable[..., Site],
) -> None:
    site = make_site({}, language="he")
    params = {"action": "parse", "text": "[[Category:C]]", "prop": "categorieshtml"}
    answer = ask(site, {**params, "contentmodel": "wikitext"}).data["parse"]
    assert 'title="מיוחד:קטגוריות"' in answer["categorieshtml"]


@pytest.mark.parametrize(
    ("params", "name"),
    [({}, "Letters"), ({"variant": "sr-ec"}, "Леттерс"), ({"uselang": "sr-ec"}, "Леттерс")],
)
def test_names_of_categories_are_in_the_variant(
    make_site: Callable[..., Site], params: dict[str, str], name: str
) -> None:
    site = make_site({}, language="sr")
    query = {"action": "parse", "text": "[[Category:Letters]]", "contentmodel": "wikitext"}
    answer = ask(site, {**query, "prop": "categorieshtml", **params}).data["parse"]
    assert f">{name}</a>" in answer["categorieshtml"]


def test_facts_that_are_html_or_source(parse):
    props = "categorieshtml|limitreporthtml|limitreportdata|parsetree|iwlinks|langlinks"
    answer = parse(text="{{Box}}[[de:X]][[:de:Y]][[Category:C]]", prop=props).data["parse"]
    assert "Category:C" in answer["categorieshtml"]
    assert "Revision size" in answer["limitreporthtml"]
    assert answer["limitreportdata"][3] == {
        "name": "limitreport-revisionsize",
        "0": 38,
        "1": 2097152,
    }
    assert answer["parsetree"].startswith("<root><template")
    assert answer["langlinks"][0]["url"] == "https://de.example/wiki/X"
    assert answer["iwlinks"] == [
        {"prefix": "de", "url": "https://de.example/wiki/Y", "title": "de:Y"}
    ]


def test_a_summary_alone(parse):
    answer = parse(summary="/* One */ [[Alpha]] <b>", title="Alpha", prop="").data["parse"]
    assert "text" not in answer
    assert "&lt;b&gt;" in answer["parsedsummary"]
    assert 'href="/wiki/Alpha"' in answer["parsedsummary"]


def test_a_new_section_gets_its_heading(parse):
    params = {"text": "x", "section": "new", "sectiontitle": "A & B", "prop": "wikitext"}
    answer = parse(**params, title="Alpha").data["parse"]
    assert answer["wikitext"] == "== A & B ==\n\nx"
    assert answer["parsedsummary"] == (
        '<span class="autocomment"><a href="#A_&amp;_B">→<bdi dir="ltr">A &amp; B</bdi></a>: '
        "</span> new section"
    )
    both = parse(**params, summary="said").data["parse"]
    assert both["parsedsummary"] == "said"


def test_a_section_link_in_a_summary_needs_no_page(parse):
    answer = parse(summary="/* One */", title="Nowhere", prop="").data["parse"]
    assert 'href="/wiki/Nowhere#One" title="Nowhere"' in answer["parsedsummary"]


def test_text_may_be_taken_for_a_revision(parse):
    answer = parse(text="{{PAGENAME}} {{REVISIONID}}", revid="5", prop="text")
    assert answer.data["parse"]["title"] == "Help:Plain"
    assert "Plain 5" in answer.data["parse"]["text"]
    assert not answer.warned
    other = parse(text="x", revid="5", title="Alpha")
    assert other.data["parse"]["title"] == "Help:Plain"
    assert other.warned == ["apierror-revwrongpage"]


def test_subtitle_leads_to_the_pages_above_that_exist(parse):
    assert parse(page="Help:Plain/Sub/Page", prop="subtitle").data["parse"]["subtitle"] == (
        '<div class="subpages">&lt; <bdi dir="ltr">'
        '<a href="/wiki/Help:Plain" title="Help:Plain">Help:Plain</a></bdi></div>'
    )
    assert parse(page="Help:Plain", prop="subtitle").data["parse"]["subtitle"] == ""


def test_head(parse):
    answer = parse(text="{{DISPLAYTITLE:''some page''}}", title="Some page", prop="headhtml")
    head = answer.data["parse"]["headhtml"]
    assert head.startswith('<!DOCTYPE html>\n<html class="client-nojs" lang="en" dir="ltr">')
    assert "<title>some page - " in head
    assert head.endswith('page-Some_page rootpage-Some_page skin-apioutput action-view">')
    hostile = parse(text="x", title='A"><script>', prop="headhtml")
    assert hostile.codes == "invalidtitle"
    quoted = parse(text="x", title="A\"'&B", prop="headhtml").data["parse"]["headhtml"]
    assert "<title>A\"'&amp;B - " in quoted
    assert "page-A_B rootpage-A_B" in quoted
    skin = parse(text="x", prop="headhtml", useskin="vector").data["parse"]["headhtml"]
    assert "skin-vector " in skin


def test_of_warnings_of_a_kind_the_last_is_told(parse):
    text = "{{Twice|a=1|a=2}} {{Twice|b=1|b=2}} {{DISPLAYTITLE:x}}"
    warnings = parse(text=text, prop="parsewarnings").data["parse"]["parsewarnings"]
    assert len(warnings) == 2
    assert '"b"' in warnings[0]


@pytest.mark.parametrize(
    ("language", "separators", "digits"),
    [
        ("en", ["", ""], ["", ""]),
        ("de", [",\t.", ".\t,"], ["", ""]),
        ("fa", [",\t.", "٬\t٫"], ["\t".join("0123456789"), "\t".join("۰۱۲۳۴۵۶۷۸۹")]),
    ],
)
def test_the_head_tells_how_numbers_are_written(
    make_site: Callable[..., Site], language: str, separators: list[str], digits: list[str]
) -> None:
    site = make_site({}, language=language)
    params = {"action": "parse", "text": "x", "prop": "headhtml", "contentmodel": "wikitext"}
    head = ask(site, params).data["parse"]["headhtml"]
    values = json.loads(re.search(r';RLCONF=({".*?});\s?RLSTATE=', head)[1])
    assert values["wgSeparatorTransformTable"] == separators
    assert values["wgDigitTransformTable"] == digits


def test_the_head_names_what_the_page_loads(parse):
    text = "<ref>a</ref><syntaxhighlight lang=python>x = 1</syntaxhighlight>[[Category:C d]]"
    params = {"text": text, "title": "Help:A b", "prop": "headhtml", "contentmodel": "wikitext"}
    head = parse(**params, useskin="vector-2022").data["parse"]["headhtml"]
    values = json.loads(re.search(r';RLCONF=({".*?});\s?RLSTATE=', head)[1])
    assert values["wgPageName"] == "Help:A_b"
    assert values["wgTitle"] == "A b"
    assert values["wgNamespaceNumber"] == 12
    assert values["wgCategories"] == ["C d"]
    assert values["wgMonthNames"][5] == "May"
    states = json.loads(re.search(r";RLSTATE=({.*?});RLPAGEMODULES=", head)[1])
    assert states["ext.cite.styles"] == "ready"
    modules = json.loads(re.search(r";RLPAGEMODULES=(\[.*?\]);</script>", head)[1])
    assert modules[-3:] == ["site", "mediawiki.page.ready", "skins.vector.js"]
    assert (
        '<link rel="stylesheet" href="/w/load.php?lang=en&amp;modules=ext.cite.styles'
        "%7Cext.pygments%7Cskins.vector.icons%2Cstyles%7Cskins.vector.search.codex.styles&amp;only=styles"
        '&amp;skin=vector-2022">'
    ) in head
    assert "modules=startup&amp;only=scripts&amp;raw=1&amp;skin=vector-2022" in head
    assert 'class="client-nojs vector-feature-' in head
    assert '<body class="skin--responsive skin-vector skin-vector-search-vue mediawiki ltr' in head


def test_the_head_of_a_page_without_a_skin_loads_what_its_content_needs(parse):
    head = parse(text="x", title="A", prop="headhtml").data["parse"]["headhtml"]
    assert "RLPAGEMODULES=[];" in head
    assert "only=styles" not in head


def test_scripts_of_the_head_do_not_end_early(parse):
    # The variables hold the HTML of the error.
    head = parse(text="{{#invoke:Nope|x}}", title="A", prop="headhtml").data["parse"]["headhtml"]
    values = re.search(r"RLCONF=(.*?);RLSTATE=", head)[1]
    assert "ScribuntoErrors" in values
    assert "\\u003C" in values
    assert not set("<>&") & set(values)


def test_a_skin_brings_modules(parse):
    params = {"text": "<ref>a</ref>", "title": "A", "prop": "modules|jsconfigvars"}
    bare = parse(**params).data["parse"]
    assert bare["modules"] == ["ext.cite.ux-enhancements"]
    assert bare["modulestyles"] == ["ext.cite.styles"]
    with_skin = parse(**params, useskin="monobook").data["parse"]
    assert with_skin["modules"] == [
        *("ext.cite.ux-enhancements", "site", "mediawiki.page.ready", "skins.monobook.scripts")
    ]
    assert with_skin["modulestyles"] == ["ext.cite.styles", "skins.monobook.styles"]
    assert with_skin["modulescripts"] == []


def test_warnings_as_html(parse):
    answer = parse(text="{{Twice|a=1|a=2}}", prop="parsewarnings|parsewarningshtml")
    (text,), (html,) = (answer.data["parse"][key] for key in ("parsewarnings", "parsewarningshtml"))
    assert "[[:Template:Twice]]" in text
    assert '<a href="/wiki/Template:Twice"' in html
    assert "<p>" not in html


def test_modules_without_variables_are_warned_about(parse):
    assert parse(text="x", title="A", prop="modules").warned == ["apiwarn-moduleswithoutvars"]
    assert not parse(text="x", title="A", prop="modules|jsconfigvars").warned


def test_a_skin_may_show_the_contents_beside_the_page(parse):
    params = {"text": "__TOC__\n== a ==", "title": "A", "prop": "text"}
    assert 'id="toc"' in parse(**params).data["parse"]["text"]
    beside = parse(**params, useskin="vector-2022").data["parse"]["text"]
    assert '<meta property="mw:PageProp/toc" />' in beside
    assert 'id="toc"' not in beside
    without = parse(**params, useskin="vector-2022", disabletoc="1").data["parse"]["text"]
    assert "mw:PageProp/toc" not in without


def test_code_is_read_for_its_links(parse):
    for model in ("css", "javascript"):
        answer = parse(text="/* [[Beta]] {{Box}} */", contentmodel=model).data["parse"]
        assert [link["title"] for link in answer["links"]] == ["Beta"]
        assert [link["title"] for link in answer["templates"]] == ["Template:Box"]
    assert parse(text="[[Beta]]", contentmodel="Scribunto").data["parse"]["links"] == []
