"""The one address that is asked, and everything it may do wrong (security, row 40)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.plugins.filerepos.rawserver import http, raw_server
from wikiapi.errors import ConfigError
from wikiapi.filerepo.file import RepositoryUnavailable
from wikiapi_plugins.filerepos import fetch
from wikiapi_plugins.filerepos.fetch import Endpoint, Fetcher


def fetcher(url: str, *, allow_private: bool = True) -> Fetcher:
    return Fetcher(Endpoint.of(url), 1000, allow_private=allow_private)


def ask(url: str, seconds: float = 20, **params: str) -> bytes:
    return fetcher(url).fetch(params, seconds)


def failure(answer: bytes) -> str:
    with (
        raw_server(lambda _, send: send(answer)) as url,
        pytest.raises(RepositoryUnavailable) as caught,
    ):
        ask(url, a="b")
    return str(caught.value)


def test_the_body_of_the_answer() -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)
        send(http(b"{}"))

    with raw_server(answer) as url:
        assert ask(url, titles="File:ä b", x="1") == b"{}"
    head = requests[0].decode()
    assert head.startswith("GET /w/api.php?titles=File%3A%C3%A4+b&x=1 HTTP/1.1\r\n")
    assert f"Host: {Endpoint.of(url).host}:{Endpoint.of(url).port}" in head


def test_long_requests_are_posted() -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)
        send(http(b"{}"))

    with raw_server(answer) as url:
        ask(url, titles="x" * 3000)
    assert requests[0].startswith(b"POST /w/api.php HTTP/1.1\r\n")


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
def test_redirects_are_not_followed(status: str) -> None:
    reason = failure(http(b"", status, b"Location: http://169.254.169.254/\r\n"))
    assert "redirects are not followed" in reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (http(b"", "404 Not Found"), "HTTP 404"),
        (http(b"", "500 Oops"), "HTTP 500"),
        (http(b"", "204 No Content"), "HTTP 204"),
        (b"", "RemoteDisconnected"),
        (b"SSH-2.0-OpenSSH\r\n", "BadStatusLine"),
        (http(b"x" * 1001), "longer than 1000 bytes"),
        (http(b"x" * 9999, headers=b"Content-Length: 9999\r\n"), "longer than 1000 bytes"),
        (http(b"{}", headers=b"Content-Length: 500\r\n"), "broke off"),
        (http(b"5\r\nab", headers=b"Transfer-Encoding: chunked\r\n"), "IncompleteRead"),
        (http(b"{}", headers=b"Content-Encoding: gzip\r\n"), "compressed"),
        (http(b"{}", headers=b"A: b\r\n" * 500), "HTTPException"),
        (http(b"{}", headers=b"A: " + b"x" * 70_000 + b"\r\n"), "LineTooLong"),
    ],
)
def test_unusable_answers(answer: bytes, reason: str) -> None:
    assert reason in failure(answer)


DRIPPING = {
    "headers": b"HTTP/1.1 200 OK\r\n",
    "other headers": b"HTTP/1.1 200 OK\r\nA: ",
    "body": http(b""),
    "chunks": http(b"", headers=b"Transfer-Encoding: chunked\r\n"),
    "trailer": http(b"0\r\n", headers=b"Transfer-Encoding: chunked\r\n"),
    "handshake": b"\x16\x03\x03\x3f\xff",
}


@pytest.mark.parametrize("where", DRIPPING)
def test_the_time_is_for_the_whole_request(where: str) -> None:
    over = threading.Event()

    def drip(request: bytes, send: Callable[[bytes], None]) -> None:
        send(DRIPPING[where])
        while not over.wait(0.02):
            send(b"0")

    with raw_server(drip) as url:
        url = url.replace("http:", "https:") if where == "handshake" else url
        with pytest.raises(RepositoryUnavailable, match=r"within 0\.2 seconds"):
            ask(url, 0.2)
        over.set()


@pytest.mark.parametrize(
    "repeated",
    [
        pytest.param(b"HTTP/1.1 100 Continue\r\n\r\n", id="interim answers"),
        pytest.param(http(b"0\r\n", headers=b"Transfer-Encoding: chunked\r\n"), id="trailer"),
        pytest.param(http(b"-1\r\n", headers=b"Transfer-Encoding: chunked\r\n"), id="negative"),
    ],
)
def test_an_answer_that_never_ends_is_not_read_on(repeated: bytes) -> None:
    over = threading.Event()

    def flood(request: bytes, send: Callable[[bytes], None]) -> None:
        send(repeated)
        piece = repeated if b"100" in repeated else b"x" * 998 + b"\r\n"
        while not over.is_set():
            send(piece * 100)

    with raw_server(flood) as url:
        with pytest.raises(RepositoryUnavailable, match="does not end"):
            ask(url)
        over.set()


def test_sending_has_no_more_time_than_all_the_rest() -> None:
    """The other side accepts the connection and never reads."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/api.php"
        with pytest.raises(RepositoryUnavailable, match=r"within 0\.2 seconds"):
            ask(url, 0.2, titles="x" * 30_000_000)


def test_a_private_address_is_not_connected_to() -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)

    with raw_server(answer) as url, pytest.raises(RepositoryUnavailable, match="private"):
        fetcher(url, allow_private=False).fetch({}, 20)
    assert requests == []


def test_the_address_that_was_checked_is_the_one_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name that is public when it is checked and private a moment later gains nothing."""
    answers = iter(["93.184.216.34", "127.0.0.1"])
    connected = []

    def resolve(*_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 80))]

    class Socket(socket.socket):
        def connect(self, address: Any) -> None:
            connected.append(address)
            raise TimeoutError("nobody there")

    monkeypatch.setattr(fetch.socket, "getaddrinfo", resolve)
    monkeypatch.setattr(fetch.socket, "socket", Socket)
    with pytest.raises(RepositoryUnavailable, match="nobody there"):
        fetcher("http://rebinding.example/api.php", allow_private=False).fetch({}, 20)
    assert connected == [("93.184.216.34", 80)]


def test_a_name_server_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    asked = []

    with raw_server(lambda _, send: send(http(b"{}"))) as url:
        endpoint = Endpoint.of(url)

        def resolve(*_: Any) -> list[Any]:
            asked.append(threading.current_thread())
            over.wait(60)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (endpoint.host, endpoint.port))]

        monkeypatch.setattr(fetch.socket, "getaddrinfo", resolve)
        hanging = fetcher(url)
        for _ in range(3):
            with pytest.raises(RepositoryUnavailable, match="was not resolved"):
                hanging.fetch({}, 0.05)
        # However many requests there were, one thread waits.
        assert len(asked) == 1
        over.set()
        asked[0].join(60)
        assert hanging.fetch({}, 20) == b"{}"
        assert len(asked) == 2


def test_a_name_without_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_: Any) -> list[Any]:
        raise socket.gaierror("unknown name")

    monkeypatch.setattr(fetch.socket, "getaddrinfo", resolve)
    with pytest.raises(RepositoryUnavailable, match="unknown name"):
        ask("http://nowhere.example/api.php")


def test_the_certificate_is_checked() -> None:
    with (
        raw_server(lambda _, send: send(http(b"{}"))) as url,
        pytest.raises(RepositoryUnavailable, match="SSL"),
    ):
        ask(url.replace("http:", "https:"))


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/api.php",
        "file:///etc/passwd",
        "//a.example/api.php",
        "http:///api.php",
        "http://user:secret@a.example/api.php",
        "http://a.example:99999/api.php",
        "http://a.example/api.php?x=1",
        "http://a.example/api.php#x",
        "http://a.example/a b",
        "http://a.example/\r\nHost: b",
        "http://[::1/api.php",
        "",
    ],
)
def test_addresses_that_cannot_be_configured(url: str) -> None:
    with pytest.raises(ConfigError):
        Endpoint.of(url)
