"""A server that is asked, and everything that it may do wrong."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.plugins.filerepos.rawserver import http, raw_server
from wikiapi.fetching import (
    BadStatus,
    Busy,
    FetchError,
    HttpClient,
    Unacceptable,
    WebAddress,
    is_public,
)


def ask(url: str, seconds: float = 20, *, public_only: bool = False, **form: str) -> bytes:
    client = HttpClient(public_only=public_only, max_bytes=1000)
    return client.fetch(url, form or None, seconds=seconds).body


def failure(answer: bytes) -> str:
    with (
        raw_server(lambda _, send: send(answer)) as url,
        pytest.raises(FetchError) as caught,
    ):
        ask(url, a="b")
    return str(caught.value)


def test_the_body_of_the_answer() -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)
        send(http(b"{}"))

    with raw_server(answer) as url:
        assert ask(f"{url}?titles=File%3A%C3%A4+b&x=[ä]#c") == b"{}"
    head = requests[0].decode()
    assert head.startswith("GET /w/api.php?titles=File%3A%C3%A4+b&x=%5B%C3%A4%5D HTTP/1.1\r\n")
    assert f"Host: {WebAddress.of(url).host}:{WebAddress.of(url).port}" in head
    assert "User-Agent: wikiapi/" in head


def test_forms_are_posted() -> None:
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
    assert "redirects to 'http://169.254.169.254/', which is not followed" in reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (http(b"", "404 Not Found"), "HTTP 404"),
        (http(b"", "500 Oops"), "HTTP 500"),
        (http(b"", "204 No Content"), "HTTP 204"),
        (b"", "RemoteDisconnected"),
        (b"SSH-2.0-OpenSSH\r\n", "BadStatusLine"),
        (http(b"x" * 1001), "more than 1000 bytes"),
        (http(b"x" * 9999, headers=b"Content-Length: 9999\r\n"), "more than 1000 bytes"),
        (http(b"{}", headers=b"Content-Length: 500\r\n"), "is incomplete"),
        (http(b"5\r\nab", headers=b"Transfer-Encoding: chunked\r\n"), "IncompleteRead"),
        (http(b"{}", headers=b"Content-Encoding: gzip\r\n"), "compresses"),
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
        with pytest.raises(FetchError, match=r"within 0\.2 seconds"):
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
        with pytest.raises(FetchError, match="does not end"):
            ask(url)
        over.set()


def test_sending_has_no_more_time_than_all_the_rest() -> None:
    """The other side accepts the connection and never reads."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/api.php"
        with pytest.raises(FetchError, match=r"within 0\.2 seconds"):
            ask(url, 0.2, titles="x" * 30_000_000)


def test_a_private_address_is_not_connected_to() -> None:
    requests = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        requests.append(request)

    with raw_server(answer) as url, pytest.raises(FetchError, match="private"):
        ask(url, public_only=True)
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

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr("wikiapi.fetching.connections.socket.socket", Socket)
    with pytest.raises(FetchError, match="nobody there"):
        ask("http://rebinding.example/api.php", public_only=True)
    assert connected == [("93.184.216.34", 80)]


def test_a_name_server_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    asked = []

    with raw_server(lambda _, send: send(http(b"{}"))) as url:
        address = WebAddress.of(url)

        def resolve(*_: Any) -> list[Any]:
            asked.append(threading.current_thread())
            over.wait(60)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address.host, address.port))]

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        for _ in range(3):
            with pytest.raises(FetchError, match="was not resolved"):
                ask(url, 0.05)
        # However many requests there were, one thread waits.
        assert len(asked) == 1
        over.set()
        asked[0].join(60)
        assert ask(url) == b"{}"
        assert len(asked) == 2


def test_a_name_without_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_: Any) -> list[Any]:
        raise socket.gaierror("unknown name")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(FetchError, match="unknown name"):
        ask("http://nowhere.example/api.php")


def test_the_certificate_is_checked() -> None:
    with (
        raw_server(lambda _, send: send(http(b"{}"))) as url,
        pytest.raises(FetchError, match="SSL"),
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
        "http://a.example:0/api.php",
        "http://a b/api.php",
        "http://a\\b/api.php",
        "http://[::1/api.php",
        "http://ä..example/",
        "",
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ValueError):
        WebAddress.of(url)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://A.example", WebAddress("http", "a.example", 80, "/")),
        (
            "https://ä.example:8080/ö?a=ü&b#c",
            WebAddress("https", "xn--4ca.example", 8080, "/%C3%B6?a=%C3%BC&b"),
        ),
        ("http://[::1]/a%20b c", WebAddress("http", "::1", 80, "/a%20b%20c")),
    ],
)
def test_addresses_in_ascii(url: str, address: WebAddress) -> None:
    assert WebAddress.of(url) == address


# Redirects


def no_check(url: str) -> bool:
    return False


def read(url: str, check: Callable[[str], bool]) -> bytes:
    with HttpClient().open(url, {}, check, seconds=20, max_bytes=1000) as response:
        return b"".join(response.pieces())


def redirecting(*places: str) -> Callable[[bytes, Callable[[bytes], None]], None]:
    """Return a server that sends redirects, one after the other, then a body."""
    locations = list(places)

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        if not locations:
            send(http(request.split(b" ")[1]))
        else:
            send(http(b"", "302 Found", b"Location: " + locations.pop(0).encode() + b"\r\n"))

    return answer


def test_redirects_are_followed_where_each_is_checked() -> None:
    checked: list[str] = []

    def check(url: str) -> bool:
        checked.append(url)
        return False

    with raw_server(redirecting("b", "/c?d")) as url:
        assert read(url, check) == b"/c?d"
        assert checked == [url, url.replace("api.php", "b"), url.replace("/w/api.php", "/c?d")]


def test_a_redirect_that_the_check_refuses() -> None:
    def check(url: str) -> bool:
        if "evil" in url:
            raise LookupError(url)
        return False

    with raw_server(redirecting("http://evil.example/")) as url, pytest.raises(LookupError):
        read(url, check)


def test_a_redirect_to_a_private_address() -> None:
    with (
        raw_server(redirecting("/private")) as url,
        pytest.raises(Unacceptable, match="private address"),
    ):
        read(url, lambda url: url.endswith("/private"))


@pytest.mark.parametrize("place", ["http://[::1", ""])
def test_redirects_to_nowhere(place: str) -> None:
    with raw_server(redirecting(place)) as url, pytest.raises(BadStatus, match="redirects to"):
        read(url, no_check)


def test_redirects_without_end() -> None:
    with (
        raw_server(redirecting(*"abcdefgh")) as url,
        pytest.raises(Unacceptable, match="redirects more than 5 times"),
    ):
        read(url, no_check)


# Proxies


def test_a_proxy_of_the_environment_is_used_only_if_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heads: list[str] = []

    def answer(request: bytes, send: Callable[[bytes], None]) -> None:
        heads.append(request.decode())
        send(http(b"{}"))

    with raw_server(answer) as url:
        proxy = url.replace("http://", "http://ada:a%20b@")
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("no_proxy", "direct.example")
        client = HttpClient(use_proxies=True)
        assert client.fetch("http://wiki.example:8080/a?b", seconds=20).body == b"{}"
        assert ask(url) == b"{}"
    assert heads[0].startswith("GET http://wiki.example:8080/a?b HTTP/1.1\r\n")
    assert "\r\nHost: wiki.example:8080\r\n" in heads[0]
    assert "\r\nProxy-Authorization: Basic YWRhOmEgYg==\r\n" in heads[0]
    assert heads[1].startswith("GET /w/api.php HTTP/1.1\r\n")
    assert "Proxy" not in heads[1]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [(b"HTTP/1.1 403 No\r\n\r\n", "the proxy answers HTTP 403"), (http(b"no TLS"), "SSL")],
)
def test_https_goes_through_a_tunnel_of_the_proxy(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, problem: str
) -> None:
    heads: list[str] = []

    def tunnel(request: bytes, send: Callable[[bytes], None]) -> None:
        heads.append(request.decode())
        send(answer)

    with raw_server(tunnel) as url:
        monkeypatch.setenv("https_proxy", url)
        with pytest.raises(Busy, match=problem):
            HttpClient(use_proxies=True).fetch("https://wiki.example/", seconds=20)
    assert heads[0].startswith("CONNECT wiki.example:443 HTTP/1.1\r\n")
    assert "\r\nHost: wiki.example:443\r\n" in heads[0]


def test_a_proxy_of_another_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    with pytest.raises(Busy, match="socks5"):
        HttpClient(use_proxies=True).fetch("http://wiki.example/", seconds=20)


# IP addresses


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "1.1.1.1"])
def test_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "localhost",
        "",
    ],
)
def test_not_public(address: str) -> None:
    assert not is_public(address)
