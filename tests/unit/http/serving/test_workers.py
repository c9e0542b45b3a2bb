from __future__ import annotations

import os
import socket
from typing import Any

import pytest

from wikiapi.cli import serve
from wikiapi.cli.serve import number_of_workers
from wikiapi.config import parse_config
from wikiapi.errors import ConfigError
from wikiapi.http.serving.server import listening_sockets

CORES = 6


@pytest.fixture
def gunicorn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let gunicorn seem installed, or not, on a machine of six cores."""
    monkeypatch.setattr(serve, "find_spec", lambda _: object() if request.param else None)
    monkeypatch.setattr(serve, "processors", lambda: CORES)


@pytest.mark.parametrize(
    ("gunicorn", "settings", "expected"),
    [
        (True, {}, CORES),
        (False, {}, 1),
        (True, {"http": {"workers": 3}}, 3),
        (False, {"http": {"workers": 1}}, 1),
        (True, {"site": {"writable": True}}, 1),
        (True, {"site": {"writable": True}, "http": {"workers": 2}}, 2),
    ],
    indirect=["gunicorn"],
)
@pytest.mark.usefixtures("gunicorn")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
def test_number_of_processes(settings: dict[str, Any], expected: int) -> None:
    assert number_of_workers(parse_config(settings)) == expected


@pytest.mark.parametrize("gunicorn", [False], indirect=True)
@pytest.mark.usefixtures("gunicorn")
def test_several_processes_need_gunicorn() -> None:
    with pytest.raises(ConfigError, match=r"wikiapi-server\[workers\]"):
        number_of_workers(parse_config({"http": {"workers": 2}}))


def test_sockets_listen_and_are_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        listen = f"127.0.0.1:{probe.getsockname()[1]}"
        with pytest.raises(ConfigError, match="cannot listen"):
            listening_sockets(listen)
    for listening in listening_sockets(listen):
        with listening:
            assert listening.getsockname() == ("127.0.0.1", int(listen.partition(":")[2]))


@pytest.mark.parametrize("listen", ["127.0.0.1", "127.0.0.1:70000", "nowhere.invalid:80"])
def test_addresses_that_cannot_be_used(listen: str) -> None:
    with pytest.raises(ConfigError, match="cannot listen"):
        listening_sockets(listen)
