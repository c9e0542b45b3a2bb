"""Processes that work for us are killed from outside: the page says so, and the next has others."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.faults.served import client_of, make_store, outcome
from tests.ports import free_port, wait_for
from tests.processes import environment
from wikiapi.config import NamespaceConfig, parse_config
from wikiapi.factory import open_site
from wikiapi.hookspecs import hookimpl
from wikiapi.pages.links.workers import link_workers
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.wikitext.declarations import FunctionCall, ParserFunction
from wikiapi.workers import BatchWorkers
from wikiapi_plugins.extensions.scribunto.invoke import SESSION

MODULE = """
local p = {}
function p.fine() return 'it works' end
function p.killed(frame)
    local done = frame:preprocess('{{#kill:}}')
    return 'survived' .. done
end
return p
"""


class Killer:
    """``{{#kill:}}`` ends the Lua of the page that it is on, as the system might."""

    @hookimpl
    def register_parser_functions(self) -> list[ParserFunction]:
        return [ParserFunction("#kill", self._kill)]

    def _kill(self, call: FunctionCall) -> str:
        session: Any = call.state.plugin(SESSION)
        os.kill(session._worker.id, signal.SIGKILL)
        # Until it is dead, but without burying it: that is its owner's part.
        os.waitid(os.P_PID, session._worker.id, os.WEXITED | os.WNOWAIT)
        return "done"


@pytest.fixture
def client(make_site: Callable[..., Site]) -> ApiClient:
    pytest.importorskip("lupa")
    site = make_site(
        {"Module:M": MODULE}, plugins=[Killer()], namespaces=[NamespaceConfig(828, "Module")]
    )
    return client_of(site)


def text(client: ApiClient, source: str) -> str:
    return client.get(action="parse", title="X", text=source)["parse"]["text"]


def test_lua_killed_in_a_call_the_page_says_so(client: ApiClient) -> None:
    page = text(client, "before {{#invoke:M|killed}} after")
    assert "scribunto-error" in page
    assert "survived" not in page
    assert "before" in page
    assert "after" in page


def test_lua_killed_in_a_call_the_next_page_has_another(client: ApiClient) -> None:
    text(client, "{{#invoke:M|killed}}")
    assert "it works" in text(client, "{{#invoke:M|fine}}")


def test_an_idle_lua_process_that_is_killed_is_not_noticed(client: ApiClient) -> None:
    text(client, "{{#invoke:M|fine}}")
    text(client, "{{#invoke:M|fine}}{{#kill:}}")
    assert "it works" in text(client, "{{#invoke:M|fine}}")
    assert outcome(client, action="parse", title="X", text="{{#invoke:M|fine}}") == "ok"


def open_store(url: str) -> Site:
    """Open a store for other processes, which close it when they end."""
    return open_site(parse_config({"database": {"url": url, "read_only": True}}))


def test_a_process_that_derives_links_is_killed_another_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make_store(tmp_path / "wiki.sqlite")
    start = partial(open_store, f"sqlite:///{tmp_path}/wiki.sqlite")
    batches = [[(0, "World")], [(0, "Main Page")], [(10, "Box")]]
    one = BatchWorkers(start, 1)
    with link_workers(one) as workers:
        undisturbed = list(workers.derive(batches))
    with link_workers(one) as workers:
        (process,) = multiprocessing.active_children()
        process.kill()
        process.join()
        assert list(workers.derive(batches)) == undisturbed
    assert "a process has died, with SIGKILL, before it began to work" in caplog.text
    assert not multiprocessing.active_children()


@contextmanager
def serving(store: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``wikiapi serve`` in a process of its own, which listens."""
    address = f"127.0.0.1:{port}"
    options = ["--database", f"sqlite:///{store}", "--listen", address, "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "wikiapi", "serve", *options],
        cwd=store.parent,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_server_that_is_killed_while_it_answers_has_lost_nothing(tmp_path: Path) -> None:
    store, port = tmp_path / "wiki.sqlite", free_port()
    make_store(store)
    before = store.read_bytes()
    asked = b"GET /w/api.php?action=parse&page=Long&format=json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(store, port) as server, closing(connected(port)) as client:
        client.sendall(asked * 50)
        assert client.recv(100).startswith(b"HTTP/1.1 200")
        server.kill()
        with suppress(ConnectionResetError):
            while client.recv(1 << 20):
                pass
    assert store.read_bytes() == before
    with serving(store, port), closing(HTTPConnection("127.0.0.1", port, timeout=20)) as again:
        again.request("GET", "/w/api.php?action=query&titles=World&format=json")
        assert b'"pageid":2' in again.getresponse().read()
    assert store.read_bytes() == before


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20)
