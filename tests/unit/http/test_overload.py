"""More requests than the server can bear are refused at once; the others are served."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pytest

from tests.unit.http.servers import running
from wikiapi.config import HttpConfig
from wikiapi.http.serving.server import Shedding, create_server
from wikiapi.http.wsgiclient import InProcess
from wikiapi.testing.client import ELSEWHERE


def hello(_environ: Any, start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Length", "5")])
    return [b"hello"]


def test_the_bound_counts() -> None:
    waiting = iter((0, 2, 3))
    client = InProcess(Shedding(hello, lambda: next(waiting), 2), ELSEWHERE)
    replies = [client.send("GET", "/") for _ in range(3)]
    assert [reply.status for reply in replies] == [200, 200, 503]
    assert replies[2].headers["retry-after"] == "1"
    assert replies[2].headers["cache-control"] == "private, no-store"


@pytest.mark.parametrize("streams", [False, True])
def test_a_full_queue_is_shed_and_then_served(streams: bool) -> None:
    """One thread is kept busy, to the last byte, while twelve requests queue; two may wait."""
    opened, entered = threading.Event(), threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b"hel"
        entered.set()
        opened.wait(20)
        yield b"lo"

    def slow(environ: Any, start_response: Any) -> Iterable[bytes]:
        if streams:
            start_response("200 OK", [])
            return pieces()
        entered.set()
        opened.wait(20)
        return hello(environ, start_response)

    http = HttpConfig(listen="127.0.0.1:0", threads=1, max_waiting=2)
    server = create_server(slow, http)
    queue = server.task_dispatcher.queue
    with running(server) as port, ThreadPoolExecutor(13) as clients:
        asked = [clients.submit(status_of, port)]
        entered.wait(20)
        asked += [clients.submit(status_of, port) for _ in range(12)]
        while len(queue) < 12:
            threading.Event().wait(0.001)
        opened.set()
        statuses = sorted(answer.result(20) for answer in asked)
        assert statuses == [200] * 4 + [503] * 9
        assert status_of(port) == 200


def status_of(port: int) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/")
    status = connection.getresponse().status
    connection.close()
    return status
