"""Footnotes and their lists, as data: name to ``[wikitext, HTML]``, both as lists of lines."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases import golden
from wikiapi.errors import PluginError
from wikiapi.site import Site
from wikiapi.testing import DeclaredFile, make_site
from wikiapi.title.namespaces import Namespace
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.pagecache import footprint

CASES = golden(Path(__file__).parent)
OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
PAGES = {
    "Page": "the page",
    "MediaWiki:Cite link label group-roman": "i  ii\niii",
    "Template:Echo": "{{{1}}}",
    "Template:Quote": "<ref>{{{1}}}</ref>",
    "Template:Cited": "{{#tag:ref|{{{1}}}}}",
}


pytestmark = pytest.mark.wiki(PAGES, files=[DeclaredFile("Wide.jpg", width=800, height=200)])


@pytest.mark.parametrize(("text", "html"), CASES)
def test_html(site: Site, text: str, html: str) -> None:
    title = site.titles.parse("Golden")
    assert site.parser.parse(text, title, OPTIONS).html == html
    assert site.parser.parse(text, title, OPTIONS).html == html


@pytest.mark.parametrize(("text", "html"), CASES)
@pytest.mark.parametrize("around", ["{|\n| %s\n|}", "* %s", "<div>%s</div>", "# a\n%s"])
def test_elsewhere(site: Site, text: str, html: str, around: str) -> None:
    rendered = site.parser.parse(around % text, site.titles.parse("Golden"), OPTIONS).html
    assert "\x7f" not in rendered
    assert rendered.count('class="reference"') == html.count('class="reference"')


@pytest.mark.parametrize("html", [case.values[1] for case in CASES if "error" not in str(case.id)])
def test_links_lead_to_ids(html: str) -> None:
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    targets = re.findall(r' href="#(cite_[^"]*)"', html)
    assert {target.replace("%25", "%") for target in targets} <= set(ids)


def test_links_in_footnotes_are_the_pages(site: Site) -> None:
    text = "<ref>[[Page]] {{Echo|[[Missing]]}} https://a.example/</ref>"
    targets = site.parser.links_of(text, site.titles.parse("Golden"))
    assert {title.text for title in targets.links.values()} == {"Page", "Missing"}
    assert list(targets.external_links) == ["https://a.example/"]
    assert "Template:Echo" in {title.prefixed_text for title in targets.templates.values()}


def test_modules_only_where_there_are_footnotes(site: Site) -> None:
    title = site.titles.parse("Golden")
    texts = ("<ref>x</ref>", "<references/>")
    with_note, without = (site.parser.parse(text, title) for text in texts)
    assert list(with_note.modules) == ["ext.cite.ux-enhancements"]
    assert list(with_note.module_styles) == ["ext.cite.styles"]
    assert not without.modules
    assert not without.module_styles


def test_errors_put_the_page_into_a_category(site: Site) -> None:
    title = site.titles.parse("Golden")
    assert "Pages_with_reference_errors" in site.parser.parse("<ref />", title).categories
    assert not site.parser.parse("<ref>x</ref>", title).categories


def test_a_part_of_a_page_is_shown_with_all_its_footnotes(site: Site) -> None:
    options = replace(OPTIONS, section_preview=True)
    text = "<ref name=a /><ref group=g>x</ref>"
    output = site.parser.parse(text, site.titles.parse("Golden"), options)
    assert '<div class="mw-ext-cite-cite_section_preview_references">' in output.html
    assert 'class="warning mw-ext-cite-warning' in output.html
    assert '<ol class="references" data-mw-group="g">' in output.html
    assert not output.categories


def test_errors_are_in_the_readers_language(site: Site) -> None:
    options = replace(OPTIONS, language="he")
    html = site.parser.parse("<ref />", site.titles.parse("Golden"), options).html
    assert 'class="error mw-ext-cite-error" lang="he" dir="rtl"' in html


def test_digits_are_the_wikis(make_site: Callable[..., Site]) -> None:
    site = make_site({}, config={"site": {"language": "fa"}})
    html = site.parser.parse("<ref name=a>x</ref><ref name=a />", site.titles.parse("A")).html
    assert "۱٫۰" in html
    assert 'id="cite_ref-a_1-0"' in html


@pytest.mark.parametrize(("language", "number"), [("fo", "1.0"), ("de", "1,0"), ("km", "១,០")])
def test_numbers_of_repeated_marks_have_the_declared_separator(
    make_site: Callable[..., Site], language: str, number: str
) -> None:
    site = make_site({}, language=language)
    html = site.parser.parse("<ref name=a>x</ref><ref name=a />", site.titles.parse("A")).html
    assert f">{number}</a>" in html


def test_switched_off_its_tags_are_text(make_site: Callable[..., Site]) -> None:
    site = make_site({}, config={"plugins": {"disabled": ["cite"]}})
    html = site.parser.parse("<ref>x</ref>", site.titles.parse("A"), OPTIONS).html
    assert html == "<p>&lt;ref&gt;x&lt;/ref&gt;\n</p>"


def test_settings(make_site: Callable[..., Site]) -> None:
    config = {"extensions": {"cite": {"responsive_threshold": 1}}}
    site = make_site({}, config=config)
    html = site.parser.parse("<ref>x</ref><ref>y</ref>", site.titles.parse("A"), OPTIONS).html
    assert "mw-references-columns" in html


@pytest.mark.parametrize("wrong", [{"columns": 2}, {"responsive": 1}, {"responsive_threshold": ""}])
def test_wrong_settings_are_reported_at_the_start(wrong: dict[str, object]) -> None:
    with pytest.raises(PluginError, match=rf"extensions\.cite\.{next(iter(wrong))}"):
        assert make_site({}, config={"extensions": {"cite": wrong}}).parser


def test_a_rendering_is_data_alone(site: Site) -> None:
    text = "A<ref>one</ref><ref name=a>two</ref> <ref name=a /> <references />"
    output = site.parser.parse(text, site.titles.parse("Page"), ParserOptions(limit_report=False))
    assert pickle.loads(pickle.dumps(output)).html == output.html
    assert footprint(output, shared=(Namespace,)) < 30_000


def test_the_wiki_can_change_the_forms_of_marks_and_links_back(
    make_site: Callable[..., Site],
) -> None:
    site = make_site(
        {
            "MediaWiki:Cite reference link": '<sup id="$1">([[#$2|$3]])</sup>',
            "MediaWiki:Cite references link one": "<li id=\"$1\"$4>[[#$2|'''^''']] $3</li>",
            "MediaWiki:Cite references link many format": "[[#$1|''$3'']]",
            "MediaWiki:Cite references link many sep": ",&#32;",
            "MediaWiki:Cite references link many and": "&#32;<und>&#32;",
        }
    )
    text = 'a<ref>one</ref>b<ref name="n">two</ref><ref name="n" /><ref name="n" />'
    html = site.parser.parse(text, site.titles.parse("Page")).html
    assert 'b<sup id="cite_ref-n_2-0">(<a href="#cite_note-n-2">2</a>)</sup>' in html
    assert '<li id="cite_note-1"><a href="#cite_ref-1"><b>^</b></a> <span' in html
    links = [f'<a href="#cite_ref-n_2-{n}"><i>{letter}</i></a>' for n, letter in enumerate("abc")]
    assert f"↑ {links[0]}, {links[1]} &lt;und&gt; {links[2]}</span>" in html
