from __future__ import annotations

import pytest

from wikiapi.site import Site
from wikiapi.structure import TemplateCall, template_calls

TEXT = """{{Box
| name = Green tea <!-- a note -->
| origin = [[China]]
| first | {{lc:SECOND}}
}} and {{{unset|{{Inner|a=b}}}}}.<ref>{{Cite|url=https://example.org}}</ref>
== {{Head}} ==
{{#if: yes | {{Chosen| x }} }} {{PAGENAME}} <nowiki>{{Not}}</nowiki> <!-- {{Not}} -->
{{:Main page}} {{/Sub}} {{ {{Name}} | 1 }} {{Cite|1=a|b|1=c}}"""

pytestmark = pytest.mark.wiki({"Template:Cite": "[{{{url}}} link]"})


def calls(site: Site, text: str, page: str = "Tea") -> list[TemplateCall]:
    def render(source: str) -> str:
        return site.parser.parse(source, site.titles.parse(page)).html

    with site.answering():
        return template_calls(text, site.titles.parse(page), site.parser, render)


def test_positions_are_those_of_the_source(site: Site) -> None:
    for call in calls(site, TEXT):
        assert TEXT[call.start : call.end] == call.source
        assert call.source.startswith("{{")
        assert call.source.endswith("}}")
        assert call.source.removeprefix("{{").strip().startswith(call.name)


def test_calls_of_templates_are_found_wherever_wikitext_is(site: Site) -> None:
    assert [(call.name, call.title, call.depth) for call in calls(site, TEXT)] == [
        ("Box", "Template:Box", 0),
        ("Inner", "Template:Inner", 0),
        ("Cite", "Template:Cite", 0),
        ("Head", "Template:Head", 0),
        ("Chosen", "Template:Chosen", 1),
        (":Main page", "Main page", 0),
        ("/Sub", "Template:/Sub", 0),
        ("{{Name}}", "", 0),
        ("Name", "Template:Name", 1),
        ("Cite", "Template:Cite", 0),
    ]


def test_arguments_have_names_or_numbers(site: Site) -> None:
    box = calls(site, TEXT)[0]
    assert {name: value.source for name, value in box.arguments.items()} == {
        "name": "Green tea <!-- a note -->",
        "origin": "[[China]]",
        "1": " first ",
        "2": " {{lc:SECOND}}\n",
    }
    assert box.get("origin") == "[[China]]"
    assert box.get("colour", "none") == "none"


def test_last_argument_of_a_name_counts(site: Site) -> None:
    assert calls(site, TEXT)[-1].get("1") == "c"


def test_arguments_and_calls_are_rendered(site: Site) -> None:
    box, cite = calls(site, TEXT)[0], calls(site, TEXT)[2]
    assert box.arguments["2"].text == "second"
    assert 'title="China' in box.arguments["origin"].html
    assert 'href="https://example.org"' in cite.html
    assert cite.text == "link"


@pytest.mark.parametrize(
    "text",
    ["{{" * 20_000, "{{a|" * 20_000 + "}}" * 20_000, "<ref>{{a}}" * 10_000, "{{a|b=" * 20_000],
    ids=["braces", "calls", "tags", "names"],
)
def test_any_text_can_be_read(site: Site, text: str) -> None:
    for call in calls(site, text):
        assert text[call.start : call.start + 2] == "{{"
