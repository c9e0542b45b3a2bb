"""More requests than the server can bear are refused at once; the others are served."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from email.message import Message
from http.client import HTTPConnection
from typing import Any, NamedTuple

import pytest

from tests.unit.http.servers import running
from tests.unit.http.sites import empty_site
from wikiapi.api.context import RequestContext
from wikiapi.config import HttpConfig
from wikiapi.http.app import WikiApp, make_app
from wikiapi.http.serving.server import create_server


def hello(_environ: Any, start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Length", "5")])
    return [b"hello"]


@pytest.mark.parametrize("streams", [False, True])
def test_a_full_queue_is_shed_and_then_served(streams: bool) -> None:
    """One thread is kept busy, to the last byte, while two requests wait and ten are refused."""
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
        asked += [clients.submit(status_of, port) for _ in range(2)]
        while len(queue) < 2:
            threading.Event().wait(0.001)
        assert [status_of(port) for _ in range(10)] == [503] * 10
        opened.set()
        assert [answer.result(20) for answer in asked] == [200] * 3
        assert status_of(port) == 200


def test_a_refusal_says_when_to_try_again_and_is_not_cached() -> None:
    opened, entered = threading.Event(), threading.Event()

    def slow(environ: Any, start_response: Any) -> Iterable[bytes]:
        entered.set()
        opened.wait(20)
        return hello(environ, start_response)

    http = HttpConfig(listen="127.0.0.1:0", threads=1, max_waiting=1)
    server = create_server(slow, http)
    queue = server.task_dispatcher.queue
    with running(server) as port, ThreadPoolExecutor(2) as clients:
        asked = [clients.submit(status_of, port)]
        entered.wait(20)
        asked.append(clients.submit(status_of, port))
        while not queue:
            threading.Event().wait(0.001)
        refused = answer_of(port, "/")
        opened.set()
        assert [answer.result(20) for answer in asked] == [200, 200]
    assert refused.status == 503
    assert refused.headers["Retry-After"] == "1"
    assert refused.headers["Cache-Control"] == "private, no-store"


def test_the_health_check_is_answered_while_all_others_are_blocked() -> None:
    opened, entered = threading.Event(), threading.Semaphore(0)

    class Blocking(WikiApp):
        def perform(self, context: RequestContext) -> None:
            entered.release()
            opened.wait(20)
            super().perform(context)

    site = empty_site()
    http = HttpConfig(listen="127.0.0.1:0", threads=3, max_waiting=100)
    server = create_server(make_app(site, Blocking(site)), http)
    queue = server.task_dispatcher.queue
    heavy = "/w/api.php?action=query&meta=siteinfo&format=json"
    with running(server) as port, ThreadPoolExecutor(103) as clients:
        asked = [clients.submit(status_of, port, heavy) for _ in range(103)]
        for _ in range(3):
            assert entered.acquire(timeout=20)
        while len(queue) < 100:
            threading.Event().wait(0.001)
        healthy = answer_of(port, site.config.http.health_path)
        assert (healthy.status, json.loads(healthy.body)) == (200, {"status": "ok"})
        assert status_of(port, heavy) == 503
        assert answer_of(port, "/healthz?again").status == 200
        assert not any(answer.done() for answer in asked)
        opened.set()
        assert {answer.result(20) for answer in asked} == {200}
    site.db.close()


class Answer(NamedTuple):
    status: int
    headers: Message
    body: bytes


def answer_of(port: int, path: str) -> Answer:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    with closing(connection):
        return Answer(answer.status, answer.headers, answer.read())


def status_of(port: int, path: str = "/") -> int:
    return answer_of(port, path).status
