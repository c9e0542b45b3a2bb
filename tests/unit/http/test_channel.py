"""Answers are sent by the thread that made them."""

from __future__ import annotations

import socket
from typing import Any

from waitress import wasyncore

from wikiapi.config import HttpConfig
from wikiapi.http.server import create_server


def greet(_environ: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Length", "5")])
    return [b"hello"]


def test_an_answer_does_not_wait_for_the_loop() -> None:
    server = create_server(greet, HttpConfig(listen="127.0.0.1:0", threads=1))
    with socket.create_connection(server.socket.getsockname(), timeout=20) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        known = len(server._map)
        while len(server._map) == known:
            wasyncore.loop(1, map=server._map, count=1)
        # The connection is there and the request is read; from here on nobody runs the loop.
        wasyncore.loop(1, map=server._map, count=1)
        received = b""
        while not received.endswith(b"hello"):
            received += client.recv(4096)
    server.task_dispatcher.shutdown()
    wasyncore.close_all(server._map)
