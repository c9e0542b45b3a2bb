from __future__ import annotations

import pytest

from wikiapi.errors import ConfigError
from wikiapi.http import address
from wikiapi.http.address import ClientAddresses, is_local


def client(remote: str, forwarded: str = "", trusted: tuple[str, ...] = ("10.0.0.0/8",)) -> str:
    environ = {"REMOTE_ADDR": remote, "HTTP_X_FORWARDED_FOR": forwarded}
    return ClientAddresses(trusted).find(environ)


@pytest.mark.parametrize(
    ("remote", "forwarded", "address"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.1", "192.0.2.1"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("", "", "127.0.0.1"),
    ],
)
def test_client_behind_proxies(remote: str, forwarded: str, address: str) -> None:
    assert client(remote, forwarded) == address


def test_no_proxy_is_trusted_by_default() -> None:
    assert client("127.0.0.1", "198.51.100.1", trusted=()) == "127.0.0.1"


def test_bad_proxy_address_is_named() -> None:
    with pytest.raises(ConfigError, match=r"proxy\.example"):
        ClientAddresses(["proxy.example"])


HERE = {
    "REMOTE_ADDR": "127.0.0.1",
    "SERVER_PORT": "8080",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.url_scheme": "http",
}
HOST = {"host": "127.0.0.1:8080"}


@pytest.fixture
def same_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat clients as processes of the same user."""
    monkeypatch.setattr(address, "_is_same_user", lambda *_: True)


@pytest.mark.parametrize("remote", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize(
    ("host", "port"),
    [("localhost:8080", 8080), ("LOCALHOST:8080", 8080), ("127.0.0.1", 80), ("[::1]:80", 80),
     ("[::1]", 80)],
)  # fmt: skip
@pytest.mark.usefixtures("same_user")
def test_direct_loopback_clients_are_local(remote: str, host: str, port: int) -> None:
    environ = {**HERE, "REMOTE_ADDR": remote, "SERVER_PORT": str(port)}
    assert is_local(environ, {"host": host, "origin": f"http://{host}", "sec-fetch-site": "none"})


@pytest.mark.parametrize(
    "changed",
    [
        *({"REMOTE_ADDR": remote} for remote in ("192.0.2.1", "::2", "", "localhost", "0.0.0.0")),
        {"SERVER_PORT": "8081"},
        {"SERVER_PROTOCOL": "HTTP/1.0"},
        {"wsgi.url_scheme": "https", "SERVER_PORT": "80"},
    ],
)
@pytest.mark.usefixtures("same_user")
def test_others_are_not(changed: dict[str, str]) -> None:
    assert is_local(HERE, HOST)
    assert not is_local({**HERE, **changed}, HOST)


@pytest.mark.parametrize(
    "headers",
    [
        {"x-forwarded-for": ""}, {"x-forwarded-proto": "http"}, {"forwarded": "for=x"},
        {"via": "1.1 x"}, {"x-real-ip": "x"}, {"cf-connecting-ip": "x"}, {"x-client-ip": "x"},
        {"origin": "https://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:80"},
        {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
        {"host": "evil.example"}, {"host": "localhost.evil.example:8080"}, {"host": "127.0.0.1"},
        {"host": "127.0.0.1:80"}, {"host": "127.0.0.2:8080"}, {"host": ""}, {"host": ":8080"},
    ],
)  # fmt: skip
@pytest.mark.usefixtures("same_user")
def test_who_comes_through_a_proxy_or_from_another_site_is_not(headers: dict[str, str]) -> None:
    assert not is_local(HERE, {**HOST, **headers})


@pytest.mark.usefixtures("same_user")
def test_without_a_host_nobody_is() -> None:
    assert not is_local(HERE, {})


@pytest.mark.parametrize("remote_port", [None, "", "x", "-1", "99999999", "9" * 5000])
def test_without_a_sound_port_of_the_client_nobody_is(remote_port: str | None) -> None:
    assert not is_local({**HERE, "REMOTE_PORT": remote_port}, HOST)
