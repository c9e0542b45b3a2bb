from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing.client import ApiClient

SUGGEST = "{http://opensearch.org/searchsuggest2}"
BASE = "http://127.0.0.1:8080/wiki/"


@pytest.fixture(scope="module")
def client(make_module_site: Callable[..., Site]) -> ApiClient:
    site = make_module_site(
        {"Page one": "x", "Page two": "#REDIRECT [[Page one]]", "Help:Page": "x"}
    )
    return ApiClient(make_app(site), defaults={"action": "opensearch"})


def search(client: ApiClient, text: str, **params: str) -> Any:
    return json.loads(client.reply("GET", search=text, **params).body)


def test_json_without_a_format(client: ApiClient) -> None:
    reply = client.reply("GET", search="page")
    assert reply.headers["content-type"] == "application/json; charset=utf-8"
    assert json.loads(reply.body) == [
        "page",
        ["Page one", "Page two"],
        ["", ""],
        [f"{BASE}Page_one", f"{BASE}Page_two"],
    ]


def test_suggestions_are_kept_for_twenty_minutes(client: ApiClient) -> None:
    for params in ({}, {"maxage": "5", "smaxage": "7"}, {"format": "xml"}):
        reply = client.reply("GET", search="page", **params)
        assert reply.headers["cache-control"] == "max-age=1200, s-maxage=1200, public"
        assert "expires" in reply.headers
    refused = client.reply("GET", namespace="0")
    assert refused.headers["cache-control"] == "private, must-revalidate, max-age=0"


def test_nothing_found(client: ApiClient) -> None:
    assert search(client, "zzz") == ["zzz", [], [], []]


def test_redirects_can_be_resolved(client: ApiClient) -> None:
    assert search(client, "page", redirects="resolve")[1] == ["Page one"]


def test_namespaces_and_limit(client: ApiClient) -> None:
    assert search(client, "help:p")[1] == ["Help:Page"]
    assert search(client, "page", namespace="12|0", limit="1")[1] == ["Help:Page"]


def test_callback(client: ApiClient) -> None:
    assert client.reply("GET", search="zzz", callback="f").text == '/**/f(["zzz",[],[],[]])'


def test_xml_resolves_redirects(client: ApiClient) -> None:
    reply = client.reply("GET", search="page", format="xml")
    assert reply.headers["content-type"] == "text/xml; charset=utf-8"
    root = ET.fromstring(reply.text)
    assert root.tag == f"{SUGGEST}SearchSuggestion"
    assert [node.text for node in root.iter(f"{SUGGEST}Text")] == ["Page one"]
    assert [node.text for node in root.iter(f"{SUGGEST}Url")] == [f"{BASE}Page_one"]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({}, "missingparam"),
        ({"search": ""}, "missingparam"),
        ({"search": "x", "format": "php"}, "badvalue"),
        ({"search": "x", "suggest": "1", "warningsaserror": "1"}, "warnings"),
    ],
)
def test_errors(client: ApiClient, params: dict[str, str], code: str) -> None:
    assert client.reply("GET", params).headers["mediawiki-api-error"] == code


@pytest.mark.parametrize("text", ["[", "%", "_", "\x00", "a" * 300, "Talk:", ":", "\u0338"])
def test_nothing_that_is_typed_is_an_error(client: ApiClient, text: str) -> None:
    reply = client.reply("GET", search=text)
    assert "mediawiki-api-error" not in reply.headers
    assert len(json.loads(reply.body)) == 4
