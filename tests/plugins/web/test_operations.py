"""What those who run a server look at: health, metrics and the access log."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.http.sites import app_of, client_of, empty_site
from wikiapi.errors import StoreError
from wikiapi.http import address
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess, Received
from wikiapi.testing import make_site
from wikiapi.testing.client import ELSEWHERE

HERE = "127.0.0.1"
CHECK = "action=checktoken&type=csrf&token=secret&format=json"


def metrics(setting: str, address: str) -> Received:
    app = app_of(http={"metrics": setting})
    InProcess(app, ELSEWHERE).send("GET", "/w/api.php", CHECK)
    InProcess(app, ELSEWHERE).send("GET", "/w/api.php", "action=%3Cnone%3E")
    return InProcess(app, address).send("GET", "/metrics")


def test_health() -> None:
    reply = client_of().raw("GET", path="/healthz")
    assert (reply.status, json.loads(reply.body)) == (200, {"status": "ok"})
    assert reply.headers["cache-control"] == "private, no-store"


def test_health_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    site = empty_site()
    app = make_app(site)

    def gone(*_: object) -> None:
        raise StoreError("the server has gone away")

    monkeypatch.setattr(site.db, "deadline", gone)
    reply = InProcess(app, ELSEWHERE).send("GET", "/healthz")
    assert reply.status == 503
    assert b"gone away" not in reply.body


def test_health_may_be_elsewhere_or_nowhere() -> None:
    assert client_of(http={"health_path": "/up"}).raw("GET", path="/up").status == 200
    assert client_of(http={"health_path": ""}).raw("GET", path="/healthz").status == 404


@pytest.fixture
def same_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat clients from this machine as processes of the same user."""
    monkeypatch.setattr(address, "_is_same_user", lambda *_: True)


@pytest.mark.usefixtures("same_user")
def test_metrics_count_requests_by_known_actions() -> None:
    text = metrics("local", HERE).body.decode()
    assert 'wikiapi_requests_total{action="checktoken",part="api",status="200"} 1.0' in text
    assert 'wikiapi_requests_total{action="unknown",part="api",status="200"} 1.0' in text
    assert 'wikiapi_request_seconds_count{action="checktoken",part="api"} 1.0' in text
    assert "wikiapi_requests_running 0.0" in text
    assert "process_resident_memory_bytes" in text


def test_metrics_count_the_reader_apart() -> None:
    site = make_site({"Main Page": "text"}, config={"http": {"metrics": "public"}})
    client = InProcess(make_app(site), ELSEWHERE)
    for path in ("/wiki/Main_Page", "/healthz", "/nowhere"):
        client.send("GET", path)
    text = client.send("GET", "/metrics").text
    assert 'wikiapi_requests_total{action="none",part="reader",status="200"} 1.0' in text
    assert 'wikiapi_requests_total{action="none",part="operations",status="200"} 1.0' in text
    assert 'wikiapi_requests_total{action="none",part="other",status="404"} 1.0' in text
    assert 'part="api"' not in text, "what the reader asks the API is the reader's"


COUNTING = """
import sys
from wikiapi.http.wsgiclient import InProcess
from wikiapi.http.app import make_app
from wikiapi.testing import make_site

sites = [make_site({}, config={"http": {"metrics": "public"}}) for _ in range(2)]
clients = [InProcess(make_app(site), "192.0.2.1") for site in sites]
for client in clients:
    client.send("GET", "/w/api.php", "action=query&format=json")
print(clients[0].send("GET", "/metrics").text)
"""


def test_metrics_of_several_processes_add_up(tmp_path: Path) -> None:
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    texts = [
        subprocess.run(
            [sys.executable, "-c", COUNTING],
            env=environment, capture_output=True, text=True, check=True,
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    count = 'wikiapi_requests_total{action="query",part="api",status="200"} '
    assert [text.partition(count)[2].split()[0] for text in texts] == ["2.0", "4.0"]
    assert "wikiapi_requests_running" in texts[1]


@pytest.mark.usefixtures("same_user")
@pytest.mark.parametrize(
    ("setting", "remote", "status"),
    [
        ("off", HERE, 404),
        ("local", HERE, 200),
        ("local", ELSEWHERE, 403),
        ("public", ELSEWHERE, 200),
    ],
)
def test_who_sees_metrics(setting: str, remote: str, status: int) -> None:
    assert metrics(setting, remote).status == status


def access_line(caplog: pytest.LogCaptureFixture, setting: str, query: str, **options: Any) -> str:
    app = app_of(http={"access_log": setting, "trusted_proxies": ["192.0.2.1"]})
    with caplog.at_level(logging.INFO, "wikiapi.access"):
        InProcess(app, ELSEWHERE).send("GET", "/w/api.php", query, **options)
    (record,) = (r for r in caplog.records if r.name == "wikiapi.access")
    return record.getMessage()


def test_access_log_as_json(caplog: pytest.LogCaptureFixture) -> None:
    entry = json.loads(access_line(caplog, "json", CHECK))
    assert entry["modules"] == {"action": "checktoken", "format": "json"}
    assert (entry["method"], entry["path"], entry["status"]) == ("GET", "/w/api.php", 200)
    assert entry["bytes"] > 0
    assert entry["ms"] > 0


def test_tokens_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert "secret" not in access_line(caplog, "json", CHECK)


def test_clients_behind_trusted_proxies(caplog: pytest.LogCaptureFixture) -> None:
    sent = {"X-Forwarded-For": "198.51.100.7"}
    assert json.loads(access_line(caplog, "json", CHECK, headers=sent))["client"] == "198.51.100.7"


def test_access_log_of_a_terminal(caplog: pytest.LogCaptureFixture) -> None:
    line = access_line(caplog, "short", CHECK)
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d 200 +\d+\.\d ms +\d+ B  GET /w/api.php\?action=checktoken&format=json",
        line,
    )


def test_a_terminal_shows_titles_in_their_letters(caplog: pytest.LogCaptureFixture) -> None:
    app = app_of(http={"access_log": "short"})
    with caplog.at_level(logging.INFO, "wikiapi.access"):
        InProcess(app, ELSEWHERE).send("GET", "/wiki/Чай\x1b[31m\u202e", "")
    assert caplog.records[-1].getMessage().endswith("GET /wiki/Чай\ufffd[31m\ufffd")


@pytest.mark.parametrize("setting", ["short", "json", "combined"])
def test_clients_cannot_write_lines_of_their_own(
    caplog: pytest.LogCaptureFixture, setting: str
) -> None:
    line = access_line(
        caplog, setting, "action=a%0Ab%22", headers={"User-Agent": 'x" 200 0 GET /admin'}
    )
    assert "\n" not in line
    assert 'x" 200' not in line


def test_access_log_as_of_old(caplog: pytest.LogCaptureFixture) -> None:
    line = access_line(caplog, "combined", CHECK, headers={"User-Agent": "tests"})
    assert line.startswith("192.0.2.1 - - [")
    assert '"GET /w/api.php?action=checktoken&format=json" 200 ' in line
    assert line.endswith('"-" "tests"')
