from __future__ import annotations

from typing import TYPE_CHECKING
from wsgiref.validate import validator

import pytest

from wikiapi.http.inprocess import get

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment


def echo(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    start_response("418 I'm a teapot", [("Content-Type", "text/plain"), ("X-Twice", "1")])
    keys = ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING", "HTTP_HOST", "SERVER_PORT")
    return [" ".join(environ[key] for key in keys).encode()]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://127.0.0.1:8080/w/api.php", b"GET /w/api.php a=b 127.0.0.1:8080 8080"),
        ("https://wiki.example/w/api.php", b"GET /w/api.php a=b wiki.example 443"),
    ],
)
def test_application_gets_a_valid_request(url: str, shown: bytes) -> None:
    reply = get(validator(echo), url, "a=b")
    assert reply.body == shown
    assert reply.status == 418
    assert reply.headers == {"content-type": "text/plain", "x-twice": "1"}


def test_body_is_closed() -> None:
    closed = []

    class Body(list[bytes]):
        def close(self) -> None:
            closed.append(True)

    def app(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return Body([b"a", b"b"])

    assert get(app, "http://x/", "").body == b"ab"
    assert closed == [True]
