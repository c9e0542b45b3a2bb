from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import parse_qsl, unquote

import pytest
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from tests.unit.http.sites import client_of, empty_site
from wikiapi.api.registries import registries
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.site import Site
from wikiapi.testing.client import ApiClient

EXPLORER = re.compile(r'The <a href="([^"]*)">explorer</a>')
EXAMPLE = re.compile(r'<dd><a href="([^"]*)" rel="nofollow">')
IDS = re.compile(r'<h2 [^>]*id="([^"]*)"')


@pytest.fixture(scope="module")
def site() -> Site:
    return empty_site(site={"name": "<Wiki>"})


@pytest.fixture(scope="module")
def client(site: Site) -> ApiClient:
    return ApiClient(make_app(site), defaults={})


def test_a_bare_address_shows_help(client: ApiClient) -> None:
    reply = client.raw("GET")
    assert reply.status == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["content-disposition"] == "inline; filename=api-help.html"
    assert "mediawiki-api-error" not in reply.headers
    assert IDS.findall(reply.text)[0] == "main"
    assert 'id="main/datatypes"' in reply.text


def test_the_page_runs_nothing(client: ApiClient) -> None:
    reply = client.reply("GET", action="help", recursivesubmodules="1", toc="1")
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert reply.headers["x-frame-options"] == "DENY"
    assert "<script" not in reply.text
    assert "<Wiki>" not in reply.text


@pytest.mark.parametrize(
    ("path", "links"),
    [
        ("/w/api.php", ["/explore"]),
        ("/a b/w/api.php", ["/a%20b/explore"]),
        ("/script/api.php", []),
    ],
)
def test_it_leads_to_the_explorer(site: Site, path: str, links: list[str]) -> None:
    app = make_app(site)
    mounted = DispatcherMiddleware(app, {"/a b": app, "/script/api.php": app})
    client = ApiClient(mounted, path=path)
    assert EXPLORER.findall(client.reply(action="help").text) == links
    assert EXPLORER.findall(client.get(action="help", wrap="1")["help"]["help"]) == links
    for link in links:
        assert InProcess(mounted, "192.0.2.1").send("GET", unquote(link)).status == 200


def test_it_leads_to_no_explorer_that_is_not_there(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"plugins": {"disabled": ["explorer"]}})
    assert "explore" not in ApiClient(make_app(site)).reply(action="help").text


def test_every_module_is_on_the_page_of_all(client: ApiClient, site: Site) -> None:
    text = client.reply("GET", action="help", recursivesubmodules="1").text
    expected = (
        1
        + len(registries(site).actions)
        + len(registries(site).formats)
        + len(registries(site).query_modules)
    )
    assert len(IDS.findall(text)) >= expected
    assert '<dd class="description"></dd>' not in text


def test_examples_lead_to_what_they_show(client: ApiClient, site: Site) -> None:
    text = client.reply("GET", action="help", modules="query+siteinfo").text
    links = [unescape(link) for link in EXAMPLE.findall(text)]
    declared = [
        dict(parse_qsl(query)) for query, _ in registries(site).query_modules["siteinfo"].examples
    ]
    assert [dict(parse_qsl(link.partition("?")[2])) for link in links] == declared
    assert all(link.startswith("/w/api.php?") for link in links)


@pytest.mark.parametrize(
    ("params", "ids"),
    [
        ({"modules": "json|parse"}, ["json", "parse"]),
        ({"modules": "query+tokens"}, ["query+tokens"]),
    ],
)
def test_choice(client: ApiClient, params: dict[str, str], ids: list[str]) -> None:
    assert IDS.findall(client.reply("GET", action="help", **params).text) == ids


def test_submodules(client: ApiClient, site: Site) -> None:
    text = client.reply("GET", action="help", modules="query", submodules="1", toc="1").text
    assert len(IDS.findall(text)) == 1 + len(registries(site).query_modules)
    assert '<nav id="toc"' in text


def test_unknown_module(client: ApiClient) -> None:
    reply = client.reply("GET", action="help", modules="<b>", format="json")
    assert reply.headers["mediawiki-api-error"] == "badmodule"


def test_wrapped() -> None:
    answer = client_of().get(action="help", modules="json", wrap=True)
    assert answer["help"]["mime"] == "text/html"
    assert answer["help"]["filename"] == "api-help.html"
    assert answer["help"]["help"].startswith("<!DOCTYPE html>")
