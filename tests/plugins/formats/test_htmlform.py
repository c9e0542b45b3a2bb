"""The HTML page that answers a request without ``format``."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.unit.http.sites import app_of
from wikiapi.testing.client import ApiClient
from wikiapi_plugins.formats.htmlform import with_html_form, with_links
from wikiapi_plugins.formats.json import Json


@pytest.fixture(scope="module")
def client() -> ApiClient:
    return ApiClient(app_of(), defaults={"action": "query"})


LINK = '<a rel="nofollow noreferrer" href="%s">%s</a>'


def pre_text(text: str) -> str:
    match = re.search("<pre>(.*)</pre>", text, re.DOTALL)
    assert match
    return html.unescape(re.sub("<[^>]*>", "", match[1]))


def test_default_format(client: ApiClient) -> None:
    reply = client.reply("GET")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["content-disposition"] == "inline; filename=api-result.html"
    assert reply.text == client.reply("GET", format="jsonfm").text


def test_title_and_explanation(client: ApiClient) -> None:
    text = client.reply("GET").text
    assert "<title>API result</title>" in text
    assert "<h1>API result</h1>" in text
    words = html.unescape(re.sub("<[^>]*>", "", text))
    assert "for debugging" in words
    assert "unsuitable for application use" in words
    assert "format=json returns the plain JSON form" in words


def test_json_is_readable_and_whole(client: ApiClient) -> None:
    text = pre_text(client.reply("GET", titles="A & <b>", formatversion="2").text)
    assert text.startswith('{\n    "')
    plain = client.get(titles="A & <b>", formatversion="2", format="json")
    assert json.loads(text) == plain


def test_link_to_the_plain_form(client: ApiClient) -> None:
    text = client.reply("GET", titles="A&B", format="jsonfm").text
    link = re.search(r'<a href="([^"]*)"><code>format=json</code></a>', text)
    assert link
    query = parse_qs(urlsplit(html.unescape(link[1])).query)
    assert query == {"action": ["query"], "titles": ["A&B"], "format": ["json"]}


def test_posted_requests_have_no_such_link(client: ApiClient) -> None:
    text = client.reply("POST").text
    assert "<code>format=json</code>" in text
    assert "<a href=" not in text


def test_style_is_the_one_the_policy_allows(client: ApiClient) -> None:
    reply = client.reply("GET")
    style = re.search("<style>(.*)</style>", reply.text, re.DOTALL)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = reply.headers["content-security-policy"]
    assert f"style-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("a < b & c", "a &lt; b &amp; c"),
        (
            '"http://x.example/a?b&c"',
            f'"{LINK % (("http://x.example/a?b&amp;c",) * 2)}"',
        ),
        ("https://x.example.", None),
        ("(https://x.example)", None),
        ("https://x.example&gt;", None),
        ("https://x.example<b>", None),
        ("https://x.example\\u00fc", None),
    ],
)
def test_links(text: str, markup: str | None) -> None:
    linked = with_links(text)
    if markup is None:
        assert LINK % (("https://x.example",) * 2) in linked
    else:
        assert linked == markup


@pytest.mark.parametrize("text", ["javascript:alert(1)", "ftp://x", "http:/x", "xhttp:// y"])
def test_no_links(text: str) -> None:
    assert "<a" not in with_links(text)


def test_wrapped_in_json(client: ApiClient) -> None:
    reply = client.reply("GET", format="jsonfm", wrappedhtml=True, titles="A")
    assert reply.headers["content-type"].startswith("text/mediawiki-api-prettyprint-wrapped")
    assert reply.headers["content-disposition"] == "inline; filename=api-result-wrapped.json"
    wrapped = json.loads(reply.body)
    assert wrapped.keys() == {"status", "statustext", "html", "modules", "continue", "time"}
    assert (wrapped["status"], wrapped["statustext"]) == (200, "OK")
    assert "<!DOCTYPE" not in wrapped["html"]
    assert json.loads(pre_text(wrapped["html"]))["query"]


def test_form_has_the_parameters_of_its_format() -> None:
    plain, form = with_html_form(Json)
    assert (plain.name, form.name) == ("json", "jsonfm")
    names = [param.name for param in form.params]
    assert names == ["wrappedhtml", *(param.name for param in plain.params)]
    assert "HTML" in form.summary()
