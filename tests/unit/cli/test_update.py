from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.unit.importing.tables.sqldump import PAGE, page_rows, sql_dump
from wikiapi.fetching import Busy, HttpClient, Reply
from wikiapi.testing import Wiki
from wikiapi.testing.declaration import Declaration

Run = Callable[..., Result]
Form = Mapping[str, str]

fetch = HttpClient.fetch


def test_store_follows_a_wiki(on_store: Run, tmp_path: Path) -> None:
    with Wiki(Declaration(pages={"A": "[[B]]"})) as wiki:
        result = on_store("update", "--since", "2020-01-01", wiki.api_url)
        assert result.exit_code == 0, result.output
        assert result.output == (
            "Fetched 1 change from 20200101000000 to 20250101000000:"
            " 1 page, 1 revision, 0 deletions.\nDerived the links of 1 page.\n"
        )
        wiki.edit("B", "new")
        assert "1 revision" in on_store("update", wiki.api_url).output
    with closing(sqlite3.connect(tmp_path / "wikiapi.sqlite")) as db:
        assert db.execute("SELECT page_title FROM page").fetchall() == [("A",), ("B",)]
        assert db.execute("SELECT ss_total_pages FROM site_stats").fetchall() == [(2,)]


def test_links_of_changes_before_a_failure_are_derived(
    on_store: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Form] = []

    def failing(client: HttpClient, url: str, form: Form, **options: Any) -> Reply:
        if form.get("list") == "recentchanges":
            asked.append(form)
            if len(asked) == 2:
                return Reply(b"[]", {})
        return fetch(client, url, form, **options)

    monkeypatch.setattr(HttpClient, "fetch", failing)
    monkeypatch.setattr("wikiapi.importing.live.remote.PER_REQUEST", 1)
    with Wiki(Declaration(pages={"A": "[[B]]", "B": "[[A]]"})) as wiki:
        result = on_store("update", "--since", "2020-01-01", wiki.api_url)
        assert result.exit_code == 1
        first, second, error, hint = result.output.splitlines()
        assert first.startswith("Fetched 1 change from 20200101000000")
        assert second == "Derived the links of 1 page."
        assert error == f"Error: {wiki.api_url} does not answer with a JSON object"
        assert hint.startswith("Hint: Use the address")
        with closing(sqlite3.connect(tmp_path / "wikiapi.sqlite")) as db:
            assert db.execute("SELECT pl_from FROM pagelinks").fetchall() == [(1,)]
            assert db.execute("SELECT ss_total_pages FROM site_stats").fetchall() == [(1,)]
        assert on_store("update", "--since", "2020-01-01", wiki.api_url).exit_code == 0
    with closing(sqlite3.connect(tmp_path / "wikiapi.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM pagelinks").fetchall() == [(2,)]


def test_titles_that_no_page_can_have_are_reported(
    on_store: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def renaming(client: HttpClient, url: str, form: Form, **options: Any) -> Reply:
        reply = fetch(client, url, form, **options)
        return reply._replace(body=reply.body.replace(b'"title":"A"', b'"title":"<A>"'))

    monkeypatch.setattr(HttpClient, "fetch", renaming)
    with Wiki(Declaration(pages={"A": "[[B]]", "B": "[[A]]"})) as wiki:
        result = on_store("update", "--since", "2020-01-01", wiki.api_url)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[:2] == [
        "Warning: skipped '<A>', which is not a valid title",
        (
            "Fetched 2 changes from 20200101000000 to 20250101000100:"
            " 1 page, 1 revision, 0 deletions."
        ),
    ]


def test_wrong_address_is_reported(on_store: Run) -> None:
    result = on_store("update", "en.wikipedia.org")
    assert result.exit_code == 1
    assert "is not the address of an api.php" in result.output


def test_table_dumps_in_any_order(on_store: Run, tmp_path: Path) -> None:
    targets = sql_dump("linktarget", "lt_id lt_namespace lt_title", "(5,0,'B')")
    links = sql_dump("pagelinks", "pl_from pl_from_namespace pl_target_id", "(1,0,5)")
    (tmp_path / "a.sql").write_bytes(links)
    (tmp_path / "b.sql").write_bytes(targets)
    (tmp_path / "c.sql").write_bytes(sql_dump("page", PAGE, page_rows((1, 0, "A"))))
    result = on_store("import-tables", "a.sql", "b.sql", "c.sql")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "Loaded 1 row into linktarget from b.sql.",
        "Loaded 1 row into page from c.sql.",
        "Loaded 1 row into pagelinks from a.sql.",
    ]
    answer = on_store("get", "action=query", "titles=A", "prop=links", "format=json")
    assert '"title": "B"' in answer.output or '"title":"B"' in answer.output
    assert "a.sql has been loaded already." in on_store("import-tables", "a.sql").output


def test_one_table_twice_is_refused(on_store: Run, tmp_path: Path) -> None:
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_bytes(sql_dump("page", PAGE, page_rows((1, 0, "A"))))
    result = on_store("import-tables", "a.sql", "b.sql")
    assert "a.sql and b.sql are both dumps of the table 'page'" in result.output


def test_a_first_update_that_fails_leaves_nothing_behind(wikiapi: Run, tmp_path: Path) -> None:
    result = wikiapi("update", "ftp://wiki.example.org/w/api.php")
    assert result.exit_code == 1
    with Wiki(Declaration(pages={})) as wiki:
        result = wikiapi("update", wiki.api_url.replace("api.php", "none.php"))
    assert result.exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_repeated_requests_are_announced(on_store: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Form] = []

    def busy_at_first(client: HttpClient, url: str, form: Form, **options: Any) -> Reply:
        asked.append(form)
        if len(asked) == 1:
            raise Busy("HTTP 503", 0)
        return fetch(client, url, form, **options)

    monkeypatch.setattr(HttpClient, "fetch", busy_at_first)
    with Wiki(Declaration(pages={"A": "x"})) as wiki:
        result = on_store("update", "--since", "2020-01-01", wiki.api_url)
    assert result.exit_code == 0, result.output
    first = result.output.splitlines()[0]
    assert first == "The wiki does not answer (HTTP 503): trying again in 0 s."
