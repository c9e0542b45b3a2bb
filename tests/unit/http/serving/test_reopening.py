"""A store that is replaced is opened anew, as soon as it can be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.faults.served import make_store, title_of
from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.http.serving import reopening
from wikiapi.http.serving.reopening import Reopening
from wikiapi.site import Site
from wikiapi.store.engines import sqlite
from wikiapi.testing import ApiClient


@pytest.fixture(autouse=True)
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each request check the file."""
    monkeypatch.setattr(sqlite, "_SECONDS_PER_LOOK", 0.0)
    monkeypatch.setattr(reopening, "_RETRY_SECONDS", 0.0)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    make_store(tmp_path / "wiki.sqlite", {"Old": "x"})
    return tmp_path / "wiki.sqlite"


@pytest.fixture
def opened() -> list[Site]:
    return []


@pytest.fixture(params=[False, True], ids=["ours", "read only"])
def client(store: Path, opened: list[Site], request: pytest.FixtureRequest) -> Iterator[ApiClient]:
    @contextmanager
    def opening() -> Iterator[Site]:
        database = {"url": f"sqlite:///{store}", "read_only": request.param}
        site = open_site(parse_config({"database": database}))
        opened.append(site)
        with closing(site.db):
            yield site

    with Reopening(opening) as app:
        yield ApiClient(app)


def replace(store: Path, title: str) -> None:
    make_store(store.with_suffix(".new"), {title: "x"})
    store.with_suffix(".new").replace(store)


def test_the_new_store_is_served(client: ApiClient, store: Path, opened: list[Site]) -> None:
    for number in range(3):
        replace(store, f"New {number}")
        assert title_of(client, f"New {number}") == "ok"
        assert title_of(client, "Old") == "missing"
        assert len(opened) == number + 2
    assert [site.db.open_connections() for site in opened[:-1]] == [0, 0, 0]


def test_a_store_that_stays_is_not_opened_again(client: ApiClient, opened: list[Site]) -> None:
    assert [title_of(client, "Old") for _ in range(3)] == ["ok"] * 3
    assert len(opened) == 1


def test_a_broken_one_is_an_error_until_it_is_whole(
    client: ApiClient, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = store.with_suffix(".broken")
    broken.write_bytes(store.read_bytes()[:5000])
    broken.replace(store)
    assert title_of(client, "Old") == "DBConnectionError"
    assert "cannot be opened" in caplog.text
    replace(store, "New")
    assert title_of(client, "New") == "ok"


def test_a_file_that_is_missing_for_a_moment_is_used_again(client: ApiClient, store: Path) -> None:
    away = store.rename(store.with_suffix(".away"))
    assert title_of(client, "Old") == "ok"
    away.rename(store)
    assert title_of(client, "Old") == "ok"
