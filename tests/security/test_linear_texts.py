"""What takes a text from outside takes time in proportion to it, and gives no more than that."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.security.growth import Stopwatch
from wikiapi.api.request import ApiRequest
from wikiapi.search.excerpts import excerpt, prose, rendered_prose
from wikiapi.site import Site
from wikiapi.testing import DeclaredFile, ask
from wikiapi.title.namespaces import USER
from wikiapi.title.subpages import resolve_subpage
from wikiapi.wikitext.block.paragraphs import ListState
from wikiapi.wikitext.html.tidy import MAX_REOPENED, tidy
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.preprocess.tags import TagScanner
from wikiapi_plugins.extensions.textextracts.filtering import REMOVED, Filter, plain_text

PATIENCE = 20.0
LARGEST = 100_000
OPTIONS = ParserOptions(limit_report=False)
NUMBERED = (
    "== {} ==\n",
    "a{}\n",
    "<ref>{}</ref>",
    "<ref name=a>{}</ref>",
    "<ref group={}>a</ref>",
    "<gallery>\nFile:{}.png|a\n</gallery>",
    "<gallery>\nFile:Photo.png|[[{}]]\n</gallery>\n== b ==\n",
    "[[File:{}.png]] [[Category:{}]]",
    "{{{{Template|a{}=1|a{}=2}}}}",
    "{{{{#time:Y|{}}}}}",
    "{{{{DEFAULTSORT:{}}}}}",
    "<indicator name={}>[[Page {}]]</indicator>",
    "<poem>[[{}]]\n:a</poem>",
)
"""What may stand on a page by the thousand."""


pytestmark = pytest.mark.wiki(
    {"Page": "x", "Template:Template": "{{{a1}}}"},
    files=[DeclaredFile("Photo.png")],
    config={"limits": {"template_cache_bytes": 0}, "plugins": {"disabled": ["scribunto"]}},
)


def assert_linear(
    run: Callable[[str], object], make: Callable[[int], str], size: int = 2000
) -> None:
    with Stopwatch(PATIENCE) as watch:
        assert watch.growth(run, make, size, LARGEST) == []


def rendering(site: Site) -> Callable[[str], object]:
    title = site.titles.parse("Page")
    return lambda text: site.parser.parse(text, title, OPTIONS)


def asking(site: Site, name: str, **params: str) -> Callable[[str], object]:
    """Return a function that sends a text as one parameter of a request."""

    def run(text: str) -> None:
        answer = ask(site, {**params, name: text})
        assert not answer.codes

    return run


@pytest.mark.parametrize("form", ["{}", "== {} ==", "{{{{DISPLAYTITLE:{}}}}}", "<ref>{}</ref>"])
def test_a_tag_that_does_not_end(site: Site, form: str) -> None:
    assert_linear(rendering(site), lambda size: form.format("<" + "a" * size))


def test_a_tag_that_does_not_end_in_a_requested_heading(site: Site) -> None:
    run = asking(site, "sectiontitle", action="parse", section="new", text="a", title="Page")
    assert_linear(run, lambda size: "<" + "a" * size)


@pytest.mark.parametrize("tag", ["poem", "pre", "ref", "gallery", "indicator name=a"])
def test_nowiki_without_end_in_a_tag(site: Site, tag: str) -> None:
    end = tag.partition(" ")[0]
    assert_linear(
        rendering(site), lambda size: f"<{tag}>{'<nowiki>' * (size // 8)}</{end}>", size=16_000
    )


@pytest.mark.parametrize("piece", [" ", "a ", ",", "a-", "a;q=0", ";", "a,"])
def test_the_languages_of_a_header(site: Site, piece: str) -> None:
    params = {"action": "query", "meta": "userinfo", "uiprop": "acceptlang"}

    def run(text: str) -> None:
        headers = {"accept-language": text}
        assert not ask(site, params, request=ApiRequest(params=params, headers=headers)).codes

    assert_linear(run, lambda size: "a" + piece * (size // len(piece)) + "\x01")


@pytest.mark.parametrize(
    "form",
    [
        "{{{{#coordinates:1|2|type:a{}b}}}}",
        "{{{{#coordinates:1|2|{}}}}}",
        "{{{{#coordinates:1{}|2}}}}",
        "{{{{filepath:Photo.png|1{}x}}}}",
        "[[File:Photo.png|100{}x200{}x]]",
        "<gallery widths='1{}x'>\nFile:Photo.png\n</gallery>",
    ],
)
def test_blanks_in_arguments(site: Site, form: str) -> None:
    assert_linear(rendering(site), lambda size: form.replace("{}", " " * size).format())


@pytest.mark.parametrize("piece", [" ", "\n", "\t", " \n", "<!--", "&#32;", "<h2", "a <"])
def test_blanks_in_extracts(piece: str) -> None:
    kept = Filter.of(REMOVED)
    assert_linear(
        lambda html: plain_text(html, kept),
        lambda size: f'<p title="{piece * (size // 8)}">a{piece * (size // len(piece))}b</p>',
    )


def test_headings_that_are_no_headings_in_extracts() -> None:
    kept = Filter.of(())
    heading = '<div class="mw-heading mw-heading2"><h2 id="a">b</h2>c</div>'
    assert_linear(lambda html: plain_text(html, kept), lambda size: heading * (size // 60), 20_000)


@pytest.mark.parametrize("form", NUMBERED)
def test_many_of_a_kind(site: Site, form: str) -> None:
    assert_linear(
        rendering(site),
        lambda size: "".join(form.format(number, number) for number in range(size)),
        size=250,
    )


def test_many_warnings() -> None:
    def warn(count: int) -> None:
        output = ParserOutput()
        for number in range(count):
            output.add_warning(f"the same beginning {number}", "text")
        output.add_warning("the same beginning 0", "text")
        assert len(output.warnings) == count

    assert_linear(warn, lambda size: size)  # type: ignore[arg-type,return-value]


def test_many_terms_on_a_line() -> None:
    def read(text: str) -> None:
        html, rest = ListState().line(";" * (len(text) // 2), text)
        assert html.endswith("<dt>a</dt>\n<dd>") or rest == ""

    assert_linear(read, lambda size: "a:" * size, size=10_000)


def test_many_steps_up(site: Site) -> None:
    page = site.titles.make(USER, "A/B")
    assert_linear(
        lambda name: resolve_subpage(page, name), lambda size: "../" * size + "C", size=20_000
    )


def test_many_tags_that_mean_nothing_here() -> None:
    def scan(source: str) -> None:
        scanner = TagScanner(source, inclusion=False)
        for start in range(0, len(source) - 1, 14):
            assert scanner.tag(start, start + 13).type == "TEXT"

    assert_linear(scan, lambda size: "</includeonly " * size + ">", size=20_000)


@pytest.mark.parametrize(
    "left_open",
    [
        "<u id=a{}>",
        "<u id=a{}></b>",
        "[[Page]]<u id=a{}>",
        "<u id=a{}><table><tr><td></u></td></tr></table>",
        "<u id=a{}>" + "<div>" * 9 + "</u>" + "</div>" * 9,
    ],
)
def test_formatting_is_not_opened_again_in_all_paragraphs(site: Site, left_open: str) -> None:
    def length(size: int) -> int:
        text = "".join(map(left_open.format, range(size))) + "\n\na" * 10 * size
        return len(site.parser.parse(text, site.titles.parse("Page"), OPTIONS).html)

    assert length(400) < 5 * length(100)


def test_long_attributes_are_not_repeated_in_all_paragraphs(site: Site) -> None:
    text = f"<u title={'a' * 40_000}>" + "\n\na" * 4000
    html = site.parser.parse(text, site.titles.parse("Page"), OPTIONS).html
    assert len(html) < 2 * MAX_REOPENED


@pytest.mark.parametrize(
    "piece",
    ["[[A]]<u><dt>a</dt>", "<u></b><dt>a</dt>", "<u id=a></b><p>x</p>", "<i></u><h2>a</h2>"],
)
def test_formatting_around_blocks_by_the_hundred(site: Site, piece: str) -> None:
    """No depth of tags is more than the interpreter's stack holds."""
    assert site.parser.parse(piece * 1500, site.titles.parse("Page"), OPTIONS).html


MARKED = (
    "{{#if:}}",
    "{{#if:a|a}}\n\n",
    "{{#if:a|<div>\n}}",
    "{{#if:a|\n</div>}}",
    "<!---->",
    " <!---->",
    "<b {{#if:a|a}} ",
    "[[{{#if:a|a}}",
    "[[{{#if:a|a}}|b]]",
    "[http://a/{{#if:a|a}}",
    "[[File:Photo.png|{{#if:a|a}}|",
    "[[Category:A]] {{#if:}}\n",
    "<nowiki />",
    "<blockquote>{{#if:a|a}}",
    "*{{#if:a|a}}\n",
    "{|\n|{{#if:a|a}}|{{#if:a|a}}\n",
    "== {{#if:a|a}} ==\n",
    "<ref>{{#if:a|a}}</ref>",
    "{{{a}}}",
    "{{{a|}}}",
    "{{{a}}}\n\n",
    "{{[{{#if:a|a}}|",
    "<b a={{#if:a|a}} {{#if:a|b=c d}}>",
    "{|\n|{{#if:a|a{{!}}b}} c\n",
    "<table>{{#if:a|</table>}}",
    "<div>{{#if:a|</div>}}a",
    "*a{{#if:a|<div>\n}}</div>\n",
    "<noinclude>",
    "<ref name=a>{{#if:a|a}}</ref><ref follow=a>b</ref>",
    "<references><ref name=a>b</ref></references>",
    "{{#tag:references|<ref name=a>b</ref>}}",
)
"""What comes from calls and tags, of which Parsoid's form tells."""


@pytest.mark.parametrize("form", MARKED)
def test_calls_that_are_told_of(site: Site, form: str) -> None:
    title = site.titles.parse("Page")
    options = ParserOptions(limit_report=False, parsoid=True)
    assert_linear(
        lambda text: site.parser.parse(text, title, options), lambda count: form * count, 500
    )


@pytest.mark.parametrize(
    "piece",
    ["{{", "{{{", "{{a|", "}}", "{{a|b}} ", "[[", "[[a|", "[[a]] ", "<ref>", "<", "=", "| a "],
)
def test_excerpts_of_search_results(site: Site, piece: str) -> None:
    page, terms = site.titles.parse("A"), re.compile(r"\ba\w*+")

    def run(text: str) -> None:
        excerpt(prose(site, page, text, "wikitext"), terms)

    assert_linear(run, lambda size: piece * (size // len(piece)), size=10_000)


@pytest.mark.parametrize(
    "piece", ["<div>", "<p>a", "<table><tr><td>a", '<div class="navbox">', "<h2>a</h2>", "a<b>"]
)
def test_excerpts_of_rendered_pages(piece: str) -> None:
    terms = re.compile(r"\ba\w*+")

    def run(source: str) -> None:
        excerpt(rendered_prose(source), terms)

    assert_linear(run, lambda size: tidy(piece * (size // len(piece))), size=10_000)
