"""Several processes serve one wiki: each may die or be replaced, and clients hardly notice."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import psutil
import pytest

from tests import waiting
from tests.faults.served import make_store
from tests.ports import free_port, wait_for
from tests.processes import environment

pytest.importorskip("gunicorn")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork"),
]

PATIENCE = 120.0
"""Seconds for two processes to open the wiki, on a machine that does other work as well."""
eventually = partial(waiting.eventually, seconds=PATIENCE)
TOKENS = "/w/api.php?action=query&meta=tokens&format=json"
LONG = b"GET /w/api.php?action=parse&page=Long&format=json HTTP/1.1\r\nHost: localhost\r\n\r\n"
PAGE = "/w/api.php?action=query&titles=World&format=json"


@contextmanager
def serving(folder: Path, port: int, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run ``wikiapi serve`` with two processes."""
    command = [sys.executable, "-m", "wikiapi", "serve", "--listen", f"127.0.0.1:{port}"]
    process = subprocess.Popen(
        [*command, "--workers", "2", *options],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        wait_for(port)
        assert eventually(lambda: len(workers_of(process)) == 2)
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_store(tmp_path / "wiki.sqlite")
    (tmp_path / "wikiapi.toml").write_text(
        '[site]\nname = "Before"\n[database]\nurl = "sqlite:///wiki.sqlite"\n', encoding="utf-8"
    )
    return tmp_path


def workers_of(process: subprocess.Popen[str]) -> set[int]:
    return {child.pid for child in psutil.Process(process.pid).children()}


def answer(port: int, target: str = PAGE) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", target)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def test_a_process_that_is_killed_is_replaced(folder: Path) -> None:
    port = free_port()
    with serving(folder, port) as server:
        before = workers_of(server)
        os.kill(min(before), signal.SIGKILL)
        assert eventually(lambda: len(workers_of(server) - {min(before)}) == 2)
        assert [answer(port)[0] for _ in range(20)] == [200] * 20


def test_sighup_reads_the_configuration_and_drops_no_request(folder: Path) -> None:
    port, statuses, stop = free_port(), [], threading.Event()

    def ask() -> None:
        while not stop.is_set():
            statuses.append(answer(port)[0])

    with serving(folder, port) as server:
        before = workers_of(server)
        client = threading.Thread(target=ask)
        client.start()
        config = folder / "wikiapi.toml"
        config.write_text(config.read_text().replace("Before", "After"), encoding="utf-8")
        server.send_signal(signal.SIGHUP)
        assert eventually(lambda: len(workers_of(server)) == 2 and not workers_of(server) & before)
        stop.set()
        client.join()
        assert "After" in answer(port, "/w/api.php?action=query&meta=siteinfo&format=json")[1]
    assert set(statuses) == {200}


OPENS_SLOWLY = """
import os, time
from contextlib import contextmanager
from pathlib import Path

from wikiapi.config import parse_config
from wikiapi.http.serving.workers import serve_by_workers
from wikiapi.testing import make_site
from wikiapi.http.app import make_app

first = os.getpid()

@contextmanager
def opening(config):
    Path(f"opening.{os.getpid()}").touch()
    while os.getpid() != first and not Path("go").exists():
        time.sleep(0.01)
    yield make_app(make_site({"World": "A world."}))

config = {"http": {"listen": "127.0.0.1:PORT", "shutdown_grace": 600}}
serve_by_workers(opening, lambda: parse_config(config), 2, lambda *_: None)
"""
"""A script whose processes open the site only when the file ``go`` exists."""


def test_sighup_while_processes_start_replaces_them(tmp_path: Path) -> None:
    """They are told to stop before they answer requests, and do not miss it."""
    script = OPENS_SLOWLY.replace("PORT", str(free_port()))
    server = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, env=environment())
    try:
        assert eventually(lambda: len(list(tmp_path.glob("opening.*"))) == 3)
        before = workers_of(server)
        server.send_signal(signal.SIGHUP)
        assert eventually(lambda: len(list(tmp_path.glob("opening.*"))) == 5)
        (tmp_path / "go").touch()
        assert eventually(lambda: len(workers_of(server)) == 2 and not workers_of(server) & before)
    finally:
        server.kill()
        server.wait()


def test_a_process_that_is_told_again_to_stop_drops_no_request(folder: Path) -> None:
    """gunicorn repeats the signal each second to processes that are one too many."""
    port = free_port()
    with serving(folder, port) as server:
        assert eventually(lambda: _all_are_ready(server, port))
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(LONG * 20)
            received, workers = b"", workers_of(server)
            while chunk := client.recv(65_536):
                received += chunk
                for worker in workers & workers_of(server):
                    # A process may have ended since it was listed.
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGTERM)
        assert received.count(b"HTTP/1.1 200") == 20


def test_sighup_with_a_wrong_configuration_keeps_the_one_before(folder: Path) -> None:
    port = free_port()
    with serving(folder, port) as server:
        before = workers_of(server)
        (folder / "wikiapi.toml").write_text("[site\n", encoding="utf-8")
        server.send_signal(signal.SIGHUP)
        assert eventually(lambda: len(workers_of(server)) == 2 and not workers_of(server) & before)
        assert "Before" in answer(port, "/w/api.php?action=query&meta=siteinfo&format=json")[1]


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_what_was_asked_is_answered_before_the_end(folder: Path, stop: signal.Signals) -> None:
    port = free_port()
    with serving(folder, port) as server:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(LONG * 20)
            received = client.recv(65_536)
            server.send_signal(stop)
            while chunk := client.recv(65_536):
                received += chunk
        assert received.count(b"HTTP/1.1 200") == 20
        assert server.wait(PATIENCE) == 0


def test_no_process_outlives_the_first(folder: Path) -> None:
    with serving(folder, free_port()) as server:
        workers = workers_of(server)
        server.kill()
        assert eventually(lambda: not any(psutil.pid_exists(each) for each in workers))


def test_tokens_of_one_process_are_good_for_the_others(folder: Path) -> None:
    """Requests to several processes get the same token, though no key is configured."""
    port = free_port()
    with serving(folder, port):
        target = TOKENS + "&type=login"
        checks = []
        for _ in range(10):
            connection = HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request("GET", target)
            response = connection.getresponse()
            token = response.read().decode().partition('logintoken":"')[2].partition('"')[0]
            cookie = response.headers.get("Set-Cookie", "").partition(";")[0]
            connection.close()
            connection = HTTPConnection("127.0.0.1", port, timeout=20)
            token = token.replace("\\\\", "\\").replace("+", "%2B").replace("\\", "%5C")
            check = f"/w/api.php?action=checktoken&type=login&token={token}&format=json"
            connection.request("GET", check, headers={"Cookie": cookie})
            checks.append(connection.getresponse().read().decode())
            connection.close()
        assert all('"result":"valid"' in check for check in checks), checks


def test_connections_are_distributed_over_the_processes(folder: Path) -> None:
    """Connections that are opened at once, and kept, are not all accepted by one process."""
    port, clients = free_port(), 64

    def counts() -> list[int]:
        local = [
            [each for each in psutil.Process(pid).net_connections() if each.raddr]
            for pid in workers_of(process)
        ]
        return [len(connections) for connections in local]

    def connect() -> None:
        address = ("127.0.0.1", port)
        opened.append(stack.enter_context(socket.create_connection(address, timeout=20)))

    def all_accept() -> bool:
        connect()
        return min(counts()) > 0

    opened: list[socket.socket] = []
    with serving(folder, port) as process, ExitStack() as stack:
        assert eventually(all_accept)
        for _ in range(clients):
            connect()
        assert eventually(lambda: sum(counts()) >= len(opened))
        assert min(counts()) >= clients * 3 // 8, counts()


def _all_are_ready(process: subprocess.Popen[str], port: int) -> bool:
    """Return whether a request is answered, and each process has started its threads."""
    answer(port)
    return all(psutil.Process(pid).num_threads() > 1 for pid in workers_of(process))


def test_a_taken_port_is_an_error_before_any_process_starts(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        result = subprocess.run(
            [sys.executable, "-m", "wikiapi", "serve", "--listen", listen, "--workers", "2"],
            cwd=folder,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert "cannot listen" in result.stderr
    assert "Traceback" not in result.stderr


def test_metrics_add_up_whichever_process_answers(folder: Path) -> None:
    pytest.importorskip("prometheus_client")
    with (folder / "wikiapi.toml").open("a", encoding="utf-8") as config:
        config.write('[http]\nmetrics = "public"\n')
    port = free_port()
    with serving(folder, port):
        for _ in range(20):
            assert answer(port)[0] == 200
        name = 'wikiapi_requests_total{action="query",part="api",status="200"}'
        for _ in range(5):
            lines = answer(port, "/metrics")[1].splitlines()
            assert f"{name} 20.0" in lines
