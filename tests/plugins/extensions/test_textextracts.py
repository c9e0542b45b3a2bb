from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.api.registries import registries
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import Wiki, ask
from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi_plugins.extensions.textextracts import (
    PageExtracts,
    first_characters,
    first_sentences,
)
from wikiapi_plugins.extensions.textextracts.filtering import (
    Filter,
    formatted,
    introduction,
    limited_html,
    mark,
    plain_text,
)

PAGES = {
    "A": "'''A''' is ''first''. See [[B]].\n{|\n| table\n|}\n== One ==\n"
    "Text<span class=x id=y>s</span>.\n=== Ü ===\nEnd.",
    "B": "Just<!-- a comment --> B.",
    "File:Pic.png": "A picture.",
}
INTRO = "<p><b>A</b> is <i>first</i>. See B.\n</p>\n\n"
WHOLE = (
    INTRO
    + '<h2 data-mw-anchor="One">One</h2>\n<p>Text<span id="y">s</span>.\n</p>\n'
    + '<h3 data-mw-anchor="Ü" data-mw-fallback-anchor=".C3.9C">Ü</h3>\n<p>End.\n</p>'
)


pytestmark = pytest.mark.wiki(PAGES, writable=False)


def extracts(site: Site, titles: str, **params: str) -> dict[str, Any]:
    query = {"action": "query", "prop": "extracts", "titles": titles, **params}
    answer = ask(site, query)
    assert not answer.codes
    return {page["title"]: page.get("extract") for page in answer.data["query"]["pages"]}


def test_html_keeps_formatting_and_drops_links_tables_and_looks(site: Site) -> None:
    assert extracts(site, "A") == {"A": WHOLE}


@pytest.mark.parametrize(
    ("form", "title"),
    [("wiki", "\n\n\n== One ==\n"), ("plain", "\n\n\nOne\n"), ("raw", "\n\n\1\0022\2\1One\n")],
)
def test_plain_text_shows_section_titles_in_the_requested_format(
    site: Site, form: str, title: str
) -> None:
    text = extracts(site, "A", explaintext="1", exsectionformat=form)["A"]
    assert text.startswith(f"A is first. See B.{title}Texts.")


def test_introduction_ends_at_the_first_heading(wiki: Wiki) -> None:
    # Of a wiki that has cached nothing: see the next test but one.
    html = {"A": INTRO.rstrip(), "B": "<p>Just B.\n</p>"}
    assert extracts(wiki.site, "A|B", exintro="1") == html
    plain = {"A": "A is first. See B.", "B": "Just B."}
    assert extracts(wiki.site, "A|B", exintro="1", explaintext="1") == plain


@pytest.mark.parametrize(
    ("params", "intro"), [({}, INTRO), ({"explaintext": "1"}, "A is first. See B.")]
)
def test_introduction_of_a_cached_extract(site: Site, params: dict[str, str], intro: str) -> None:
    extracts(site, "A", **params)
    assert extracts(site, "A", exintro="1", **params) == {"A": intro}


def test_introduction_ends_at_headings_that_are_left_out(make_site: Callable[..., Site]) -> None:
    site = make_site({"A": "{|\n|\n== Head ==\n|}\nText\n== Other ==\n"})
    assert extracts(site, "A", exintro="1") == {"A": ""}
    assert extracts(site, "A", explaintext="1")["A"].startswith("Text")


def test_whole_pages_are_reported_one_by_one(site: Site) -> None:
    query = {"action": "query", "prop": "extracts", "titles": "A|B", "explaintext": "1"}
    first = ask(site, query)
    assert first.warned == ["apiwarn-textextracts-limit"]
    assert first.data["continue"] == {"excontinue": 1, "continue": "||"}
    second = ask(site, query | {"excontinue": "1", "continue": "||"}).data
    assert "continue" not in second
    pages = [*first.data["query"]["pages"], *second["query"]["pages"]]
    assert [page["title"] for page in pages if "extract" in page] == ["A", "B"]


def test_warnings_come_in_order_and_once(site: Site) -> None:
    query = {"action": "query", "prop": "extracts", "titles": "A|B|File:Pic.png"}
    asked = ask(site, query | {"exintro": "1", "exsentences": "1"})
    prefix = "apiwarn-textextracts-"
    endings = ["sentences-and-html", "malformed-html", "title-in-file-namespace"]
    assert asked.warned == [prefix + ending for ending in endings]
    by_title = {page["title"]: page["extract"] for page in asked.data["query"]["pages"]}
    assert by_title["File:Pic.png"] == ""


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"exchars": "5", "exsentences": "1"}, "invalidparammix"),
        ({"excontinue": "3"}, "badcontinue"),
        ({"excontinue": "-1"}, "badcontinue"),
        ({"excontinue": "1_0"}, "badinteger"),
    ],
)
def test_refusals(site: Site, params: dict[str, str], code: str) -> None:
    query = {"action": "query", "prop": "extracts", "titles": "A|B", **params}
    assert ask(site, query).codes == code


def test_only_wikitext_has_extracts(make_site: Callable[..., Site]) -> None:
    site = make_site({"User:A/a.css": "a { color: red }"})
    query = {"action": "query", "prop": "extracts", "titles": "User:A/a.css", "explaintext": "1"}
    assert ask(site, query).warned == ["apiwarn-textextracts-unsupportedmodel"]
    assert extracts(site, "User:A/a.css") == {"User:A/a.css": ""}


def test_redirects_do_not_say_where_they_lead(make_site: Callable[..., Site]) -> None:
    site = make_site({"Old": "#REDIRECT [[New]]", "Older": "#REDIRECT [[New]]\nMore"})
    assert extracts(site, "Old", exchars="2") == {"Old": ""}
    assert extracts(site, "Older") == {"Older": "<p>More\n</p>"}


def test_missing_pages_have_none(site: Site) -> None:
    assert extracts(site, "Nowhere") == {"Nowhere": None}


def test_xml_has_the_extract_as_an_element(site: Site) -> None:
    query = {"action": "query", "prop": "extracts", "titles": "B", "explaintext": "1"}
    assert ask(site, query | {"format": "xml"}).version1["query"]["pages"] == {
        "2": {"pageid": 2, "ns": 0, "title": "B", "extract": {"*": "Just B."}}
    }
    assert ask(site, query).version1["query"]["pages"]["2"]["extract"] == "Just B."


def test_a_rendering_is_cached(make_site: Callable[..., Site]) -> None:
    calls: list[str] = []

    class Counting:
        @hookimpl
        def register_extension_tags(self) -> list[ExtensionTag]:
            return [ExtensionTag("count", lambda call: str(calls.append(call.name)))]

    site = make_site({"A": "<count />"}, plugins=[Counting()])
    calls.clear()
    for _ in range(3):
        assert extracts(site, "A", explaintext="1") == {"A": "None"}
    assert calls == ["count"]
    assert PageExtracts.of(site) is PageExtracts.of(site)


def test_what_is_left_out_is_configured(make_site: Callable[..., Site]) -> None:
    config = {"extensions": {"textextracts": {"remove": ["#gone", "b.loud", ".quiet"]}}}
    text = '<b id="gone">1</b><b class="loud">2</b><i class="loud">3</i><u class="quiet">4</u>'
    site = make_site({"A": text}, config=config)
    assert extracts(site, "A") == {"A": '<p><i class="loud">3</i>\n</p>'}


def test_switched_off_by_name(make_site: Callable[..., Site]) -> None:
    site = make_site(PAGES, config={"plugins": {"disabled": ["textextracts"]}})
    asked = ask(site, {"action": "query", "prop": "extracts", "titles": "A"})
    assert asked.warned == ["paramvalidator-unrecognizedvalues"]
    assert "extracts" not in registries(site).query_modules


NESTED = Filter.of(["div", ".x"])


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ("<div><p class=x>a</p><div>b</div></div>c", "c"),
        ("<p>a<span class=x>b<span class=x>c</span></span>d</p><p class=x>e</p>", "<p>ad</p>"),
        ("a&nbsp;&lt;b&gt; &amp;nbsp;<br />", "a\xa0&lt;b&gt; &amp;nbsp;<br/>"),
        ('<p>a<hr title="x>y">b<i></i></p>', '<p>a</p><hr title="x&gt;y"/>b<i></i><p></p>'),
        ('<a title="x>y">b</a><abbr title="a">c</abbr>', 'b<abbr title="a">c</abbr>'),
        ("", ""),
    ],
)
def test_limited_html(html: str, kept: str) -> None:
    assert limited_html(html, NESTED) == kept


def test_plain_text_is_text() -> None:
    html = '<p>a &lt;b&gt;&nbsp;c</p>\n\n\n\n<ul title="x>y"><li>d</li></ul><br>&#13;e'
    assert plain_text(html, NESTED) == "a <b> c\n\nd\ne"


def test_deep_html_is_filtered_without_recursion() -> None:
    assert limited_html("<b>" * 3000 + "x", Filter.of(["div"])).count("<b>") == 3000


@pytest.mark.parametrize(
    ("text", "count", "cut"),
    [
        ("<p>Hello world</p>", 1, '<p class="mw-empty-elt"></p>...'),
        ("<p>Hello world</p>", 5, "<p>Hello</p>..."),
        ("<p>Hello world</p>", 99, "<p>Hello world</p>"),
        ("<p>Hello world</p>", 15, "<p>Hello world</p>"),
    ],
)
def test_first_characters_go_on_to_the_end_of_a_word_or_tag(
    text: str, count: int, cut: str
) -> None:
    assert first_characters(text, count, plain=False) == cut


@pytest.mark.parametrize(
    ("text", "count", "cut"),
    [
        ("One. Two! Three? Four", 2, "One. Two!"),
        ("One. Two! Three? Four", 9, "One. Two! Three?"),
        ("J. R. R. Tolkien wrote. More", 1, "J. R. R. Tolkien wrote."),
        ("Version 1.45 is out. More", 1, "Version 1.45 is out."),
        ("一。二。三", 2, "一。二。"),
        ("no end here\nat all", 1, "no end here"),
        ("Last one.", 1, "Last one."),
        (".", 1, "."),
    ],
)
def test_first_sentences(text: str, count: int, cut: str) -> None:
    assert first_sentences(text, count, plain=True) == cut


def test_marks_of_titles() -> None:
    marked = mark("a\n <h2>B</h2>")
    assert introduction(marked, plain=True) == "a"
    assert formatted("\1\0023\2\1 T \nx", "wiki") == "\n=== T ===\nx"


def test_extracts_in_the_old_form(make_site: Callable[..., Site]) -> None:
    """MediaWiki 1.39 gives these extracts."""
    config = {"wikitext": {"legacy_media": True, "legacy_headings": True}}
    pages = {**PAGES, "P": "a [[File:Pic.png|20px|x]] b [[File:Pic.png|thumb|c]]\n== É ==\nc"}
    site = make_site(pages, files=["Pic.png"], config=config)
    query = {"action": "query", "prop": "extracts", "titles": "P"}
    html = ask(site, query).data["query"]["pages"][0]["extract"]
    head = '<h2><span id=".C3.89"></span><span id="É">É</span></h2>'
    assert html == f"<p>a  b </p>\n{head}\n<p>c\n</p>"
    text = ask(site, query | {"explaintext": "1"}).data["query"]["pages"][0]["extract"]
    assert text == "a  b \n\n\n== É ==\nc"
