from __future__ import annotations

import pytest

from wikiapi.errors import ConfigError
from wikiapi.http.address import ClientAddresses, is_local


def client(remote: str, forwarded: str = "", trusted: tuple[str, ...] = ("10.0.0.0/8",)) -> str:
    environ = {"REMOTE_ADDR": remote, "HTTP_X_FORWARDED_FOR": forwarded}
    return ClientAddresses(trusted).find(environ)


@pytest.mark.parametrize(
    ("remote", "forwarded", "found"),
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
def test_client_behind_proxies(remote: str, forwarded: str, found: str) -> None:
    assert client(remote, forwarded) == found


def test_nobody_is_trusted_by_default() -> None:
    assert client("127.0.0.1", "198.51.100.1", trusted=()) == "127.0.0.1"


def test_bad_proxy_address_is_named() -> None:
    with pytest.raises(ConfigError, match=r"proxy\.example"):
        ClientAddresses(["proxy.example"])


@pytest.mark.parametrize("remote", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:80", "[::1]"])
def test_direct_loopback_clients_are_local(remote: str, host: str) -> None:
    assert is_local({"REMOTE_ADDR": remote}, {"host": host})


@pytest.mark.parametrize("remote", ["192.0.2.1", "::2", "", "localhost", "0.0.0.0"])
def test_others_are_not(remote: str) -> None:
    assert not is_local({"REMOTE_ADDR": remote}, {"host": "localhost"})


@pytest.mark.parametrize(
    "header", ["x-forwarded-for", "x-forwarded-proto", "forwarded", "via", "x-real-ip"]
)
def test_who_comes_through_a_proxy_is_not(header: str) -> None:
    assert not is_local({"REMOTE_ADDR": "127.0.0.1"}, {"host": "localhost", header: ""})


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "192.0.2.1:80"])
def test_a_name_made_to_lead_here_is_not(host: str) -> None:
    assert not is_local({"REMOTE_ADDR": "127.0.0.1"}, {"host": host})
