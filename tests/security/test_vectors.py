"""Public lists of hostile inputs: what comes out of ``action=parse`` neither runs nor loads."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import pytest

from tests.security.harmless import faults, harms
from tests.security.vectors import named
from wikiapi.site import Site
from wikiapi.testing import Edit
from wikiapi.testing.client import URLENCODED, ApiClient, decoded
from wikiapi.testing.declaration import History

EVIL_STYLES = (
    ".a { background: url(//a.example/x) } @import '//a.example/x'; .b { width: expression(1) }"
    ".c { -moz-binding: url(x); behavior: url(x) } </style><script>alert(1)</script>"
)
PAGES: Mapping[str, History] = {
    "Page": "x",
    "Template:Echo": "{{{1}}}",
    "Template:Evil.css": Edit(EVIL_STYLES, model="sanitized-css"),
}
PLACES = {
    "alone": "{}",
    "in a cell": '{{|\n| style="color:red" | {}\n|}}',
    "as an attribute": '<div title="{}">a</div>',
    "as a style": "<div style='{}'>a</div>",
    "as a link": "[[{}]]",
    "as a caption": "[[File:Photo.png|thumb|{}]]",
    "as an address": "[http://a.example/{} a]",
    "as an argument": "{{{{Echo|1={}}}}}",
    "in a note": "<ref>{}</ref><references />",
    "in a heading": "== {} ==",
}
SMALL = {**named("techniques"), **named("bleach")}
LARGE = {**named("html5lib-tree"), **named("html5lib-tokenizer"), **named("blns")}
TEXT_PARAMS = {
    "query": ("titles", "list", "prop", "meta", "generator", "continue", "export"),
    "search": ("srsearch", "srnamespace", "srsort", "srprop", "sroffset"),
    "prefixsearch": ("pssearch",),
    "allpages": ("apfrom", "apto", "apprefix", "apcontinue"),
    "users": ("ususers",),
    "usercontribs": ("ucuser", "ucuserprefix", "ucstart", "uctag"),
    "exturlusage": ("euquery", "euprotocol"),
    "allcategories": ("acfrom", "acprefix"),
    "logevents": ("letitle", "leuser", "leaction", "leprefix"),
    "pageswithprop": ("pwppropname",),
}
"""Parameters by module; those beyond ``query`` are asked of lists."""


pytestmark = pytest.mark.wiki(PAGES, files=["Photo.png"], interwiki={"de": "https://de.example/$1"})


def asked(client: ApiClient, **params: str) -> str:
    """Return the body of an answer, which must not be a failure."""
    fields = {name: value.encode("utf-8", "surrogatepass") for name, value in params.items()}
    body = urlencode({"format": "json", "formatversion": "2", **fields}).encode()
    reply = client.raw("POST", body=body, content_type=URLENCODED)
    assert reply.status < 500, (params, reply.text)
    assert "internal_api_error" not in reply.text, params
    return reply.text


def wrong_with(html: str, text: str) -> list[str]:
    """Return the problems of the result of a text."""
    return faults(html) + harms(html, controls="<inputbox" in text)


@pytest.mark.parametrize("place", PLACES)
def test_techniques_of_injection_fail_wherever_they_stand(site: Site, place: str) -> None:
    title = site.titles.parse("Page")
    problems = {}
    for name, text in SMALL.items():
        html = site.parser.parse(PLACES[place].format(text), title).html
        problems[name] = wrong_with(html, text)
    assert {name: wrong for name, wrong in problems.items() if wrong} == {}


def test_documents_of_parser_tests_become_harmless(site: Site) -> None:
    title = site.titles.parse("Page")
    problems = {name: wrong_with(site.parser.parse(t, title).html, t) for name, t in LARGE.items()}
    assert {name: wrong for name, wrong in problems.items() if wrong} == {}


@pytest.mark.parametrize("prop", ["text", "displaytitle|headhtml|subtitle", "parsedsummary"])
def test_through_the_api(client: ApiClient, prop: str) -> None:
    for name, text in SMALL.items():
        base = {"action": "parse", "title": "Page", "text": text, "prop": prop}
        answer = decoded_parse(client, base | {"summary": text, "disablelimitreport": "1"})
        for part in ("text", "displaytitle", "parsedsummary", "subtitle"):
            assert harms(answer.get(part, ""), controls="<inputbox" in text) == [], (name, part)


def decoded_parse(client: ApiClient, params: Mapping[str, str]) -> Mapping[str, str]:
    reply = client.reply("POST", params)
    return decoded(reply)["parse"]


def test_naughty_strings_are_titles_or_are_refused(client: ApiClient) -> None:
    for text in {**named("blns"), **SMALL}.values():
        for params in ({"titles": text, "prop": "info"}, {"titles": f"\x1f{text}\x1f{text}x"}):
            asked(client, action="query", **params)
        asked(client, action="parse", title=text, text=text)
        asked(client, action="parse", page=text)


@pytest.mark.parametrize("module", TEXT_PARAMS)
def test_naughty_strings_are_values_of_parameters(client: ApiClient, module: str) -> None:
    listed = {} if module == "query" else {"list": module}
    for number, param in enumerate(TEXT_PARAMS[module]):
        for text in list(named("blns").values())[number::5]:
            asked(client, action="query", **listed, **{param: text})


@pytest.mark.parametrize("format", ["jsonfm", "xmlfm", "phpfm", "rawfm", "xml"])
def test_naughty_strings_are_escaped_in_every_format(client: ApiClient, format: str) -> None:
    for text in [*SMALL.values(), *named("blns").values()][::3]:
        body = asked(client, action="query", titles=text, requestid=text[:50], format=format)
        assert "<script>alert" not in body.lower()
        assert "<img src=x" not in body.lower()


@pytest.mark.parametrize(
    "name", ["script elements 1", "handlers 3", "schemes 1", "embedding 1", "foreign content 1",
             "changes of meaning 8", "styles 1", "styles 2", "styles 31"],
)  # fmt: skip
def test_the_judge_finds_what_is_harmful(name: str) -> None:
    """What the other tests rely on."""
    assert harms(named("techniques")[name])
