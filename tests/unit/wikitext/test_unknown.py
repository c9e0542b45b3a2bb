"""Tags and parser functions that no plugin knows."""

from __future__ import annotations

import json
import re
from importlib import resources

import pytest

from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.unknown import PROPERTY, extension_of, unknown_names, usual_owners

CATEGORY = "Pages_with_unknown_tags_or_parser_functions"
PAGES = {
    "Template:Third": "{{#notyet:a}}",
    "Template:Unused": "{{#if:|{{#notyet:a}}}}",
    "Template:Here:x": "a page",
}


pytestmark = pytest.mark.wiki(PAGES)


def parsed(site: Site, text: str, target: Target = Target.HTML) -> ParserOutput:
    options = ParserOptions(limit_report=False, target=target)
    return site.parser.parse(text, site.titles.parse("Some page"), options)


@pytest.mark.parametrize("target", [Target.HTML, Target.LINKS])
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{{#notyet:a|b}}", "{{#notyet:}}"),
        ("{{ #NotYet: a }}", "{{#notyet:}}"),
        ("{{Third}} {{#other:}}", "{{#notyet:}} {{#other:}}"),
        ("<mytag>x</mytag>", "<mytag>"),
        ("<MyTag a='b' />", "<mytag>"),
        ("<mytag>\n* a\n* b\n</mytag>", "<mytag>"),
        ("<randomgameunit>", "<randomgameunit>"),
        ("{{noexternallanglinks:x}}", "{{noexternallanglinks:}}"),
        ("<quiz><title source='a'/><image source='b' /></quiz>", "<quiz>"),
    ],
)
def test_what_no_plugin_knows_is_noted(site: Site, text: str, names: str, target: Target) -> None:
    output = parsed(site, text, target)
    assert output.properties.get(PROPERTY) == names
    assert CATEGORY in output.categories


@pytest.mark.parametrize(
    "text",
    [
        "{{#if:x|y}} <poem>x</poem> <b>x</b>",
        "<name> and <your page>",
        "1 <x and y> 2",
        "</mytag>",
        "<script>x</script> <a href='x' /> <img src='x'/>",
        "<nowiki><mytag>x</mytag> {{#notyet:}}</nowiki> <nowiki>",
        "<!-- {{#notyet:}} <mytag/> -->",
        "<gallery>",
        "<onlyinclude> <includeonly>{{#notyet:}}</includeonly>",
        "{{Missing:x}} {{Here:x}} {{#}} {{#nothing}} {{#a b:c}} {{#:x}}",
        "{{Unused}}",
        "<a@b.example/> <http://example.org/>",
    ],
)
def test_other_texts_are_not(site: Site, text: str) -> None:
    output = parsed(site, text)
    assert PROPERTY not in output.properties
    assert CATEGORY not in output.categories


def test_a_page_notes_a_bounded_number_of_names(site: Site) -> None:
    output = parsed(site, "".join(f"<tag{n}/>{{{{#f{n}:}}}}" for n in range(1000)))
    assert len(list(unknown_names(output.properties[PROPERTY]))) == 50


def test_a_setting_turns_it_off() -> None:
    site = make_site(PAGES, config={"site": {"track_unknown": False}})
    output = parsed(site, "{{#notyet:}} <mytag/>")
    site.db.close()
    assert not output.properties
    assert not output.categories


def test_the_wiki_names_the_category_or_turns_it_off() -> None:
    for name, expected in (("Third parties", ["Third_parties"]), ("-", [])):
        site = make_site({"MediaWiki:Wikiapi-unknown-category": name})
        output = parsed(site, "{{#notyet:}}")
        site.db.close()
        assert list(output.categories) == expected
        assert PROPERTY in output.properties


def test_names_belong_to_extensions() -> None:
    assert extension_of("<quiz>") == "Quiz"
    assert extension_of("{{#ask:}}") == "Semantic MediaWiki"
    assert extension_of("<mytag>") == extension_of("{{#notyet:}}") == ""


def test_the_table_is_well_formed() -> None:
    text = resources.files("wikiapi.wikitext").joinpath("unknown.json").read_text("utf-8")
    data = json.loads(text)
    for kind, pattern in (("tags", r"[a-z][a-z0-9_-]*"), ("functions", r"#?[a-z][\w-]*")):
        names = [name for entry in data.values() for name in entry.get(kind, ())]
        assert len(names) == len(set(names)), kind
        assert all(re.fullmatch(pattern, name) for name in names)
    assert len(usual_owners().tags) > 100
