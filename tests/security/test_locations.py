"""Row 53: no name of a page makes an address of this server lead to another one."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote, urlencode, urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from wikiapi.http.app import make_app
from wikiapi.http.reply import redirect
from wikiapi.http.wsgiclient import InProcess, Received
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.testing.client import ELSEWHERE
from wikiapi_plugins.web.replies import redirect_reply

EVIL = (
    "/evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example",
    "\\evil.example", "/ evil.example", "/evil.example/..", "//evil.example?a", ".//evil.example",
    "/evil.example:80", "/@evil.example", "https://evil.example", "https:/evil.example",
    "https:evil.example", "javascript:alert(1)", "/javascript:alert(1)", "/%09/evil.example",
)  # fmt: skip
ARTICLES = ("/$1", "/wiki/$1", "/$1/", "/$1.html", "/w/index.php?title=$1")
HERE = "http://127.0.0.1:8080"
LINKS = "\n\n".join(
    f"[[:{name}]] [[:{name}|x]] [[:{name}#y]] {{{{localurl:{name}}}}}" for name in EVIL
)
PAGES = {
    "Links": LINKS + "[[Category:/evil.example]] {{:/evil.example}} {{/x}} [[other:evil]]",
    **{
        name: f"Text [[Links]] [[{name}]]"
        for name in EVIL
        if not re.search(r"[%?]|^\.|/\.\.", name)
    },
    "Category:/evil.example": "x",
    "Redirect": "#REDIRECT [[/evil.example]]",
    "To other": "#REDIRECT [[//evil.example#frag]]",
}


@pytest.fixture(scope="module", params=ARTICLES)
def site(request: pytest.FixtureRequest, make_module_site: Callable[..., Site]) -> Site:
    settings = {"site": {"article_path": request.param}}
    interwiki = {"other": "//other.example/$1"}
    return make_module_site(PAGES, config=settings, interwiki=interwiki)


def leads_here(address: str, base: str = f"{HERE}/w/index.php") -> bool:
    """Return whether a browser that follows an address stays on this server.

    Browsers take a backslash for a slash, and leave out tabs and line ends.
    """
    seen = re.sub(r"[\t\r\n]", "", address).replace("\\", "/").strip()
    return urlsplit(urljoin(base, seen)).netloc == urlsplit(base).netloc


def sound_location(reply: Received) -> str | None:
    location = reply.headers.get("location")
    if location is not None:
        assert re.fullmatch(r"[!-~]+", location)
        assert not re.match(r"[/\\]{2}", location)
        assert leads_here(location), location
    return location


@pytest.mark.parametrize("name", EVIL)
def test_no_redirect_leads_elsewhere(site: Site, name: str) -> None:
    browser = InProcess(make_app(site), ELSEWHERE)
    special = ("PermanentLink/", "Diff/", "PageHistory/", "Redirect/page/", "FilePath/", "Random/")
    asked = [
        ("/w/index.php", urlencode({"title": name})),
        ("/w/index.php", urlencode({"title": name.replace("/", "/ ", 1)})),
        ("/w/index.php", urlencode({"title": "Special:Search", "search": name, "go": "1"})),
        *(("/w/index.php", urlencode({"title": f"Special:{each}{name}"})) for each in special),
        (f"/w/api.php/{quote(name)}", "a=b"),
        (f"/{quote(name)}", ""),
        (f"/wiki/{quote(name)}", ""),
        (f"/wiki/{quote(name.replace('e', 'E', 1))}", ""),
    ]
    for path, query in asked:
        steps = 0
        reply = browser.send("GET", path, query)
        assert reply.status < 500
        while (location := sound_location(reply)) is not None:
            steps += 1
            assert steps < 5, "it goes round"
            parts = urlsplit(urljoin(HERE, location))
            reply = browser.send("GET", parts.path, parts.query)


def test_the_page_is_shown_at_its_own_address(site: Site) -> None:
    browser = InProcess(make_app(site), ELSEWHERE)
    reply = browser.send("GET", "/w/index.php", urlencode({"title": "Redirect"}))
    while (location := sound_location(reply)) is not None:
        parts = urlsplit(urljoin(HERE, location))
        reply = browser.send("GET", parts.path, parts.query)
    assert reply.status == 200
    assert LexborHTMLParser(reply.text).css_first("h1").text() == "/evil.example"


@pytest.mark.parametrize("view", ["", "history", "info", "edit"])
def test_no_link_leads_elsewhere_by_accident(site: Site, view: str) -> None:
    browser = InProcess(make_app(site), ELSEWHERE)
    count = 0
    for page in ("Links", "/evil.example", "Category:/evil.example", "Special:AllPages"):
        query = urlencode({"title": page, "action": view, "redirect": "no"})
        reply = browser.send("GET", "/w/index.php", query)
        for node in LexborHTMLParser(reply.text).css("[href], [src], [action]"):
            for name in ("href", "src", "action"):
                address = node.attributes.get(name) or ""
                is_meant = "external" in (node.attributes.get("class") or "")
                if not is_meant and "other.example" not in address:
                    assert leads_here(address), node.html
                    count += 1
    assert count


def test_no_address_in_an_answer_leads_elsewhere(site: Site) -> None:
    client = ApiClient(make_app(site))
    answer = client.get(action="query", titles="|".join(EVIL[:3]), prop="info", inprop="url")
    for page in answer["query"]["pages"]:
        for name in ("fullurl", "editurl", "canonicalurl"):
            assert leads_here(page.get(name, HERE))
    html = client.get(action="parse", page="Links", prop="text")["parse"]["text"]
    for node in LexborHTMLParser(html).css("a[href]"):
        address = node.attributes["href"] or ""
        css = node.attributes.get("class") or ""
        if "other.example" not in address and "external" not in css:
            assert leads_here(address), node.html


def test_another_wiki_is_led_to_with_a_scheme(site: Site) -> None:
    browser = InProcess(make_app(site), ELSEWHERE)
    reply = browser.send("GET", "/w/index.php", urlencode({"title": "other:Page"}))
    assert not reply.headers.get("location", "").startswith("//")


@pytest.mark.parametrize(
    ("location", "sent"),
    [
        ("/wiki/A", "/wiki/A"),
        ("//evil.example", "/evil.example"),
        ("/\\evil.example", "/%5Cevil.example"),
        ("/a\r\nSet-Cookie: b=c", "/a%0D%0ASet-Cookie:%20b=c"),
        ("/a?b=\x01\t", "/a?b=%01%09"),
    ],
)
def test_a_location_is_always_sound(location: str, sent: str) -> None:
    for reply in (redirect(location, "text"), redirect_reply(location)):
        assert dict(reply.headers)["Location"] == sent
