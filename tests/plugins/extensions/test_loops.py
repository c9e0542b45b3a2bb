from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugins.rendering import html_of, words_of
from wikiapi.site import Site

ERROR = '<div class="error">'
PAGES = {
    "Template:Arguments": "{{#forargs:{{{from|}}}|k|v|{{#var:k}}={{#var:v}};}}",
    "Template:Numbers": "{{#fornumargs:n|v|{{#var:n}}={{#var:v}};}}",
}


pytestmark = pytest.mark.wiki(PAGES, writable=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#loop:n|1|4| ({{#var:n}}) }}", "(1)(2)(3)(4)"),
        ("{{#loop:n|2|-3|{{#var:n}},}}", "2,1,0,"),
        ("{{#loop:n|1|0|x}}", ""),
        ("{{#loop:n||2|{{#var:n}}}}", "01"),
        ("{{#loop:n|a|b|x}}", ""),
        ("{{#loop:n|3|1|}}{{#var:n}}", "3"),
        ("{{#loop:n|1|2|{{#loop:m|1|2|{{#var:n}}{{#var:m}},}}}}", "11,12,21,22,"),
        (
            ("{{#while:|{{#ifexpr:{{#var:i|0}}<3|1}}"
            "|{{#vardefineecho:i|{{#expr:{{#var:i|0}}+1}}}}}}"),
            "123",
        ),
        ("{{#while:||x}}{{#dowhile:||x}}", "x"),
        ("{{Numbers|a|3=c|x=y|b}}", "1=a;2=b;3=c;"),
        ("{{Numbers|10=j|9=i}}", "9=i;10=j;"),
        ("{{Arguments|from=a|ab=1|ac=2|b=3}}", "b=1;c=2;"),
        ("{{#fornumargs:n|v|x}}{{#forargs:|k|v|x}}", ""),
    ],
)  # fmt: skip
def test_loops(site: Site, text: str, expected: str) -> None:
    assert words_of(site, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "{{#while:|1|q}}",
        "{{#dowhile:|1|q}}",
        "{{#loop:n|1|999999999999999999|q}}",
        "{{#loop:n|1|60|q}}{{#loop:n|1|60|q}}",
    ],
)
def test_the_rounds_of_a_page_are_limited(site: Site, text: str) -> None:
    html = html_of(site, text)
    assert html.count("q") == 100
    assert html.count(ERROR) == 1


def test_as_many_rounds_as_allowed(site: Site) -> None:
    assert ERROR not in html_of(site, "{{#loop:n|1|100|x}}")


def test_another_limit(make_site: Callable[..., Site]) -> None:
    site = make_site({}, config={"extensions": {"loops": {"limit": 3}}})
    assert html_of(site, "{{#while:|1|x}}").startswith("<p>xxx")


def test_without_variables(make_site: Callable[..., Site]) -> None:
    site = make_site({}, config={"plugins": {"disabled": ["variables"]}})
    assert words_of(site, "{{#dowhile:||x}} {{#loop:n|1|2|x}}") == "x {{#loop:n|1|2|x}}"
