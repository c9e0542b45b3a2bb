"""The one address that is asked, and everything it may do wrong (security, row 40)."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.plugins.filerepos.rawserver import http, raw_server
from wikiapi.errors import ConfigError
from wikiapi.filerepo.repository import RepositoryUnavailable
from wikiapi_plugins.filerepos import fetch
from wikiapi_plugins.filerepos.fetch import Endpoint, Fetcher

if TYPE_CHECKING:
    from collections.abc import Callable


def fetcher(url: str, **options: Any) -> Fetcher:
    settings = {"timeout": 5.0, "max_bytes": 1000, "allow_private": True} | options
    return Fetcher(Endpoint.of(url), **settings)


def failure(answer: bytes, **options: Any) -> str:
    with (
        raw_server(lambda _, send: send(answer)) as url,
        pytest.raises(RepositoryUnavailable) as caught,
    ):
        fetcher(url, **options).ask({"a": "b"})
    return str(caught.value)


def test_the_body_of_the_answer() -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)
        send(http(b"{}"))

    with raw_server(answer) as url:
        assert fetcher(url).ask({"titles": "File:ä b", "x": "1"}) == b"{}"
    head = requests[0].decode()
    assert head.startswith("GET /w/api.php?titles=File%3A%C3%A4+b&x=1 HTTP/1.1\r\n")
    assert f"Host: {Endpoint.of(url).host}:{Endpoint.of(url).port}" in head


def test_long_requests_are_posted() -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)
        send(http(b"{}"))

    with raw_server(answer) as url:
        fetcher(url).ask({"titles": "x" * 3000})
    assert requests[0].startswith(b"POST /w/api.php HTTP/1.1\r\n")


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
def test_row_40_redirects_are_not_followed(status: str) -> None:
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
def test_what_is_no_usable_answer(answer: bytes, reason: str) -> None:
    assert reason in failure(answer)


def test_the_timeout_is_for_the_whole_request() -> None:
    over = threading.Event()

    def drip(request: bytes, send: Callable[[bytes], None]) -> None:
        send(http(b""))
        while not over.wait(0.02):
            send(b" ")

    with raw_server(drip) as url:
        with pytest.raises(RepositoryUnavailable, match=r"within 0\.2 seconds"):
            fetcher(url, timeout=0.2).ask({})
        over.set()


def test_row_40_a_private_address_is_not_connected_to() -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)

    with raw_server(answer) as url, pytest.raises(RepositoryUnavailable, match="private"):
        fetcher(url, allow_private=False).ask({})
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
        fetcher("http://rebinding.example/api.php", allow_private=False).ask({})
    assert connected == [("93.184.216.34", 80)]


def test_a_slow_name_server_uses_up_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with raw_server(lambda _, send: send(http(b"{}"))) as url:
        endpoint = Endpoint.of(url)
        over = threading.Event()

        def resolve(*_: Any) -> list[Any]:
            over.wait()
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (endpoint.host, endpoint.port))]

        monkeypatch.setattr(fetch.socket, "getaddrinfo", resolve)
        monkeypatch.setattr(fetch._Watchdog, "_end", _ended_by(fetch._Watchdog._end, over))
        with pytest.raises(RepositoryUnavailable, match="within"):
            fetcher(url, timeout=0.1).ask({})


def _ended_by(end: Callable[[Any], None], over: threading.Event) -> Callable[[Any], None]:
    def end_and_tell(watchdog: Any) -> None:
        end(watchdog)
        over.set()

    return end_and_tell


def test_a_name_without_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_: Any) -> list[Any]:
        raise socket.gaierror("unknown name")

    monkeypatch.setattr(fetch.socket, "getaddrinfo", resolve)
    with pytest.raises(RepositoryUnavailable, match="unknown name"):
        fetcher("http://nowhere.example/api.php").ask({})


def test_the_certificate_is_checked() -> None:
    with (
        raw_server(lambda _, send: send(http(b"{}"))) as url,
        pytest.raises(RepositoryUnavailable, match="SSL"),
    ):
        fetcher(url.replace("http:", "https:")).ask({})


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
