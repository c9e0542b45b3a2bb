from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

import pytest
from click.testing import Result
from werkzeug.test import Client

from wikiapi.cli.work import serve
from wikiapi.config import Config, HttpConfig
from wikiapi.http.serving.server import check_free


def _told(app: WSGIApplication) -> dict[str, str]:
    params = "action=query&meta=siteinfo&format=json"
    answer = Client(app).get("/w/api.php", query_string=params).get_json()
    return dict(answer["query"]["general"])


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Record the arguments with which the server would be started."""
    calls: list[tuple[Any, ...]] = []

    def record(app: WSGIApplication, http: HttpConfig, on_bound: Callable[[str], None]) -> None:
        calls.append((_told(app)["base"], http.listen, http.threads))
        on_bound(f"http://{http.listen}")

    monkeypatch.setattr(serve, "serve", record)
    monkeypatch.setattr(serve, "number_of_workers", lambda _: 1)
    monkeypatch.setattr(serve, "check_free", lambda _: None)
    return calls


def test_defaults_come_from_the_configuration(
    on_store: Callable[..., Result], served: list[tuple[Any, ...]]
) -> None:
    result = on_store("serve")
    assert result.output == (
        "Wiki answers at http://127.0.0.1:8080/w/api.php; Ctrl-C stops it.\n"
        "Reader: http://127.0.0.1:8080/\n"
        "Explorer: http://127.0.0.1:8080/explore\n"
    )
    assert served == [("http://127.0.0.1:8080/wiki/Main_Page", "127.0.0.1:8080", 4)]


def test_an_invalid_main_page_is_named_with_its_file(on_store: Callable[..., Result]) -> None:
    Path("wikiapi.toml").write_text('[site]\nmain_page = "<>"\n')
    result = on_store("serve", "--listen", "127.0.0.1:0", "--workers", "1")
    assert result.exit_code == 1
    said = "wikiapi.toml: site.main_page is '<>', which is not the title of a page\n"
    assert result.output.startswith(f"Error: {said}Hint: Set main_page in [site] to")


def test_options_win_over_the_configuration(
    on_store: Callable[..., Result], served: list[tuple[Any, ...]]
) -> None:
    assert on_store("serve", "--listen", "127.0.0.1:9", "--threads", "2").exit_code == 0
    assert served == [("http://127.0.0.1:9/wiki/Main_Page", "127.0.0.1:9", 2)]


def test_a_server_that_is_configured_stays_as_it_is(
    on_store: Callable[..., Result], served: list[tuple[Any, ...]]
) -> None:
    """It may stand behind a proxy: even if the address is the default one."""
    Path("own.toml").write_text('[site]\nserver = "http://127.0.0.1:8080"\n', encoding="utf-8")
    assert on_store("serve", "--config", "own.toml", "--listen", "127.0.0.1:9").exit_code == 0
    assert served == [("http://127.0.0.1:8080/wiki/Main_Page", "127.0.0.1:9", 4)]


def test_no_threads_are_refused(on_store: Callable[..., Result]) -> None:
    assert on_store("serve", "--threads", "0").exit_code == 2


def test_missing_store_is_refused(
    wikiapi: Callable[..., Result], served: list[tuple[Any, ...]]
) -> None:
    result = wikiapi("serve")
    assert result.exit_code == 1
    assert served == []


@pytest.mark.parametrize("asked", [2, 5])
def test_several_processes_share_the_options(
    on_store: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, asked: int
) -> None:
    calls: list[tuple[Any, ...]] = []

    def record(_opening: object, read: Callable[[], Config], workers: int, _bound: object) -> None:
        calls.append((read().http.listen, read().http.threads, workers))

    pytest.importorskip("gunicorn")
    monkeypatch.setattr("wikiapi.http.serving.workers.serve_by_workers", record)
    monkeypatch.setattr(serve, "check_free", lambda _: None)
    on_store("serve", "--workers", str(asked), "--listen", "127.0.0.1:9", "--threads", "3")
    assert calls == [("127.0.0.1:9", 3, asked)]


def test_a_taken_port_says_so_before_anything_else(
    wikiapi: Callable[..., Result], served: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "check_free", check_free)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        result = wikiapi("serve", "--listen", listen)
    assert result.exit_code == 1
    first = result.output.splitlines()[0]
    assert first.startswith(f"Error: cannot listen on '{listen}': ")
    assert "in use" in first


@pytest.mark.parametrize(
    ("setting", "is_terminal", "expected"),
    [
        ("auto", True, "short"),
        ("auto", False, "off"),
        ("off", True, "off"),
        ("json", True, "json"),
    ],
)
def test_requests_are_logged_on_a_terminal(
    on_store: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    setting: str,
    is_terminal: bool,
    expected: str,
) -> None:
    used: list[str] = []
    monkeypatch.setattr(serve, "serve", lambda app, http, on_bound: used.append(http.access_log))
    monkeypatch.setattr(serve, "check_free", lambda _: None)
    monkeypatch.setattr(serve, "number_of_workers", lambda _: 1)
    monkeypatch.setattr(serve, "is_terminal", lambda: is_terminal)
    Path("own.toml").write_text(f'[http]\naccess_log = "{setting}"\n', encoding="utf-8")
    assert on_store("serve", "--config", "own.toml").exit_code == 0
    assert used == [expected]


@pytest.mark.parametrize(
    ("option", "value"), [("--threads", "-3"), ("--threads", "1001"), ("--workers", "257")]
)
def test_row_85_options_are_held_to_the_ranges_of_their_settings(
    on_store: Callable[..., Result], option: str, value: str
) -> None:
    result = on_store("serve", option, value)
    assert result.exit_code == 2
    assert option in result.output
    assert f"{value} is not in the range" in result.output


def test_row_85_an_impossible_port_is_refused(on_store: Callable[..., Result]) -> None:
    result = on_store("serve", "--listen", "127.0.0.1:65536")
    assert result.exit_code == 1
    assert "cannot listen on '127.0.0.1:65536': it must be HOST:PORT" in result.output


def test_row_85_all_wrong_settings_are_named_at_once(on_store: Callable[..., Result]) -> None:
    Path("wikiapi.toml").write_text("[http]\nthreads = -3\nmax_body = 0\n[site]\nnmae = 'x'\n")
    result = on_store("serve")
    assert result.exit_code == 1
    assert "wikiapi.toml: http.threads is -3; permitted: 1 to 1,000\n" in result.output
    assert "wikiapi.toml: http.max_body is 0; permitted: 1 or more\n" in result.output
    assert "wikiapi.toml: unknown setting site.nmae (did you mean site.name?)" in result.output
    assert "Traceback" not in result.output


def test_row_85_a_plugin_that_is_not_installed_is_named(on_store: Callable[..., Result]) -> None:
    Path("wikiapi.toml").write_text("[plugins]\ndisabled = ['scribnto']\norder = ['none']\n")
    result = on_store("serve", "--listen", "127.0.0.1:0", "--workers", "1")
    assert result.exit_code == 1
    said = "plugins.disabled names 'scribnto', which is not installed (did you mean scribunto?)\n"
    assert said in result.output
    assert "plugins.order names 'none', which is not installed" in result.output
