"""What the plugins for browsers share: static files, pages, redirects."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikiapi.http import WebRequest, read_request
from wikiapi.http.wsgiclient import InProcess
from wikiapi_plugins.web.replies import (
    REVALIDATE,
    content_policy,
    html_reply,
    redirect_reply,
    web_app,
)
from wikiapi_plugins.web.static import StaticFiles


def client_of(app: object) -> InProcess:
    return InProcess(app, "192.0.2.1")  # type: ignore[arg-type]


@pytest.fixture
def files(tmp_path: Path) -> StaticFiles:
    (tmp_path / "style.css").write_text("body { color: red }" * 100)
    (tmp_path / "secret.txt").write_text("no")
    return StaticFiles(tmp_path, "/w/x/")


def test_static_files_are_cached_for_ever_under_their_checksum(files: StaticFiles) -> None:
    url = files.url("style.css", "/outer")
    assert url.startswith("/outer/w/x/style.")
    client = client_of(files.app())
    path = url.removeprefix("/outer/w/x")
    reply = client.send("GET", path, headers={"Accept-Encoding": "gzip"})
    assert (reply.status, reply.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in reply.headers["cache-control"]
    assert reply.headers["content-encoding"] == "gzip"
    assert reply.headers["vary"] == "Accept-Encoding"
    assert client.send("HEAD", path).body == b""


@pytest.mark.parametrize("path", ["/style.css", "/secret.txt", "/../style.css", "/", "/%00"])
def test_nothing_else_is_served(files: StaticFiles, path: str) -> None:
    assert client_of(files.app()).send("GET", path).status == 404


def test_pages_have_a_policy_and_a_validator() -> None:
    policy = content_policy(style_src="'self'")
    app = web_app(lambda _: html_reply("<p>ü\ud800", policy, cache=REVALIDATE, etag="7"), "/")
    first = client_of(app).send("GET", "/")
    assert first.text == "<p>ü?"
    assert first.headers["content-security-policy"] == (
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'self'"
    )
    assert first.headers["x-content-type-options"] == "nosniff"
    again = client_of(app).send("GET", "/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["vary"] == first.headers["vary"] == "Accept-Encoding"
    assert client_of(app).send("GET", "/", headers={"If-None-Match": '"other"'}).status == 200


def test_only_reading_methods_are_answered() -> None:
    reply = client_of(web_app(lambda _: html_reply("x", ""), "/")).send("POST", "/")
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")


def test_a_redirect_has_no_line_breaks_in_it() -> None:
    reply = redirect_reply("/wiki/A\r\nSet-Cookie: x")
    assert dict(reply.headers)["Location"] == "/wiki/A%0D%0ASet-Cookie:%20x"


def test_a_request_knows_where_its_site_is_mounted() -> None:
    environ = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "/site/wiki",
        "PATH_INFO": "/\xc3\xa9\xff",
        "QUERY_STRING": "a=1&a=2&b=%C3%A9",
        "HTTP_IF_NONE_MATCH": 'W/"5"',
    }
    request = read_request(environ, "/wiki/")
    assert request == WebRequest(
        "GET",
        "/é\udcff",
        {"a": "2", "b": "é"},
        {"if-none-match": 'W/"5"'},
        root="/site",
        script_name="/site/wiki",
    )
