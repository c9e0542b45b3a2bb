from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from wsgiref.types import WSGIApplication

import pytest
from click.testing import Result
from werkzeug.test import Client

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.cli import serve
from wikiapi.config import Config, HttpConfig
from wikiapi.http.serving import server
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

    monkeypatch.setattr(server, "serve", record)
    monkeypatch.setattr(serve, "number_of_workers", lambda _: 1)
    monkeypatch.setattr(server, "check_free", lambda _: None)
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
    monkeypatch.setattr(server, "check_free", lambda _: None)
    on_store("serve", "--workers", str(asked), "--listen", "127.0.0.1:9", "--threads", "3")
    assert calls == [("127.0.0.1:9", 3, asked)]


def test_a_taken_port_says_so_before_anything_else(
    wikiapi: Callable[..., Result], served: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "check_free", check_free)
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
    monkeypatch.setattr(server, "serve", lambda app, http, on_bound: used.append(http.access_log))
    monkeypatch.setattr(server, "check_free", lambda _: None)
    monkeypatch.setattr(serve, "number_of_workers", lambda _: 1)
    monkeypatch.setattr(serve, "is_terminal", lambda: is_terminal)
    Path("own.toml").write_text(f'[http]\naccess_log = "{setting}"\n', encoding="utf-8")
    assert on_store("serve", "--config", "own.toml").exit_code == 0
    assert used == [expected]


@pytest.mark.parametrize(
    ("option", "value"), [("--threads", "-3"), ("--threads", "1001"), ("--workers", "257")]
)
def test_options_are_held_to_the_ranges_of_their_settings(
    on_store: Callable[..., Result], option: str, value: str
) -> None:
    result = on_store("serve", option, value)
    assert result.exit_code == 2
    assert option in result.output
    assert f"{value} is not in the range" in result.output


def test_an_impossible_port_is_refused(on_store: Callable[..., Result]) -> None:
    result = on_store("serve", "--listen", "127.0.0.1:65536")
    assert result.exit_code == 1
    assert "cannot listen on '127.0.0.1:65536': it must be HOST:PORT" in result.output


def test_all_wrong_settings_are_named_at_once(on_store: Callable[..., Result]) -> None:
    Path("wikiapi.toml").write_text("[http]\nthreads = -3\nmax_body = 0\n[site]\nnmae = 'x'\n")
    result = on_store("serve")
    assert result.exit_code == 1
    assert "wikiapi.toml: http.threads is -3; permitted: 1 to 1,000\n" in result.output
    assert "wikiapi.toml: http.max_body is 0; permitted: 1 or more\n" in result.output
    assert "wikiapi.toml: unknown setting site.nmae (did you mean site.name?)" in result.output
    assert "Traceback" not in result.output


def test_a_plugin_that_is_not_installed_is_named(on_store: Callable[..., Result]) -> None:
    Path("wikiapi.toml").write_text("[plugins]\ndisabled = ['scribnto']\norder = ['none']\n")
    result = on_store("serve", "--listen", "127.0.0.1:0", "--workers", "1")
    assert result.exit_code == 1
    said = "plugins.disabled names 'scribnto', which is not installed (did you mean scribunto?)\n"
    assert said in result.output
    assert "plugins.order names 'none', which is not installed" in result.output


@pytest.fixture
def english(wikiapi: Callable[..., Result]) -> Callable[..., Result]:
    """Run the program in a folder with a store whose links were derived in English."""
    data = dump(page("A", 1, revision(1, "[[Catégorie:X]]")))
    # The names of namespaces are those of the dump, whatever the language.
    named = b'<namespace key="14" case="first-letter">Category</namespace>'
    Path("a.xml").write_bytes(data.replace(named, b""))
    assert wikiapi("import", "a.xml").exit_code == 0
    Path("wikiapi.toml").write_text('[site]\nlanguage = "fr"\n')
    return wikiapi


def test_another_language_derives_all_links_again(
    english: Callable[..., Result], served: list[tuple[Any, ...]]
) -> None:
    assert english("serve").output.startswith(
        "Settings have changed (namespaces, site.language): all links are derived again.\n"
        "Derived the links of 1 page.\n"
    )
    assert english("serve").output.startswith("Tests answers at")
    answer = english("get", "action=query", "titles=A", "prop=categories").output
    assert "Catégorie:X" in answer


def test_another_collation_makes_the_sort_keys_again(
    wikiapi: Callable[..., Result],
    served: list[tuple[Any, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = (page(f"Page {n}", n, revision(n, "[[Category:X]]")) for n in (9, 10))
    Path("a.xml").write_bytes(dump(*pages))
    assert wikiapi("import", "a.xml").exit_code == 0
    Path("wikiapi.toml").write_text('[site]\ncategory_collation = "numeric"\n')
    sentence = "Sort keys of categories are those of 'uppercase', and 'numeric' is set now."
    with monkeypatch.context() as patched:
        patched.setattr(serve, "_MOST_PAGES", 0)
        assert f"{sentence} `wikiapi links` makes them again.\n" in wikiapi("serve").output
    assert wikiapi("serve").output.startswith(f"{sentence} They are made again.\n")
    assert wikiapi("serve").output.startswith("Tests answers at")
    members = ("list=categorymembers", "cmtitle=Category:X", "cmprop=title", "formatversion=2")
    answer = wikiapi("get", "action=query", *members).output
    assert answer.index("Page 9") < answer.index("Page 10")


def test_a_large_wiki_is_told_which_command_does_it(
    english: Callable[..., Result],
    served: list[tuple[Any, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "_MOST_PAGES", 0)
    assert english("serve").output.startswith(
        "Links were derived with other settings (namespaces, site.language):"
        " `wikiapi links` derives them again.\n"
    )
    assert english("links").output == (
        "Settings have changed (namespaces, site.language): all links are derived again.\n"
        "Derived the links of 1 page.\n"
    )


def test_a_read_only_database_is_told_which_command_does_it(
    english: Callable[..., Result], served: list[tuple[Any, ...]]
) -> None:
    settings = Path("wikiapi.toml").read_text()
    Path("wikiapi.toml").write_text(f"{settings}[database]\nread_only = true\n")
    assert "`wikiapi links` derives them again.\n" in english("serve").output


@pytest.mark.parametrize(
    ("first", "settings", "said"),
    [
        ("Accueil", "", 'write language = "fr" in [site] of wikiapi.toml.\n'),
        ("Forside", "", 'write language = "da" or language = "no" in [site] of'),
        ("Something", "", 'write language = "CODE" in [site] of wikiapi.toml.\n'),
        ("Main Page", "", ""),
        ("Accueil", '[site]\nlanguage = "fr"\n', ""),
    ],
)
def test_the_language_of_a_mediawiki_database_is_asked_for(
    wikiapi: Callable[..., Result],
    served: list[tuple[Any, ...]],
    first: str,
    settings: str,
    said: str,
) -> None:
    Path("a.xml").write_bytes(dump(page(first, 1)))
    assert wikiapi("import", "a.xml").exit_code == 0
    with closing(sqlite3.connect("wikiapi.sqlite")) as db, db:
        db.execute("DELETE FROM updatelog")
    Path("wikiapi.toml").write_text(settings)
    output = wikiapi("serve").output
    assert said in output
    assert ("which is taken for English" in output) is bool(said)


def test_a_dump_is_imported_once_and_served(
    wikiapi: Callable[..., Result], served: list[tuple[Any, ...]]
) -> None:
    Path("a.xml").write_bytes(dump(page("Main Page", 1), page("Tea", 2)))
    first = wikiapi("serve", "a.xml")
    assert first.exit_code == 0, first.output
    assert "Imported 2 pages from a.xml." in first.output
    assert "Next:" not in first.output
    assert "Tests answers at" in first.output
    assert Path("wikiapi.toml").is_file()
    again = wikiapi("serve", "a.xml")
    assert "a.xml has been imported already." in again.output
    assert len(served) == 2


def test_a_dump_that_is_missing_is_not_served(
    wikiapi: Callable[..., Result], served: list[tuple[Any, ...]]
) -> None:
    assert wikiapi("serve", "missing.xml").exit_code != 0
    assert not served
    assert not Path("wikiapi.sqlite").exists()
