"""New stores, newer stores, other people's stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikiapi.errors import StoreReadOnly, StoreVersionError
from wikiapi.store.database import Database
from wikiapi.store.models import CategoryLinks, UpdateLog
from wikiapi.store.queries.categories import SORT_KEY
from wikiapi.store.queries.search import Column, Search, Term, page_ids
from wikiapi.store.schema import migrate
from wikiapi.store.schema.migrate import MIGRATIONS

KEYS = [migrate.key_of(migration) for migration in MIGRATIONS]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/store.sqlite"


def test_a_new_store_gets_everything_once(url: str) -> None:
    db = Database(url)
    assert migrate.version(db) == 0
    assert migrate.upgrade(db) == KEYS
    assert migrate.version(db) == migrate.LATEST
    assert migrate.upgrade(db) == []
    assert [row for row in db.execute(UpdateLog.select()) if row[0] in KEYS] == [
        (key, None) for key in KEYS
    ]
    migrate.check(db)


def test_migrations_are_numbered_without_gaps() -> None:
    assert [migration.number for migration in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_an_older_store_gets_missing_tables(url: str) -> None:
    db = Database(url)
    migrate.upgrade(db)
    db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key.in_(KEYS[1:])))
    db.execute_sql("DROP TABLE searchindex")
    db.execute_sql("DROP VIEW searchsource")
    with pytest.raises(StoreVersionError, match="upgrade it"):
        migrate.check(db)
    assert migrate.upgrade(db) == KEYS[1:]
    migrate.check(db)


@pytest.mark.slow
@pytest.mark.parametrize("db", ["postgresql"], indirect=True)
def test_sort_keys_were_texts_on_postgresql(wiki: Database) -> None:
    column = "ALTER TABLE categorylinks ALTER COLUMN cl_sortkey"
    wiki.execute_sql(f"{column} DROP DEFAULT")
    convert = "convert_from(cl_sortkey, 'UTF8')"
    wiki.execute_sql(f'{column} TYPE TEXT COLLATE "C" USING {convert}')
    wiki.execute_sql(f"{column} SET DEFAULT ''")
    before = KEYS[2]
    wiki.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == before))
    assert migrate.upgrade(wiki) == [before]
    assert wiki.catalog.columns("categorylinks")["cl_sortkey"] == "bytea"
    query = CategoryLinks.select(SORT_KEY).order_by(CategoryLinks.cl_sortkey)
    assert wiki.execute(query) == [(b"ALPHA",), ("X\nBÉTA".encode(),)]


def test_a_newer_store_is_refused(url: str) -> None:
    db = Database(url)
    migrate.upgrade(db)
    db.insert_many(UpdateLog, [("wikiapi-9000-future", None)])
    assert migrate.version(db) == 9000
    with pytest.raises(StoreVersionError, match="9000"):
        migrate.upgrade(db)
    with pytest.raises(StoreVersionError, match="9000"):
        migrate.check(db)


def test_reading_only_is_refused_with_a_reason(url: str) -> None:
    Database(url).close()
    with pytest.raises(StoreReadOnly, match="reading only"):
        migrate.upgrade(Database(url, read_only=True))


def test_mediawikis_own_database_is_served_but_never_changed(url: str) -> None:
    db = Database(url)
    db.execute_sql("CREATE TABLE page (page_id INTEGER PRIMARY KEY)")
    db.execute_sql("CREATE TABLE updatelog (ul_key VARCHAR(255), ul_value BLOB)")
    db.execute_sql("INSERT INTO updatelog VALUES ('fts3', NULL)")
    assert migrate.version(db) == 0
    migrate.check(db)
    with pytest.raises(StoreVersionError, match="MediaWiki"):
        migrate.upgrade(db)
    assert {name for (name,) in db.execute_sql("SELECT name FROM sqlite_master")} == {
        "page",
        "updatelog",
    }


def test_an_empty_database_cannot_be_served(url: str) -> None:
    with pytest.raises(StoreVersionError, match="import"):
        migrate.check(Database(url))


def test_a_migration_that_fails_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    db = Database(url)

    def fail(database: Database) -> None:
        database.execute_sql("CREATE TABLE half (a)")
        database.execute_sql("SELECT * FROM no_table")

    bad = migrate.MIGRATIONS[0].__class__(1, "bad", fail)
    monkeypatch.setattr(migrate, "MIGRATIONS", (bad,))
    with pytest.raises(Exception, match="no_table"):
        migrate.upgrade(db)
    assert not migrate.has_table(db, "half")


def test_search_finds_words_of_current_texts(wiki: Database) -> None:
    def find(column: Column, word: str) -> list[int]:
        return page_ids(wiki, Search(column, [Term(word)], (), (0,)), 10)

    assert find(Column.TEXT, "sky") == [2]
    assert find(Column.TEXT, "first") == []
    assert find(Column.TITLE, "gamma") == [3]
