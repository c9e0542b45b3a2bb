"""waitress as we set it up, over real sockets. Nobody smuggles requests through it."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import Request, urlopen
from wsgiref.types import WSGIApplication

import pytest

from tests.processes import ANNOUNCING, environment
from tests.unit.http.servers import running
from tests.unit.http.sites import app_of
from wikiapi.config import HttpConfig
from wikiapi.errors import ConfigError
from wikiapi.hookspecs import hookimpl
from wikiapi.http.routing import Mount
from wikiapi.http.serving.server import MAX_HEADER_BYTES, SLACK, create_server

pytestmark = pytest.mark.slow

TARGET = "/w/api.php?action=checktoken&type=csrf&token=x&format=json"
HTTP = HttpConfig(listen="127.0.0.1:0", threads=2, max_body=1000)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    app = app_of(http={"max_body": 1000})
    with running(create_server(app, HTTP)) as port:
        yield port


class Echoing:
    """A plugin with an application that sends back what it receives."""

    @hookimpl
    def register_mounts(self) -> list[Mount]:
        return [Mount("/echo", echo)]


def echo(environ: Any, start_response: Any) -> list[bytes]:
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def echo_app() -> WSGIApplication:
    return app_of(plugins=[Echoing()])


def exchange(port: int, data: bytes) -> bytes:
    """Return everything that the server sends until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return received


def statuses(received: bytes) -> list[str]:
    return [status.decode() for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)]


def error_of(received: bytes) -> str:
    return str(json.loads(received.partition(b"\r\n\r\n")[2])["error"]["code"])


def request(*lines: str, body: bytes = b"", method: str = "GET") -> bytes:
    head = [f"{method} {TARGET} HTTP/1.1", "Host: localhost", *lines, "", ""]
    return "\r\n".join(head).encode("latin-1") + body


SMUGGLED = request()
FORM = "Content-Type: application/x-www-form-urlencoded"


def test_answer_over_a_socket(port: int) -> None:
    with urlopen(f"http://127.0.0.1:{port}{TARGET}", timeout=20) as reply:
        assert json.loads(reply.read())["checktoken"] == {"result": "invalid"}
        assert reply.headers["Server"] == "wikiapi"


def debuginfo(port: int, **headers: str) -> bool:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    asked = Request(f"http://127.0.0.1:{port}{TARGET}", headers=sent)
    with urlopen(asked, timeout=20) as reply:
        return "debuginfo" in json.loads(reply.read())


def test_direct_loopback_clients_get_debuginfo_and_proxied_ones_do_not(port: int) -> None:
    assert debuginfo(port)
    assert not debuginfo(port, X_Forwarded_For="192.0.2.1")
    assert not debuginfo(port, Forwarded="for=192.0.2.1")
    assert not debuginfo(port, Via="1.1 proxy")


def test_pipelined_requests_are_answered_each(port: int) -> None:
    assert statuses(exchange(port, request() + request("Connection: close"))) == ["200", "200"]


@pytest.mark.parametrize(
    "lines",
    [
        ["Content-Length: +10"],
        ["Content-Length: -1"],
        ["Content-Length: 1_0"],
        ["Content-Length: 0x0a"],
        ["Content-Length: 10, 20"],
        ["Content-Length: 0", "Content-Length: 10"],
        ["Content-Length : 10"],
        ["Transfer-Encoding: \x0bchunked"],
        ["Transfer-Encoding: xchunked"],
        ["Transfer-Encoding: chunked, identity"],
        ["X-Odd: a\rTransfer-Encoding: chunked"],
        ["X-Odd: a\nContent-Length: 10"],
    ],
)
def test_ambiguous_requests_smuggle_nothing(port: int, lines: list[str]) -> None:
    received = exchange(port, request(FORM, *lines, method="POST") + SMUGGLED)
    answered = statuses(received)
    assert answered[0] in ("400", "501")
    assert len(answered) == 1
    assert received.count(b"checktoken") == 0


def test_length_and_chunks_together(port: int) -> None:
    """What follows the last chunk is a request of its own, or is not read at all."""
    ambiguous = request(
        FORM,
        f"Content-Length: {5 + len(SMUGGLED)}",
        "Transfer-Encoding: chunked",
        method="POST",
        body=b"0\r\n\r\n",
    )
    assert statuses(exchange(port, ambiguous + SMUGGLED))[0] in ("200", "400")


@pytest.mark.parametrize("chunk", [b"zz\r\nab\r\n0\r\n\r\n", b"-1\r\n\r\n", b"2;\x00\r\nab\r\n"])
def test_broken_chunks(port: int, chunk: bytes) -> None:
    broken = request(FORM, "Transfer-Encoding: chunked", method="POST", body=chunk)
    assert statuses(exchange(port, broken + SMUGGLED)) == ["400"]


def test_chunked_bodies_are_read(port: int) -> None:
    body = b"9\r\ntoken=%2B\r\n3\r\n%5C\r\n0\r\n\r\n"
    posted = request(FORM, "Transfer-Encoding: chunked", "Connection: close", method="POST")
    assert b'"result":"valid"' in exchange(port, posted + body)


@pytest.mark.parametrize("length", [1001, 1_000_000_000])
def test_a_body_over_the_limit(port: int, length: int) -> None:
    head = request(FORM, f"Content-Length: {length}", "Connection: close", method="POST")
    received = exchange(port, head + b"x" * min(length, 2000))
    assert statuses(received) == ["413"]
    assert error_of(received) == "requesttoolarge"


def test_a_body_in_chunks_over_the_limit(port: int) -> None:
    head = request(FORM, "Transfer-Encoding: chunked", "Connection: close", method="POST")
    # Not a byte more than the server reads before it gives up, lest it resets the connection.
    received = exchange(port, head + (b"20000\r\n" + b"x" * 0x20000)[: 1000 + SLACK])
    assert statuses(received) == ["413"]
    assert error_of(received) == "requesttoolarge"


def test_what_follows_a_body_that_was_not_read_is_no_request(port: int) -> None:
    head = request(FORM, "Content-Length: 1000000000", method="POST")
    received = exchange(port, head + SMUGGLED)
    assert statuses(received) == ["413"]
    assert b"\r\nConnection: close\r\n" in received


def test_other_applications_cannot_read_a_body_over_the_limit() -> None:
    with running(create_server(echo_app(), HTTP)) as port:
        head = request(FORM, "Content-Length: 1000000000", method="POST")
        received = exchange(port, head.replace(b"/w/api.php", b"/echo"))
    assert statuses(received) == ["413"]
    assert received.endswith(b"The request has a larger body than this server accepts.\n")


def test_huge_headers(port: int) -> None:
    # Not a byte more than the server reads before it gives up, lest it resets the connection.
    head = request("X-Long: ").rstrip(b"\r\n")
    endless = head + b"x" * (MAX_HEADER_BYTES - len(head))
    assert statuses(exchange(port, endless)) == ["431"]


def test_expect_continue(port: int) -> None:
    posted = request(
        FORM, "Expect: 100-continue", "Content-Length: 12", "Connection: close", method="POST"
    )
    assert statuses(exchange(port, posted + b"token=%2B%5C")) == ["100", "200"]


def test_the_thread_that_was_busy_last_answers_the_next_request() -> None:
    """Its connection to the database has what others would have to read."""
    arrived, names = threading.Semaphore(0), []
    released = threading.Event()

    class Waiting:
        @hookimpl
        def register_mounts(self) -> list[Mount]:
            return [Mount("/wait", wait), Mount("/name", name)]

    def name(_: Any, start_response: Any) -> list[bytes]:
        names.append(threading.current_thread().name)
        start_response("200 OK", [("Content-Length", "0")])
        return []

    def wait(environ: Any, start_response: Any) -> list[bytes]:
        arrived.release()
        assert released.wait(20)
        return name(environ, start_response)

    http = HttpConfig(listen="127.0.0.1:0", threads=3)
    with running(create_server(app_of(plugins=[Waiting()]), http)) as port:
        url = f"http://127.0.0.1:{port}"
        with ThreadPoolExecutor() as pool:
            waiting = [pool.submit(urlopen, f"{url}/wait") for _ in range(3)]
            for _ in waiting:
                assert arrived.acquire(timeout=20)
            released.set()
            for future in waiting:
                future.result().close()
        assert len(set(names)) == 3
        names.clear()
        for _ in range(6):
            urlopen(f"{url}/name").close()
            time.sleep(0.05)  # the thread may still be busy with the end of its request
    assert len(set(names)) == 1


@pytest.mark.parametrize(
    "listen", ["127.0.0.1:nonsense", "256.256.256.256:80", "127.0.0.1:99999", "8080", ":"]
)
def test_unusable_address(listen: str) -> None:
    with pytest.raises(ConfigError, match="cannot listen"):
        create_server(app_of(), HttpConfig(listen=listen, threads=1))


SERVING = f"""{ANNOUNCING}
from tests.unit.http.sites import app_of
from wikiapi.config import HttpConfig
server.serve(app_of(), HttpConfig(listen="127.0.0.1:0", threads=1))
print("stopped cleanly", flush=True)
"""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_shutdown(sent: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVING],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    with process:
        assert process.stdout
        port = int(process.stdout.readline())
        assert statuses(exchange(port, request("Connection: close"))) == ["200"]
        process.send_signal(sent)
        assert process.stdout.read() == "stopped cleanly\n"
    assert process.returncode == 0
