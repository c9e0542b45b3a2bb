"""Clients that go away in the midst of an answer, and more of them than there are file numbers."""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection

import pytest

from tests.faults.served import PAGES
from tests.processes import ANNOUNCING, environment
from tests.unit.http.servers import running
from wikiapi.config import HttpConfig
from wikiapi.http.app import make_app
from wikiapi.http.serving.server import create_server
from wikiapi.testing import make_site

PATH = "/w/api.php?action=parse&page=Long&format=json"
REQUEST = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
LINGER = struct.pack("ii", 1, 0)
"""Closing sends a reset, as of a client that has crashed."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    site = make_site(PAGES)
    http = HttpConfig(listen="127.0.0.1:0", threads=2)
    with running(create_server(make_app(site), http)) as port:
        yield port
    site.db.close()


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def status(port: int) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", PATH)
        reply = connection.getresponse()
        assert len(reply.read()) == int(reply.headers["Content-Length"])
        return reply.status


@pytest.mark.parametrize("read", [0, 1000])
def test_clients_that_leave_do_not_block_others(port: int, read: int) -> None:
    for _ in range(20):
        with connected(port) as client:
            client.sendall(REQUEST)
            if read:
                client.recv(read)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
    assert status(port) == 200


def test_a_client_that_leaves_during_its_request_does_not_block_others(port: int) -> None:
    for _ in range(20):
        with connected(port) as client:
            client.sendall(b"POST /w/api.php HTTP/1.1\r\nContent-Length: 1000\r\n\r\naction=")
    assert status(port) == 200


def test_a_client_that_reads_nothing_does_not_block_others(port: int) -> None:
    with connected(port) as client:
        client.sendall(REQUEST * 50)
        assert [status(port) for _ in range(5)] == [200] * 5


SERVING = f"""{ANNOUNCING}
import resource
from tests.faults.served import PAGES
from wikiapi.config import HttpConfig
from wikiapi.http.app import make_app
from wikiapi.testing import make_site
app = make_app(make_site(PAGES))
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
server.serve(app, HttpConfig(listen="127.0.0.1:0", threads=2))
"""


@contextmanager
def serving_with_few_files() -> Iterator[int]:
    with subprocess.Popen(
        [sys.executable, "-c", SERVING],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def test_without_file_numbers_those_connected_are_answered_and_others_later() -> None:
    with serving_with_few_files() as port:
        assert status(port) == 200
        with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as first:
            first.request("GET", PATH)
            first.getresponse().read()
            crowd = [connected(port) for _ in range(100)]
            for _ in range(5):
                first.request("GET", PATH)
                reply = first.getresponse()
                assert (reply.status, bool(reply.read())) == (200, True)
            for client in crowd:
                client.close()
        assert status(port) == 200
