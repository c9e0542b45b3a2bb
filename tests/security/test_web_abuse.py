"""The pages for people: whatever is asked of them and whatever they show, nothing foreign runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote, urlencode

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.security.everyrequest import SPECIAL, VIEWS
from tests.security.harmless import faults
from tests.security.vectors import named
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess, Received
from wikiapi.site import Site
from wikiapi.testing import DeclaredFile, DeclaredUser, Edit
from wikiapi.testing.client import ELSEWHERE
from wikiapi.testing.declaration import History

MARK = "zqmark"
"""Stands in everything hostile: an element or attribute with it has got out of its text."""
EVIL = f"<script class={MARK}>alert(1)</script><img {MARK} src=x onerror=alert(1)>"
BREAKING = f"\"'{MARK}=1 onclick='alert(1)' x=\"`&lt"
"""May be a title: it has no ``<`` and ``>``, but every kind of quote."""
PAGES: Mapping[str, History] = {
    "Main Page": "x",
    BREAKING: [
        Edit(EVIL, user=f"{MARK}\"onclick='1'", comment=EVIL),
        Edit(f"{EVIL} more [[Category:{BREAKING}]]", user="192.0.2.1", comment=f"/* {EVIL} */ x"),
    ],
    f"Talk:{BREAKING}": EVIL,
    f"Category:{BREAKING}": f"[[Category:{BREAKING} too]] {EVIL}",
    f"User:{BREAKING}": EVIL,
    f"File:{BREAKING}.png": EVIL,
    f"Redirect {MARK}\"'": f"#REDIRECT [[{BREAKING}]]",
    f"MediaWiki:{MARK}.js": Edit(EVIL, model="javascript"),
    f"MediaWiki:{MARK}.css": Edit(f"</style>{EVIL}", model="css"),
    f"MediaWiki:{MARK}.json": Edit(f'{{"{MARK}": "</script>"}}', model="json"),
    f"Plain {MARK}": Edit(EVIL, model="text"),
}
SETTINGS = {
    "site": {"name": EVIL, "rights_text": EVIL, "logo": f'"{MARK}="x'},
    "plugins": {"disabled": ["scribunto"]},
}
ADDRESSES = (
    "/explore",
    "/openapi.json",
    "/openapi/query.json",
    "/w/index.php",
    "/wiki/",
    "/wiki/x",
    "/",
)
METHODS = ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "GET\x20X")
PATHS = (
    "../" * 30 + "etc/passwd", "%2e%2e/" * 30, "..%5c" * 9, "//a.example/", "\\\\a", "%00",
    "a" * 9000, "%ff%fe", "%0d%0aSet-Cookie:%20a=b",
)  # fmt: skip
MOUNTS = (
    "/", "/wiki/", "/w/reader/", "/explore/", "/openapi/", "/images/",
    "/w/resources/assets/file-type-icons/",
)  # fmt: skip
HEADERS = (
    "Host", "X-Forwarded-Host", "Accept-Language", "Cookie", "If-None-Match", "Accept", "Referer",
    "User-Agent", "Range", "Accept-Encoding", "X-Forwarded-Prefix",
)  # fmt: skip
_HANDLER = re.compile(r"on[a-z]+\Z")
_SAFE_SCRIPT = re.compile(r"/(w/reader|explore)/[a-z]+\.[0-9a-f]{12}\.js\Z")
_SAFE_ADDRESS = re.compile(
    r"\s*(https?:|mailto:|data:image/(svg\+xml|png)|//|[/?#.]|[^:]*\Z)", re.IGNORECASE
)


pytestmark = pytest.mark.wiki(
    PAGES,
    config=SETTINGS,
    users=[DeclaredUser(f"{MARK}\"onclick='1'")],
    files=[DeclaredFile(f"{BREAKING}.png", comment=EVIL, user=BREAKING)],
)


@pytest.fixture(scope="module")
def wsgi(site: Site) -> InProcess:
    return InProcess(make_app(site), ELSEWHERE)


def assert_sound(reply: Received, asked: object) -> None:
    """Check that the reply is no failure, and that a page contains only the server's markup."""
    assert reply.status < 500, asked
    assert not any(MARK in name for name in reply.headers), asked
    assert reply.headers.get("x-content-type-options") == "nosniff", asked
    if not reply.headers["content-type"].startswith("text/html"):
        return
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'"), asked
    assert "unsafe" not in policy.replace("style-src 'self' 'unsafe-inline'", ""), asked
    assert faults(reply.text) == [], asked
    for node in LexborHTMLParser(reply.text).css("*"):
        assert MARK not in str(node.tag), asked
        for name, value in node.attributes.items():
            assert MARK not in name, (asked, node.html)
            assert not _HANDLER.match(name), (asked, node.html)
            if name in ("href", "src", "action", "formaction"):
                assert _SAFE_ADDRESS.match(value or ""), (asked, node.html)
        if node.tag == "script":
            assert _is_own(node.attributes, policy), (asked, node.html)


def _is_own(attributes: Mapping[str, str | None], policy: str) -> bool:
    source = attributes.get("src")
    kind = attributes.get("type")
    return bool(source and _SAFE_SCRIPT.match(source)) or (
        kind == "importmap" and "'sha256-" in policy
    )


def test_hostile_content_is_there_to_be_shown(wsgi: InProcess) -> None:
    for query in ({"title": BREAKING}, {"title": BREAKING, "action": "history"}):
        reply = wsgi.send("GET", "/w/index.php", urlencode(query | {"oldid": "2"}))
        assert reply.status == 200
        assert MARK in "".join(node.text() for node in LexborHTMLParser(reply.text).css("body"))


@pytest.mark.parametrize("html", [EVIL, f"<p {MARK}>", "<a href='javascript:1'>a</a>", "<b>"])
def test_the_judge_finds_what_is_harmful(html: str) -> None:
    headers = {
        "content-type": "text/html",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'",
    }
    assert_sound(Received(200, headers, b"<p>sound</p>"), "sound")
    with pytest.raises(AssertionError):
        assert_sound(Received(200, headers, html.encode()), "not sound")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("page", PAGES)
def test_hostile_content_is_shown_and_does_nothing(wsgi: InProcess, page: str, view: str) -> None:
    query = {"title": page, "action": view}
    assert_sound(wsgi.send("GET", "/w/index.php", urlencode(query)), query)
    for more in ({"diff": "prev"}, {"oldid": "3"}, {"redirect": "no"}, {"printable": "yes"}):
        assert_sound(wsgi.send("GET", "/w/index.php", urlencode(query | more)), query | more)


@pytest.mark.parametrize("name", SPECIAL)
def test_hostile_content_in_lists_does_nothing(wsgi: InProcess, name: str) -> None:
    for path in (name, f"{name}/{quote(BREAKING, safe='')}"):
        for params in (
            {},
            {"search": MARK},
            {"search": BREAKING},
            {"from": BREAKING, "namespace": "2"},
        ):
            reply = wsgi.send("GET", f"/wiki/Special:{path}", urlencode(params))
            assert_sound(reply, (path, params))


@pytest.mark.parametrize("place", ["title", "search", "path", "action", "uselang", "diff", "name"])
def test_hostile_requests_are_answered_soundly(wsgi: InProcess, place: str) -> None:
    for text in [EVIL, BREAKING, *named("techniques").values()][::2]:
        evil = text.encode("utf-8", "surrogatepass")
        if place == "path":
            path, query = f"/wiki/{quote(evil, safe='')}", ""
        else:
            path = "/w/index.php"
            query = urlencode(
                {evil: "1"} if place == "name" else {place: evil, "title": "Main Page"}
            )
        assert_sound(wsgi.send("GET", path, query), (place, text))


@pytest.mark.parametrize("address", ADDRESSES)
def test_hostile_headers_and_methods(wsgi: InProcess, address: str) -> None:
    evil = EVIL.replace("\n", " ")
    for name in HEADERS:
        reply = wsgi.send("GET", address, headers={name: evil})
        assert_sound(reply, (address, name))
        assert MARK not in str(reply.headers), (address, name)
    for method in METHODS:
        reply = wsgi.send(method, address)
        assert_sound(reply, (address, method))
        assert reply.status in (200, 204, 301, 302, 400, 404, 405, 501), (address, method)


@pytest.mark.parametrize("address", ADDRESSES)
def test_requests_beyond_measure(wsgi: InProcess, address: str) -> None:
    for query in (
        "a=" + "%3C" * 200_000,
        "&".join(f"a{n}=1" for n in range(20_000)),
        "title=" + "[" * 100_000,
        "search=" + "a%20" * 50_000,
        "diff=" + "9" * 100_000,
        "%" * 100_000,
        "=&" * 50_000,
    ):
        reply = wsgi.send("GET", address, query)
        assert_sound(reply, (address, query[:20]))
    reply = wsgi.send("GET", address, headers={"If-None-Match": 'W/"a", ' * 20_000})
    assert_sound(reply, address)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("place", MOUNTS)
def test_hostile_paths_lead_nowhere(wsgi: InProcess, place: str, path: str) -> None:
    reply = wsgi.send("GET", place + path)
    assert_sound(reply, place + path)
    assert "root:" not in reply.text
    assert "set-cookie" not in reply.headers
    location = reply.headers.get("location", "/")
    assert location.startswith("/"), location
    assert not location.startswith(("//", "/\\")), location
