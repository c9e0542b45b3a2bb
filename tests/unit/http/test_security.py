"""Hostile requests at the HTTP edge."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.unit.http.sites import client_of
from wikiapi.hookspecs import hookimpl
from wikiapi.http.requests import URLENCODED, Parameters, read_form
from wikiapi.http.routing import Mount
from wikiapi.http.wsgiclient import Received
from wikiapi.testing.client import ApiClient

CHECK = {"action": "checktoken", "type": "csrf", "token": "x"}
SCRIPT = "</script><img src=x onerror=alert(1)>"


class Forms:
    """A plugin with an application that reads a form."""

    @hookimpl
    def register_mounts(self) -> list[Mount]:
        return [Mount("/form", read_whole_form)]


def read_whole_form(environ: Any, _: Any) -> list[bytes]:
    return [read_form(environ, Parameters(10), 1000)]


class Tags(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.names.update(f"{tag}@{name}" for name, _ in attrs)


OWN_TAGS = {
    "html", "html@lang", "html@dir", "head", "meta", "meta@charset", "meta@name", "meta@content",
    "title", "style", "body", "header", "main", "h1", "p", "code", "pre", "a", "a@href", "a@rel",
}  # fmt: skip


def tags(page: str) -> set[str]:
    parser = Tags()
    parser.feed(page)
    return parser.names


def test_callback_holds_only_harmless_characters(client: ApiClient) -> None:
    reply = client.reply("GET", CHECK, callback="alert(1)//<script>")
    assert reply.headers["content-type"] == "text/javascript; charset=utf-8"
    assert reply.body.startswith(b"/**/alert1script({")
    assert reply.headers["content-disposition"] == "inline; filename=api-result.js"


@pytest.mark.parametrize(
    ("params", "headers"),
    [
        ({"callback": "f"}, {}),
        ({"origin": "*"}, {}),
        ({}, {"Treat-as-Untrusted": "1"}),
    ],
)
def test_no_tokens_for_other_sites(
    client: ApiClient, params: dict[str, str], headers: dict[str, str]
) -> None:
    asked = {"action": "query", "meta": "tokens", "type": "*", **params}
    reply = client.reply("GET", asked, headers=headers)
    answer = json.loads(reply.text.removeprefix("/**/f(").removesuffix(")"))
    assert "tokens" not in answer.get("query", {})
    assert answer["warnings"]["tokens"]
    assert client.cookie("demo_session") is None


def every_kind_of_reply(client: ApiClient) -> list[Received]:
    return [
        client.reply("GET", CHECK, requestid=SCRIPT),
        client.reply("GET", action="nope", requestid=SCRIPT),
        client.reply("GET", CHECK, format="jsonfm"),
        client.reply("GET", CHECK, format="none"),
        client.reply("GET", CHECK, callback="f"),
        client.reply("HEAD", CHECK),
        client.reply("OPTIONS", CHECK),
        client.reply("PUT", CHECK),
        client.reply("GET", CHECK, origin="https://evil.example"),
        client.raw("GET", "a=b", path="/w/api.php/x.bat"),
        client.raw("GET", path="/elsewhere"),
        client.raw("POST", body=b"x" * 20_000_000, content_type="text/plain"),
    ]


def test_security_headers_on_every_reply(client: ApiClient) -> None:
    replies = every_kind_of_reply(client)
    assert {reply.status for reply in replies} == {200, 301, 403, 404, 405, 413}
    for reply in replies:
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
        assert reply.headers["content-disposition"].startswith("inline; filename=api-result.")
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "unsafe" not in reply.headers["content-security-policy"]
        assert reply.headers["referrer-policy"] == "no-referrer"


def test_json_is_json(client: ApiClient) -> None:
    reply = client.reply("GET", CHECK, requestid=SCRIPT)
    assert reply.headers["content-type"] == "application/json; charset=utf-8"
    assert json.loads(reply.body)["requestid"] == SCRIPT


@pytest.mark.parametrize("tail", ["/x.bat", "/", "/../x", "//evil.example/x.bat"])
def test_no_path_info(client: ApiClient, tail: str) -> None:
    reply = client.raw("GET", "action=query&callback=calc", path=f"/w/api.php{tail}")
    assert reply.status == 301
    assert reply.headers["location"] == "/w/api.php?action=query&callback=calc"
    assert b"calc" not in reply.body


@pytest.mark.parametrize(
    "params",
    [
        {"action": "query", "titles": SCRIPT, "format": "jsonfm"},
        {"action": SCRIPT, "format": "jsonfm"},
        {"action": "query", "format": SCRIPT},
        {"action": "query", "format": "jsonfm", "errorformat": SCRIPT},
        {"action": "query", "format": "jsonfm", "requestid": SCRIPT},
        {"action": "query", "format": "jsonfm", "callback": SCRIPT},
        {"action": "query", "format": "jsonfm", SCRIPT: "1"},
        {"action": "query", "format": "jsonfm", "requestid": 'http://x/"onclick="alert(1)'},
        {"action": "query", "format": "jsonfm", "requestid": "javascript:alert(1)"},
        {"action": "query", "format": "jsonfm", "requestid": "http://x/</pre><script>"},
    ],
)
def test_html_wrapper_escapes_everything(client: ApiClient, params: dict[str, str]) -> None:
    reply = client.reply("GET", params)
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert tags(reply.text) <= OWN_TAGS
    assert 'href="javascript:' not in reply.text


def test_output_is_never_normalised(client: ApiClient) -> None:
    reply = client.reply("GET", action="query", requestid="a\u0338\u2028")
    assert json.loads(reply.body)["requestid"] == "a\u0338\u2028"
    combining = client.reply("GET", {">\u0338": "1"}, action="query", format="jsonfm")
    assert "&gt;\u0338" in combining.text


def test_input_is_normalised_with_a_warning(client: ApiClient) -> None:
    answer = client.get(action="query", titles="Cafe\u0301")
    assert answer["query"]["pages"][0]["title"] == "Café"
    assert "titles" in json.dumps(answer["warnings"])


def test_bytes_that_are_not_utf8(client: ApiClient) -> None:
    reply = client.raw("GET", "action=query&format=json&requestid=%ff%fe")
    answer = json.loads(reply.body)
    assert answer["requestid"] == "\ufffd\ufffd"
    assert "requestid" in answer["warnings"]["main"]["*"]


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "evil"}],
)
def test_urls_come_from_the_configuration(client: ApiClient, headers: dict[str, str]) -> None:
    error = client.reply("GET", action="nope", headers=headers)
    assert "http://127.0.0.1:8080/w/api.php" in error.text
    moved = client.raw("GET", path="/w/api.php/x", headers=headers)
    for reply in (error, moved):
        assert "evil" not in reply.text
        assert "evil" not in str(reply.headers)


def test_nothing_of_the_inside_is_reported(client: ApiClient) -> None:
    for reply in every_kind_of_reply(client):
        assert "server" not in reply.headers
        assert "x-powered-by" not in reply.headers
        assert b"debuginfo" not in reply.body
        assert b"Traceback" not in reply.body


def test_the_last_of_repeated_parameters_wins(client: ApiClient) -> None:
    reply = client.raw("GET", "action=query&titles=A&titles=B&format=json&formatversion=2")
    assert [page["title"] for page in json.loads(reply.body)["query"]["pages"]] == ["B"]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"text=" + b"x" * 2000, "application/x-www-form-urlencoded"),
        (b"x" * 2000, "multipart/form-data; boundary=x"),
        (b"{" * 2000, "application/json"),
        (b"&a" * 60, "application/x-www-form-urlencoded"),
    ],
)
def test_large_bodies_are_refused_cleanly(body: bytes, content_type: str) -> None:
    client = client_of(http={"max_body": 1000, "max_parts": 50})
    reply = client.raw("POST", "action=query", body=body, content_type=content_type)
    assert reply.status == 413
    assert reply.headers["content-type"] == "application/json; charset=utf-8"
    assert reply.headers["mediawiki-api-error"] == "requesttoolarge"
    assert json.loads(reply.body)["error"]["code"] == "requesttoolarge"


def test_a_large_body_is_refused_as_the_query_string_asks() -> None:
    client = client_of(http={"max_body": 1000})
    body = b"action=query&format=php&text=" + b"x" * 2000
    query = "action=query&format=xml&errorformat=raw&requestid=7"
    reply = client.raw("POST", query, body=body, content_type=URLENCODED)
    assert reply.status == 413
    assert reply.headers["content-type"] == "text/xml; charset=utf-8"
    assert 'requestid="7"' in reply.text
    assert '<error code="requesttoolarge" key="apierror-unread-request"' in reply.text


def test_many_parameters_in_the_query_string_are_refused() -> None:
    client = client_of(http={"max_parts": 5})
    reply = client.raw("GET", "action=query&format=json&a&b&c&d")
    assert reply.status == 413
    assert json.loads(reply.body)["error"]["code"] == "requesttoolarge"


def test_a_broken_form_is_refused_in_the_shape_of_the_api(client: ApiClient) -> None:
    form = "multipart/form-data; boundary=x"
    reply = client.raw("POST", "action=query", body=b"--x\r\nbroken", content_type=form)
    assert reply.status == 400
    error = json.loads(reply.body)["error"]
    assert (error["code"], error["info"]) == ("unreadablebody", "The multipart form is malformed.")


def test_other_paths_refuse_large_bodies_with_text() -> None:
    client = client_of(plugins=[Forms()])
    body = b"text=" + b"x" * 2000
    reply = client.raw("POST", path="/form", body=body, content_type=URLENCODED)
    assert reply.status == 413
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    assert reply.text == "The request has a larger body than this server accepts.\n"


def test_json_bodies_hold_no_parameters(client: ApiClient) -> None:
    reply = client.raw(
        "POST",
        "action=query&format=json",
        body=b'{"action":"nope","requestid":"1"}',
        content_type="application/json",
    )
    assert json.loads(reply.body) == {"batchcomplete": ""}
