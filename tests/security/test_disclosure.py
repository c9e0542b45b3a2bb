"""Row 63: what is for the one who runs a server is not for others that look like him.

Others are clients of a proxy on the same machine that says nothing of itself, scripts of other
sites in his browser, and whoever a shared cache answers.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ports import free_port, wait_for
from tests.unit.http.servers import running
from tests.unit.http.sites import app_of
from wikiapi.config import HttpConfig
from wikiapi.http import address
from wikiapi.http.serving.server import create_server
from wikiapi.testing import ApiClient

API = "/w/api.php?action=checktoken&type=csrf&token=x&format=json"
PUBLIC = "/w/api.php?action=query&meta=siteinfo&format=json&smaxage=600&maxage=600"
HERE = "127.0.0.1"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nobody is local elsewhere")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    app = app_of(http={"metrics": "local"})
    http = HttpConfig(listen=f"{HERE}:0", threads=2)
    with running(create_server(app, http)) as port:
        yield port


def asked(port: int, path: str, headers: Mapping[str, str], client: socket.socket) -> bytes:
    """Return status line, headers and body of an answer, over a new connection."""
    sent = {"Host": f"{HERE}:{port}", "Connection": "close", **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value)
    received = b""
    with client:
        client.settimeout(60)
        client.connect((HERE, port))
        client.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        while chunk := client.recv(65_536):
            received += chunk
    return received


def shows(port: int, path: str = API, **headers: str) -> tuple[bool, bool]:
    """Return whether an answer of the API contains debuginfo, and whether there are metrics."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = asked(port, path, named, socket.socket())
    assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.0 200", b"HTTP/1.1 403"))
    metrics = asked(port, "/metrics", named, socket.socket())
    return b'"debuginfo"' in answer, b"wikiapi_requests_total" in metrics


def test_whoever_runs_the_server_is_shown_both(port: int) -> None:
    assert shows(port) == (True, True)
    assert shows(port, Host=f"localhost:{port}", Sec_Fetch_Site="none") == (True, True)
    assert shows(port, Origin=f"http://{HERE}:{port}", Sec_Fetch_Site="same-origin")[0]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:3000", "Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Host": "evil.example"},
        {"Host": "localhost"},
        {"Host": "localhost:1"},
        {"Host": ""},
    ],
)
def test_scripts_of_other_sites_are_not(port: int, headers: dict[str, str]) -> None:
    assert shows(port, **headers) == (False, False)


@pytest.mark.parametrize("more", ["&callback=f", "&origin=*", "&crossorigin"])
def test_answers_that_any_script_may_read_do_not_carry_it(port: int, more: str) -> None:
    assert not shows(port, API + more)[0]


@pytest.mark.parametrize("setting", ["auto", "on"])
def test_public_caches_get_none(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_is_same_user", lambda *_: True)
    client = ApiClient(app_of(http={"debug_info": setting}), remote_address=HERE)
    general = {"action": "query", "meta": "siteinfo"}
    private = client.reply("GET", general)
    assert "debuginfo" in json.loads(private.body)
    public = client.reply("GET", general, smaxage=600, maxage=600)
    assert "public" in public.headers["cache-control"]
    assert "debuginfo" not in json.loads(public.body)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has sockets of other users")
def test_processes_of_other_users_are_not_shown_it(port: int) -> None:
    def of_nobody() -> socket.socket:
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
        try:
            return socket.socket()
        finally:
            os.seteuid(0)

    assert b'"debuginfo"' not in asked(port, API, {}, of_nobody())
    assert b" 403 " in asked(port, "/metrics", {}, of_nobody()).partition(b"\r\n")[0]


BARE = "proxy_pass http://{server};"
MODERN = f'{BARE} proxy_http_version 1.1; proxy_set_header Connection "";'
"""What nginx does by itself from version 1.29.7 on."""


@contextmanager
def nginx(folder: Path, server: int, location: str) -> Iterator[int]:
    """Run a proxy that does not identify itself; yield its port."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    port = free_port()
    user = "user nobody nogroup;" if os.geteuid() == 0 else ""
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    passing = location.format(server=f"{HERE}:{server}")
    config = folder / "nginx.conf"
    config.write_text(
        f"{user} daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {temporary}"
        f" server {{ listen {HERE}:{port}; location / {{ {passing} }} }} }}"
    )
    process = subprocess.Popen([program, "-p", folder, "-c", config, "-e", folder / "errors"])
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize("location", [BARE, MODERN], ids=["bare", "HTTP/1.1"])
def test_clients_of_a_proxy_that_says_nothing_are_not(
    port: int, tmp_path: Path, location: str
) -> None:
    if location is MODERN and os.geteuid() != 0:
        pytest.skip("the proxy would be of our own user")
    with nginx(tmp_path, port, location) as proxy:
        assert shows(proxy) == (False, False)
        assert shows(proxy, Host=f"{HERE}:{port}") == (False, False)
    assert shows(port) == (True, True)
