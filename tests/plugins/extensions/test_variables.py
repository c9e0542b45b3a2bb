from __future__ import annotations

import pytest

from tests.plugins.rendering import html_of, words_of
from wikiapi.site import Site
from wikiapi.testing import ask

PAGES = {
    "Template:Show": "{{#var:x|none}}",
    "Template:Set": "{{#vardefine:x|{{{1}}}}}",
    "Template:Final": "[[:{{#var_final:x}}]]",
}


pytestmark = pytest.mark.wiki(PAGES, writable=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#vardefine: x | 1 }}({{#var: x }})", "(1)"),
        ("{{#vardefineecho:x|1}}{{#vardefineecho:x|2}}{{#var:x}}", "122"),
        ("{{#var:x|{{#vardefineecho:y|d}}}}{{#var:y|-}}", "dd"),
        ("{{#vardefine:x|1}}{{#var:x|{{#vardefineecho:y|d}}}}{{#var:y|-}}", "1-"),
        ("{{#vardefine:x|}}{{#var:x|empty}} {{#varexists:x}}{{#varexists:y}}", "empty 1"),
        ("{{#vardefine:x|0}}{{#var:x|empty}}", "0"),
        ("{{#varexists:x|yes|no}}{{#vardefine:x}}{{#varexists:x|yes|no}}", "noyes"),
        ("{{#vardefine:|1}}{{#var:}}", "1"),
        ("{{#vardefine:x|a=b}}{{#var:x}}", "a=b"),
        ("{{Show}}{{Set|1}}{{Show}}{{Set|2}}{{Show}}", "none12"),
        ("{{#ifeq:{{#vardefineecho:x|1}}={{#var:x}}|1=1|yes|no}}", "yes"),
    ],
)
def test_values(site: Site, text: str, expected: str) -> None:
    assert words_of(site, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#var_final:x}}{{#vardefine:x|1}}{{#vardefine:x|2}}", "2"),
        ("{{#var_final:x|none}}", "none"),
        ("{{#vardefine:x|}}{{#var_final:x|empty}}", "empty"),
        ("{{#ifeq:{{#var_final:x}}|1|yes|no}}{{#vardefine:x|1}}", "no"),
        ("{{Final}}{{#vardefine:x|Template:Show}}", 'href="/wiki/Template:Show"'),
        ("<poem>{{#var_final:x}}</poem>{{#vardefine:x|'''1'''}}", "<b>1</b>"),
        ("{{#var_final:x}} {{#var_final:y}}{{#vardefine:x|<nowiki>''1''</nowiki>}}", "''1''"),
    ],
)
def test_final_values_are_those_of_the_end_of_the_page(
    site: Site, text: str, expected: str
) -> None:
    assert expected in html_of(site, text)


def test_a_value_that_begins_a_list_begins_a_line(site: Site) -> None:
    assert "<li>a</li>" in html_of(site, "{{#vardefine:x|\n* a}}b{{#var:x}}")


def test_another_page_has_variables_of_its_own(site: Site) -> None:
    assert words_of(site, "{{#vardefineecho:x|1}}") == "1"
    assert words_of(site, "{{#var:x|none}}") == "none"


def expand(site: Site, text: str, **params: str) -> dict[str, object]:
    request = {"action": "expandtemplates", "text": text, "prop": "wikitext|volatile", **params}
    return ask(site, request).data["expandtemplates"]


def test_expanded_wikitext(site: Site) -> None:
    answer = expand(site, "{{#var_final:x}}{{#vardefine:x|[[a]]}}")
    assert answer == {"wikitext": "[[a]]", "volatile": True}


def test_substituted(site: Site) -> None:
    text = "{{subst:#var_final:x}}{{subst:#vardefine:x|1}}{{subst:#var:x}}{{#var:x}}"
    answer = ask(site, {"action": "parse", "text": text, "onlypst": "1", "title": "Sandbox"})
    assert answer.data["parse"]["text"] == "11{{#var:x}}"
