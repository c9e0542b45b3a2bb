"""Rows 46 and 64: heads and bodies that are broken, or of a size that nobody needs.

Each is answered once, by 4xx or 5xx, in time that grows with its length and no faster.
"""

from __future__ import annotations

import errno
import re
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any

import pytest
from waitress.adjustments import Adjustments

from tests.unit.http.servers import running
from tests.unit.http.sites import app_of, empty_site
from wikiapi.config import HttpConfig
from wikiapi.http.app import make_app
from wikiapi.http.caching import revalidated
from wikiapi.http.compression import choose_coding
from wikiapi.http.cors import CorsPolicy
from wikiapi.http.errors import Refused
from wikiapi.http.reply import Reply
from wikiapi.http.requests import MAX_FIELD_BYTES, Parameters, RequestReader, read_form
from wikiapi.http.serving.server import Parser, create_server
from wikiapi.testing.client import ApiClient
from wikiapi_plugins.query.users.userinfo import language_weights

TARGET = "/w/api.php?action=checktoken&type=csrf&token=x&format=json"
END = "Host: localhost\r\nConnection: close\r\n\r\n"
CHUNKED = f"POST {TARGET} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n{END}"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    http = HttpConfig(listen="127.0.0.1:0", threads=2)
    with running(create_server(app_of(), http)) as port:
        yield port


def exchange(port: int, data: bytes) -> bytes:
    """Return everything that the server sends until it closes the connection."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        try:
            connection.sendall(data)
            while chunk := connection.recv(65_536):
                received += chunk
        except ConnectionError:  # it has answered before it has read all of it
            pass
    return received


def statuses(received: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)]


BROKEN = {
    "a method alone": ("GET\r\n\r\n", 400),
    "no method": (f"{TARGET} HTTP/1.1\r\n{END}", 400),
    "small letters": (f"get {TARGET} HTTP/1.1\r\n{END}", 400),
    "two spaces": (f"GET  {TARGET} HTTP/1.1\r\n{END}", 400),
    "a carriage return in the line": (f"GET {TARGET} HTTP/1.1\r{END}", 400),
    "a carriage return in a field": (f"GET {TARGET} HTTP/1.1\r\nX: a\rb\r\n{END}", 400),
    "NUL in a field": (f"GET {TARGET} HTTP/1.1\r\nX: a\0b\r\n{END}", 400),
    "NUL in the path": (f"GET /w\0/api.php HTTP/1.1\r\n{END}", 404),
    "a field without colon": (f"GET {TARGET} HTTP/1.1\r\nnothing\r\n{END}", 400),
    "a folded first field": (f"GET {TARGET} HTTP/1.1\r\n X: 1\r\n{END}", 400),
    "bytes that are not ASCII": (f"GET /\xff\xfe?titles=\xe9 HTTP/1.1\r\n{END}", 400),
    "half a pair of brackets": (f"GET http://[::1/w/api.php HTTP/1.1\r\n{END}", 400),
    "brackets around a name": (f"GET http://[name]/w/api.php HTTP/1.1\r\n{END}", 400),
    "two slashes": (f"GET //evil.example/x HTTP/1.1\r\n{END}", 404),
    "a port of letters": (f"GET http://localhost:port/x HTTP/1.1\r\n{END}", 404),
    "percent signs": (f"GET /%zz%f% HTTP/1.1\r\n{END}", 404),
    "a path of 60 kB": (f"GET /{'a' * 60_000} HTTP/1.1\r\n{END}", 404),
    "TLS": ("\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + "\xaa" * 300 + "\r\n\r\n", 400),
    "a length of 5000 digits": (
        f"POST {TARGET} HTTP/1.1\r\nContent-Length: {'9' * 5000}\r\n{END}",
        400,
    ),
    "a length of 20 digits": (
        f"POST {TARGET} HTTP/1.1\r\nContent-Length: {'9' * 20}\r\n{END}",
        413,
    ),
    "another encoding": (
        f"POST {TARGET} HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n{END}0\r\n\r\n",
        501,
    ),
    "a chunk that is longer than said": (f"{CHUNKED}1\r\nxyz\r\n0\r\n\r\n", 400),
    "a field of 17 kB": (f"GET {TARGET} HTTP/1.1\r\nAccept: {'x' * 17_000}\r\n{END}", 431),
    "17 kB of fields of one name": (
        f"GET {TARGET} HTTP/1.1\r\n" + f"Cookie: {'a' * 80}\r\n" * 250 + END,
        431,
    ),
    "100 kB of fields": (f"GET {TARGET} HTTP/1.1\r\n" + "X-A: b\r\n" * 15_000 + END, 431),
}
FRAMINGS = {
    "a size": b"0",
    "an extension": b"1;" + b"a",
    "empty lines": b"\r\n",
    "chunks of one byte": b"1\r\nx\r\n",
    "a trailer": b"0\r\nA: " + b"b",
    "lines of a trailer": b"0\r\n" + b"A: b\r\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_head_is_answered_once(name: str, port: int) -> None:
    data, status = BROKEN[name]
    received = exchange(port, data.encode("latin-1"))
    assert statuses(received) == [status]
    assert b"Traceback" not in received
    assert statuses(exchange(port, f"GET {TARGET} HTTP/1.1\r\n{END}".encode())) == [200]


@pytest.mark.parametrize("name", FRAMINGS)
def test_the_framing_of_chunks_is_bounded(name: str) -> None:
    parser = Parser(Adjustments())
    parser.received(CHUNKED.encode())
    begin, repeated = FRAMINGS[name], FRAMINGS[name][-6:] if b"\r" in FRAMINGS[name] else None
    parser.received(begin)
    piece = (repeated or begin[-1:]) * 1000
    fed = 0
    while not parser.completed and fed < 12_000_000:
        fed += parser.received(piece)
    assert parser.error.code == 400
    assert fed < 100_000


@pytest.mark.parametrize(("size", "is_taken"), [(8, False), (1000, True), (100_000, True)])
def test_chunks_of_usual_sizes_are_taken(size: int, is_taken: bool) -> None:
    parser = Parser(Adjustments(inbuf_overflow=1 << 30))
    parser.received(CHUNKED.encode())
    for _ in range(1_000_000 // size):
        parser.received(f"{size:x};name=value\r\n".encode() + b"x" * size + b"\r\n")
        if parser.completed:
            break
    parser.received(b"0\r\n\r\n")
    assert parser.completed
    assert (parser.error is None) == is_taken
    parser.close()


def test_endless_framing_over_a_socket(port: int) -> None:
    received = exchange(port, CHUNKED.encode() + b"0" * 70_000)
    assert statuses(received) == [400]
    assert statuses(exchange(port, f"GET {TARGET} HTTP/1.1\r\n{END}".encode())) == [200]


def test_nothing_is_put_into_a_full_temporary_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def large(environ: Any, start_response: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"].read()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    body = b"x" * 10_000_000
    head = f"POST / HTTP/1.1\r\nContent-Length: {len(body)}\r\n{END}".encode()
    http = HttpConfig(listen="127.0.0.1:0", threads=1)
    with running(create_server(large, http)) as port:
        received = exchange(port, head + body)
    assert statuses(received) == [200]
    assert received.endswith(b"\r\n\r\n" + body)


@pytest.mark.parametrize("name", ["Accept-Language", "X-Anything", "Content-Type"])
def test_a_field_is_bounded(name: str) -> None:
    client = ApiClient(make_app(empty_site()))
    check = {"action": "checktoken", "type": "csrf", "token": "x"}
    for length, status in [(MAX_FIELD_BYTES, 200), (MAX_FIELD_BYTES + 1, 431)]:
        reply = client.reply("GET", check, headers={name: "x" * length})
        assert reply.status == status
    assert b"Traceback" not in reply.body


def test_a_field_is_bounded_for_mounts_too() -> None:
    client = ApiClient(make_app(empty_site()))
    assert client.raw("GET", path="/healthz", headers={"X": "x" * 20_000}).status == 431


READER = RequestReader(HttpConfig(trusted_proxies=("10.0.0.0/8", "127.0.0.1")))
POLICY = CorsPolicy(["https://*.*.*.example", "*.x?.y*"])


def read(**environ: str) -> None:
    READER.read({"REQUEST_METHOD": "GET", "REMOTE_ADDR": "10.0.0.1", **environ})


def read_body(content_type: str) -> None:
    environ = {"CONTENT_TYPE": content_type, "CONTENT_LENGTH": "0", "wsgi.input": BytesIO()}
    try:
        read_form(environ, Parameters(1000), 1000)
    except Refused:
        return


PARSERS: Mapping[str, Callable[[str], object]] = {
    "Cookie": lambda value: read(HTTP_COOKIE=value),
    "X-Forwarded-For": lambda value: read(HTTP_X_FORWARDED_FOR=value),
    "Host": lambda value: read(HTTP_HOST=value),
    "Accept-Encoding": choose_coding,
    "Accept-Language": language_weights,
    "If-None-Match": lambda value: revalidated(Reply(200, [("ETag", '"a"')]), value),
    "Origin": POLICY.allows,
    "Content-Type": read_body,
    "Content-Type of a form": lambda value: read_body(f"multipart/form-data; {value}"),
    "boundary": lambda value: read_body(f"multipart/form-data; boundary={value}"),
}
PIECES = (
    "a", " ", "\t", ",", ";", "=", '"', "\\", "%", "*", "-", ".", ":", "0", "a,", "a;", 'a="',
    '\\"', "a=b; ", 'a="b\\\\"; ', "\\012", "a*0=b;", "a*=utf-8''%41;", "en-", "en;q=0.5,",
    'W/"a",', "gzip;q=", "10.0.0.1, ", "https://a.", ".example",
)  # fmt: skip


def seconds(parse: Callable[[str], object], value: str) -> float:
    """Return the shortest time of several rounds, without the influence of other processes."""
    times = []
    for number in range(3):
        another = f"{value}{number}"  # what is remembered of a value does not count
        begun = time.perf_counter()
        parse(another)
        times.append(time.perf_counter() - begun)
    return min(times)


@pytest.mark.parametrize("name", PARSERS)
def test_header_parsers_are_linear(name: str) -> None:
    """Four times the length takes sixteen times as long where a parser is quadratic."""
    for piece in PIECES:
        short, long = (f"{piece * (size // len(piece))}!/" for size in (16_000, 64_000))
        once = seconds(PARSERS[name], short)
        assert seconds(PARSERS[name], long) < 10 * once + 0.05, piece


def test_a_boundary_is_not_tried_at_each_byte() -> None:
    """With the longest boundary allowed, and before any."""
    for boundary, status in [("-" * 69 + "a", 400), ("-" * 71, 400)]:
        body = b"-" * 3_000_000
        environ = {
            "CONTENT_TYPE": f"multipart/form-data; boundary={boundary}",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": BytesIO(body),
        }
        begun = time.perf_counter()
        with pytest.raises(Refused) as caught:
            read_form(environ, Parameters(1000), 12_000_000)
        assert caught.value.status == status
        assert time.perf_counter() - begun < 2
