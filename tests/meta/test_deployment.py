"""The files of examples/deployment work, and say what is so."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.meta.test_packaging import read_setup_cfg
from tests.ports import free_port, wait_for
from wikiapi.cli import COMMANDS, main
from wikiapi.config import HttpConfig
from wikiapi.http.app import make_app
from wikiapi.testing import live_server, make_site

DEPLOYMENT = Path(__file__).parents[2] / "examples" / "deployment"
UNIT = DEPLOYMENT / "wikiapi.service"
CONTAINER = DEPLOYMENT / "Containerfile"
NGINX = DEPLOYMENT / "nginx.conf"
GENERAL = "/w/api.php?action=query&meta=siteinfo&format=json&maxage=60&smaxage=60"


def service() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT)
    return parser["Service"]


def test_the_service_starts_a_command_that_exists() -> None:
    _, command, *options = service()["ExecStart"].split()
    subcommand = main.get_command(None, command)  # type: ignore[arg-type]
    assert subcommand is not None
    option_names = {name for param in subcommand.params for name in param.opts}
    assert {option for option in options if option.startswith("--")} <= option_names


def test_the_service_is_given_time_to_end() -> None:
    assert int(service()["TimeoutStopSec"]) > HttpConfig().shutdown_grace


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_understands_the_service(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    text = UNIT.read_text().replace("/opt/wikiapi/bin/wikiapi", shutil.which("true") or "")
    unit.write_text(text)
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert [line for line in checked.stderr.splitlines() if unit.name in line] == []


def test_the_container_installs_and_runs_existing_files() -> None:
    text = CONTAINER.read_text()
    (extras,) = re.findall(r"wikiapi-server\[([^\]]+)\]", text)
    assert set(extras.split(",")) <= read_setup_cfg()["options.extras_require"].keys()
    names = {spec.name for spec in COMMANDS}
    assert set(re.findall(r"wikiapi (import|serve)\b|CMD \[\"(\w+)\"", text)) >= {("import", "")}
    assert {"import", "serve"} <= names
    assert HttpConfig().health_path in text


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[str]:
    """Run nginx with the example in front of a wiki."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    port = free_port()
    site = make_site({"Main Page": "Text"})
    with live_server(make_app(site)) as address:
        config = tmp_path / "nginx.conf"
        config.write_text(around(NGINX.read_text(), address, port, tmp_path))
        process = subprocess.Popen([nginx, "-p", tmp_path, "-c", config, "-e", tmp_path / "errors"])
        try:
            wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()
    site.db.close()


def around(text: str, address: str, port: int, folder: Path) -> str:
    """Return the example on free ports, in a configuration that needs no rights."""
    text = text.replace("127.0.0.1:8080", address.removeprefix("http://"))
    text = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
    text = text.replace("/var/cache/nginx/wikiapi", str(folder / "cache"))
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    head = f"{user} daemon off; pid {folder}/pid; events {{}}"
    return f"{head} http {{ access_log off; {paths}\n{text}\n}}"


def test_nginx_keeps_what_is_public(proxy: str) -> None:
    def asked(path: str, **headers: str) -> tuple[int, str]:
        with urlopen(Request(proxy + path, headers=headers), timeout=20) as reply:
            return reply.status, reply.headers["X-Cache"]

    assert [asked(GENERAL) for _ in range(2)] == [(200, "MISS"), (200, "HIT")]
    private = "/w/api.php?action=query&meta=userinfo&format=json"
    assert [asked(private) for _ in range(2)] == [(200, "MISS"), (200, "MISS")]
