"""Row 50: connections that are held by clients who do nothing with them keep nobody else out."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection

import pytest

from tests.processes import ANNOUNCING, environment

PATH = "/w/api.php?action=query&titles=Main+Page&format=json"
IDLE = b""
SLOW_HEAD = b"GET / HTTP/1.1\r\nX-Slow: "
SLOW_BODY = b"POST /w/api.php HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\naction="
NEVER_READING = b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n"
SERVING = f"""{ANNOUNCING}
import resource, sys
from wikiapi.config import HttpConfig
from wikiapi.http.app import make_app
from wikiapi.testing import make_site
site = make_app(make_site({{"Main Page": "x"}}))

def app(environ, start_response):
    if environ["PATH_INFO"] != "/endless":
        return site(environ, start_response)
    start_response("200 OK", [])
    return iter(lambda: b"x" * 1_000_000, b"")

most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
server.serve(app, HttpConfig(listen="127.0.0.1:0", threads=4, shutdown_grace=1))
"""


@contextmanager
def serving(files: int) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    with subprocess.Popen(
        [sys.executable, "-c", SERVING, str(files)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout
        try:
            yield int(process.stdout.readline()), process
        finally:
            process.terminate()


def held(port: int, attacks: Sequence[bytes]) -> ExitStack:
    """Open connections, each of which has sent the beginning of a request.

    More may come than there is room for: the server closes some of them while the others connect.
    """
    crowd = ExitStack()
    for sent in attacks:
        client = crowd.enter_context(socket.socket())
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(60)
        client.connect(("127.0.0.1", port))
        try:
            client.sendall(sent)
        except ConnectionError:
            continue
    return crowd


def status(port: int) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", PATH)
        reply = connection.getresponse()
        assert reply.read()
        return reply.status


@pytest.mark.parametrize(
    "attacks",
    [
        [IDLE] * 200,
        [SLOW_HEAD] * 200,
        [SLOW_BODY] * 200,
        [NEVER_READING] * 12,
        [IDLE, SLOW_HEAD, SLOW_BODY] * 200,
        [IDLE, SLOW_HEAD, SLOW_BODY, NEVER_READING] * 8,
    ],
    ids=["idle", "slow heads", "slow bodies", "never reading", "too many", "of each kind"],
)
def test_others_are_answered(attacks: list[bytes]) -> None:
    with serving(1024) as (port, _), held(port, attacks):
        assert [status(port) for _ in range(5)] == [200] * 5


def test_without_files_others_are_answered_and_nothing_spins() -> None:
    with serving(64) as (port, process):
        with held(port, [IDLE, SLOW_HEAD, SLOW_BODY] * 60):
            assert [status(port) for _ in range(5)] == [200] * 5
            time.sleep(1)
        assert status(port) == 200
        process.terminate()
        _, log = process.communicate(timeout=60)
        assert log.count("Too many open files") <= 1, "but for when it ends"
        assert len(log) < 20_000
