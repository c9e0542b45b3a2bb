"""Heads are read as waitress reads them, whatever came before on the connection."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser

from wikiapi.http.heads import HeadParser, LastHead

ADJUSTMENTS = Adjustments()
KNOWN = (
    *("command", "version", "request_uri", "path", "query", "fragment", "url_scheme", "headers"),
    *("proxy_scheme", "proxy_netloc", "connection_close", "content_length", "chunked"),
    *("expect_continue", "completed", "empty", "headers_finished", "first_line"),
)

LINES = st.sampled_from(
    [
        b"GET / HTTP/1.1",
        b"GET /w/api.php?action=query&x=%41%ff#f HTTP/1.1",
        b"HEAD //double//path?q HTTP/1.1",
        b"GET http://elsewhere.example/path?q HTTP/1.1",
        b"POST /w/api.php HTTP/1.1",
        b"GET / HTTP/1.0",
        b"GET / HTTP/1.1 ",
        b"GET /a\nb HTTP/1.1",
        b"GET /a\rb HTTP/1.1",
        b"get / HTTP/1.1",
        b"GET /two words HTTP/1.1",
        b"GET / HTTP/2.0",
        b"GET /",
        b" HTTP/1.1",
        b"",
    ]
)
FIELDS = st.lists(
    st.sampled_from(
        [
            b"Host: localhost",
            b"Accept: */*",
            b"Accept: more",
            b"Connection: close",
            b"Connection: keep-alive",
            b"Content-Length: 0",
            b"Content-Length: 5",
            b"Content-Length: five",
            b"Transfer-Encoding: chunked",
            b"Transfer-Encoding: gzip",
            b"Expect: 100-continue",
            b"X_Under: score",
            b" folded",
            b"bad header",
            b"X: " + b"x" * 5000,
        ]
    ),
    max_size=3,
)


def read(parser: HTTPRequestParser, line: bytes, fields: list[bytes]) -> dict[str, Any]:
    """What a parser makes of a head."""
    parser.received(b"\r\n".join([line, *fields, b"", b""]))
    found = {name: getattr(parser, name, None) for name in KNOWN}
    return found | {"error": type(parser.error), "body": type(parser.body_rcv)}


@given(st.lists(st.tuples(LINES, FIELDS), max_size=5), st.tuples(LINES, FIELDS))
def test_heads_are_read_as_by_waitress(
    before: list[tuple[bytes, list[bytes]]], head: tuple[bytes, list[bytes]]
) -> None:
    last = LastHead()
    for line, fields in [*before, head, head, (b"GET /other?x HTTP/1.1", head[1])]:
        found = read(HeadParser(ADJUSTMENTS, last), line, fields)
        assert found == read(HTTPRequestParser(ADJUSTMENTS), line, fields)


def test_fields_are_read_once() -> None:
    last = LastHead()
    first, again = (HeadParser(ADJUSTMENTS, last) for _ in range(2))
    assert read(first, b"GET /1 HTTP/1.1", [b"Host: a"])["headers"] == {"HOST": "a"}
    last.headers["HOST"] = "kept"
    assert read(again, b"GET /2 HTTP/1.1", [b"Host: a"])["headers"] == {"HOST": "kept"}
    again.headers["HOST"] = "changed"
    assert last.headers == {"HOST": "kept"}
