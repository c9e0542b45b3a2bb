from __future__ import annotations

import threading
from collections.abc import Iterable
from http.client import HTTPConnection
from urllib.parse import urlsplit
from urllib.request import urlopen
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from wikiapi.testing.server import live_server


def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    body = environ["PATH_INFO"].encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def test_server_answers_on_its_own_port() -> None:
    with live_server(app) as base, urlopen(f"{base}/x") as answer:
        assert answer.read() == b"/x"


def test_two_servers_run_side_by_side() -> None:
    with live_server(app) as first, live_server(app) as second:
        assert first != second


def test_a_port_that_is_taken_is_refused() -> None:
    with (
        live_server(app) as base,
        pytest.raises(OSError, match="in use"),
        live_server(app, urlsplit(base).netloc),
    ):
        pass


def test_nothing_is_left_when_a_connection_stayed_open() -> None:
    before = set(threading.enumerate())
    with live_server(app) as base:
        connection = HTTPConnection(urlsplit(base).netloc)
        connection.request("GET", "/x")
        assert connection.getresponse().read() == b"/x"
        started = set(threading.enumerate()) - before
        assert len(started) == 5
    connection.close()
    for thread in started:
        thread.join(timeout=5)
        assert not thread.is_alive()
