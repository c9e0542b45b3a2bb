"""The user of a process that is connected to another one on the same machine."""

from __future__ import annotations

import ipaddress
import os
import pwd
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from wikiapi.http.address import IpAddress, user_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
ROOT = os.geteuid() == 0
KINDS = [
    (socket.AF_INET, "127.0.0.1"),
    (socket.AF_INET6, "::1"),
    (socket.AF_INET6, "::ffff:127.0.0.1"),
]


@pytest.fixture(params=["asked", "neither"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return whether the system tells about the peer."""
    if request.param == "neither":
        monkeypatch.delattr(socket, "AF_NETLINK")
    return str(request.param)


@contextmanager
def connected(kind: socket.AddressFamily, target: str) -> Iterator[tuple[IpAddress, int, int]]:
    """Yield a connection on this machine: the client's end, and the server's port."""
    name = "::1" if target == "::1" else "127.0.0.1"
    with (
        socket.socket(socket.AF_INET6 if name == "::1" else socket.AF_INET) as listener,
        socket.socket(kind) as client,
    ):
        listener.bind((name, 0))
        listener.listen()
        client.connect((target, listener.getsockname()[1]))
        server, (address, port, *_) = listener.accept()
        with server:
            yield ipaddress.ip_address(address), port, listener.getsockname()[1]


@contextmanager
def as_nobody() -> Iterator[int]:
    user = pwd.getpwnam("nobody").pw_uid
    os.seteuid(user)
    try:
        yield user
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(("kind", "target"), KINDS)
def test_our_own_process(kind: socket.AddressFamily, target: str, way: str) -> None:
    with connected(kind, target) as ends:
        assert user_of(*ends) == (None if way == "neither" else os.geteuid())


@pytest.mark.skipif(not ROOT, reason="only root has sockets of other users")
@pytest.mark.parametrize(("kind", "target"), KINDS)
def test_the_process_of_another_user(kind: socket.AddressFamily, target: str, way: str) -> None:
    with as_nobody() as user:
        made = connected(kind, target)
        ends = made.__enter__()
    assert user_of(*ends) == (None if way == "neither" else user)
    made.__exit__(None, None, None)


@pytest.mark.parametrize(("kind", "target"), KINDS)
def test_a_connection_that_is_closed_is_nobodys(
    kind: socket.AddressFamily, target: str, way: str
) -> None:
    with connected(kind, target) as ends:
        pass
    assert user_of(*ends) is None


def test_another_connection_is_not_taken_for_it(way: str) -> None:
    with connected(*KINDS[0]) as (address, client_port, port):
        assert user_of(address, client_port, port % 65_535 + 1) is None
        assert user_of(ipaddress.ip_address("127.0.0.9"), client_port, port) is None
        assert user_of(address, 1, port) is None
