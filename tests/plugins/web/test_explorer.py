"""The explorer's page as it is served; what it does is tested in a browser (tests/browser)."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from wsgiref.types import WSGIApplication

import pytest
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess, Received
from wikiapi.site import Site
from wikiapi_plugins.web.explorer import api_path, article_path


def nothing(_environ: Any, start_response: Any) -> list[bytes]:
    start_response("404 Not Found", [("Content-Type", "text/plain")])
    return [b""]


def mount(app: WSGIApplication) -> InProcess:
    return InProcess(DispatcherMiddleware(nothing, {"/team/a b": app}), "192.0.2.1")


@pytest.fixture
def page(make_site: Callable[..., Site]) -> Received:
    return InProcess(make_app(make_site()), "192.0.2.1").send("GET", "/explore")


def test_the_page_is_served(page: Received) -> None:
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert 'data-api="/w/api.php"' in page.text
    assert 'href="/openapi.json"' in page.text


def test_the_policy_allows_own_scripts_and_the_import_map_alone(page: Received) -> None:
    policy = directives(page)
    match = re.search('<script type="importmap">(.*?)</script>', page.text)
    assert match
    digest = base64.b64encode(hashlib.sha256(match[1].encode()).digest()).decode()
    assert policy["script-src"] == f"'self' 'sha256-{digest}'"
    assert (policy["default-src"], policy["connect-src"]) == ("'none'", "'self'")
    assert "unsafe" not in page.headers["content-security-policy"]
    assert not re.search(r"<script(?! type=)|\son\w+=|style=", page.text)


def directives(page: Received) -> Mapping[str, str]:
    parts = page.headers["content-security-policy"].split(";")
    return {name: value for name, _, value in (part.strip().partition(" ") for part in parts)}


def test_scripts_import_only_what_is_there(make_site: Callable[..., Site], page: Received) -> None:
    client = InProcess(make_app(make_site()), "192.0.2.1")
    match = re.search('<script type="importmap">(.*?)</script>', page.text)
    imports = json.loads(match[1] if match else "")["imports"]
    used = set()
    for address in imports.values():
        script = client.send("GET", address)
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "immutable" in script.headers["cache-control"]
        used |= set(re.findall(r'from "([^"]+)"', script.text))
        assert "http:" not in script.text.replace("http://www.w3.org/2000/svg", "")
    assert used == imports.keys() - {"explorer/main", "explorer/rest"}


def test_it_works_where_the_site_is_mounted(make_site: Callable[..., Site]) -> None:
    client = mount(make_app(make_site()))
    text = client.send("GET", "/team/a b/explore").text
    assert 'data-api="/team/a%20b/w/api.php"' in text
    assert 'data-article="/team/a%20b/wiki/$1"' in text
    style = re.search('rel="stylesheet" href="/team/a%20b([^"]+)"', text)
    assert style
    assert client.send("GET", f"/team/a b{style[1]}").status == 200
    assert client.send("GET", "/team/a b/w/api.php").status == 200


def test_the_rest_api_has_a_page(make_site: Callable[..., Site]) -> None:
    client = mount(make_app(make_site()))
    text = client.send("GET", "/team/a b/explore/rest").text
    assert 'data-rest="/team/a%20b/w/rest.php"' in text
    assert 'data-description="/team/a%20b/openapi/rest.json"' in text
    assert '<a href="/team/a%20b/explore">Action API</a>' in text
    assert '<a href="/team/a%20b/explore/rest">' in client.send("GET", "/team/a b/explore").text


@pytest.mark.parametrize(
    ("root", "script_path", "expected"),
    [
        ("", "/w", "/w/api.php"),
        ("", "", "/api.php"),
        ("/team", "/w", "/team/w/api.php"),
        ("/team", "", "/team/api.php"),
        ("/w", "/w", "/w/api.php"),
        ("/team", "/team/w", "/team/api.php"),
    ],
)
def test_the_api_is_found(root: str, script_path: str, expected: str) -> None:
    assert api_path(root, script_path) == expected


@pytest.mark.parametrize(
    ("root", "path", "expected"),
    [
        ("", "/wiki/$1", "/wiki/$1"),
        ("/team", "/wiki/$1", "/team/wiki/$1"),
        ("/team", "/team/wiki/$1", "/team/wiki/$1"),
        ("/wiki", "/wiki/$1", "/wiki/$1"),
    ],
)
def test_pages_are_found(root: str, path: str, expected: str) -> None:
    assert article_path(root, path) == expected


def test_names_are_escaped(make_site: Callable[..., Site]) -> None:
    name = '"><script>alert(1)</script>$site'
    site = make_site(config={"site": {"name": name, "main_page": 'A"&B'}})
    text = InProcess(make_app(site), "192.0.2.1").send("GET", "/explore").text
    assert "<script>alert" not in text
    assert "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$site" in text


def test_a_page_that_is_known_is_not_sent_again(make_site: Callable[..., Site]) -> None:
    client = InProcess(make_app(make_site()), "192.0.2.1")
    etag = client.send("GET", "/explore").headers["etag"]
    assert client.send("GET", "/explore", headers={"If-None-Match": etag}).status == 304


def test_plugins_can_be_switched_off(make_site: Callable[..., Site]) -> None:
    def page_without(plugin: str) -> Received:
        site = make_site(config={"plugins": {"disabled": [plugin]}})
        return InProcess(make_app(site), "192.0.2.1").send("GET", "/explore")

    assert "OpenAPI" not in page_without("openapi").text
    assert page_without("explorer").status == 404
    assert 'href="/explore/rest"' not in page_without("rest").text
