"""Which databases commands may write to."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from wikiapi.cli.support.sites import existing_site
from wikiapi.config import Config, parse_config
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """Return the configuration of a store that is there."""
    url = f"sqlite:///{tmp_path / 'wiki.sqlite'}"
    with closing(Database(url)) as db:
        migrate.upgrade(db)
    return parse_config({"database": {"url": url}})


def test_own_store_may_be_written(config: Config) -> None:
    with existing_site(config) as site:
        assert not site.db.read_only


def test_database_of_mediawiki_is_never_written(config: Config, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "wiki.sqlite")) as connection, connection:
        connection.execute("DELETE FROM updatelog")
    with existing_site(config) as site:
        assert site.db.read_only
