"""Answers are sent by the thread that made them."""

from __future__ import annotations

import socket
from typing import Any

from waitress import wasyncore

from wikiapi.config import HttpConfig
from wikiapi.http.channel import PromptChannel
from wikiapi.http.server import create_server


def greet(_environ: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Length", "5")])
    return [b"hello"]


def test_head_and_body_of_a_small_answer_leave_together() -> None:
    sent: list[bytes] = []

    class Noting(PromptChannel):
        def send(self, data: bytes, do_close: bool = True) -> int:
            sent.append(data)
            return int(super().send(data, do_close))

    assert [answer_without_loop(Noting)] == sent


def test_an_answer_does_not_wait_for_the_loop() -> None:
    assert answer_without_loop(PromptChannel).endswith(b"hello")


def answer_without_loop(channel_class: type[PromptChannel]) -> bytes:
    """An answer while nobody runs the loop, once it has read the request."""
    server = create_server(greet, HttpConfig(listen="127.0.0.1:0", threads=1))
    server.channel_class = channel_class
    with socket.create_connection(server.socket.getsockname(), timeout=20) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        known = len(server._map)
        while len(server._map) == known:
            wasyncore.loop(1, map=server._map, count=1)
        wasyncore.loop(1, map=server._map, count=1)
        received = b""
        while not received.endswith(b"hello"):
            received += client.recv(4096)
    server.task_dispatcher.shutdown()
    wasyncore.close_all(server._map)
    return received
