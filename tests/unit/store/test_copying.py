"""A copy holds what its source holds, whichever kinds of database they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.unit.store.wiki import fill, revision
from wikiapi.errors import StoreError
from wikiapi.store import copying
from wikiapi.store.copying import copy_store, is_unfinished
from wikiapi.store.database import Database
from wikiapi.store.models import (
    ALL_MODELS,
    ExternalLinks,
    OldImage,
    Page,
    QueryCache,
    Text,
    UpdateLog,
)
from wikiapi.store.queries import texts
from wikiapi.store.schema import migrate
from wikiapi.store.sql.nodes import RawBytes
from wikiapi.store.write.revisions import RevisionWriter


@pytest.fixture
def source() -> Iterator[Database]:
    with closing(Database("sqlite:///:memory:")) as database:
        migrate.upgrade(database)
        fill(database)
        rows = [("Wanted", value, 0, f"T{value}") for value in (3, 1, 2, 2)]
        database.insert_many(QueryCache, rows)
        yield database


def contents(db: Database) -> dict[str, list[Any]]:
    """Return every row of every table, bytes as bytes."""
    found = {}
    for model in ALL_MODELS:
        meta: Any = model._meta
        columns = [
            RawBytes(field) if type(field).__name__ == "Payload" else field
            for field in meta.sorted_fields
        ]
        found[meta.table_name] = sorted(db.execute(model.select(*columns)), key=repr)
    return found


@pytest.mark.parametrize("batch", [1, 3, 500])
def test_there_and_back(
    source: Database, db: Database, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "BATCH", batch)
    copied = {table.table: table.rows for table in copy_store(source, db)}
    assert contents(db) == contents(source)
    assert (copied["page"], copied["querycache"], copied["user_groups"]) == (6, 4, 0)
    with closing(Database("sqlite:///:memory:")) as back:
        list(copy_store(db, back))
        assert contents(back) == contents(source)
        assert texts.current(back, [(0, "Béta")])[0, "Béta"].text.startswith("A [[File:")
        # On SQLite texts and titles are TEXT values, as MediaWiki has them.
        assert back.execute_sql("SELECT DISTINCT typeof(old_text) FROM text") == [("text",)]
        assert back.execute_sql("SELECT DISTINCT typeof(cl_sortkey) FROM categorylinks") == [
            ("text",)
        ]


def test_texts_of_any_bytes(source: Database, db: Database) -> None:
    source.execute_sql("UPDATE text SET old_text = x'cb48cdc9c90700', old_flags = 'utf-8,gzip'")
    list(copy_store(source, db))
    assert texts.of_revisions(db, [1])[1].text == "hello"
    backslashes = r"a\b\\c \x41 \n '\'' ☃"
    RevisionWriter(db).add([revision(50, 1, backslashes)])
    assert texts.of_revisions(db, [50])[50].text == backslashes


def test_new_rows_are_numbered_after_those_copied(source: Database, db: Database) -> None:
    list(copy_store(source, db))
    db.insert_many(ExternalLinks, [(1, "https://org.example.", "/")], _EXTERNAL)
    ids = [number for (number,) in db.execute(ExternalLinks.select(ExternalLinks.el_id))]
    assert len(set(ids)) == len(ids) == 2


_EXTERNAL = ("el_from", "el_to_domain_index", "el_to_path")


def test_a_store_with_pages_is_not_overwritten(source: Database, wiki: Database) -> None:
    with pytest.raises(StoreError, match="already has pages"):
        list(copy_store(source, wiki))
    assert len(wiki.execute(Page.select())) == 6


def test_what_is_reported_is_what_was_copied(
    source: Database, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "BATCH", 2)
    told: list[tuple[str, int]] = []
    list(copy_store(source, db, report=lambda table, rows: told.append((table, rows))))
    assert [rows for table, rows in told if table == "page"] == [2, 4, 6]
    assert [rows for table, rows in told if table == "oldimage"] == [2]
    assert len(db.execute(OldImage.select())) == 2


def test_a_lost_row_is_noticed(
    source: Database, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = Database.insert_many

    def losing(self: Database, model: Any, rows: Any, *more: Any, **options: Any) -> None:
        insert(self, model, list(rows)[1:] if model is Text else rows, *more, **options)

    monkeypatch.setattr(Database, "insert_many", losing)
    with pytest.raises(StoreError, match="text has 6 rows after 7 were copied"):
        list(copy_store(source, db))


def test_a_database_of_mediawiki_becomes_a_store(db: Database, tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/mediawiki.sqlite")) as theirs:
        theirs.execute_sql(
            "CREATE TABLE page (page_id INTEGER PRIMARY KEY, page_namespace, page_title,"
            " page_random, page_touched, page_latest, page_len, page_restrictions)"
        )
        theirs.execute_sql("INSERT INTO page VALUES (7, 0, 'Old', 0.5, '20240101000000', 1, 3, '')")
        theirs.execute_sql("CREATE TABLE updatelog (ul_key PRIMARY KEY, ul_value)")
        theirs.execute_sql("INSERT INTO updatelog VALUES ('filearchive-fa_major_mime', NULL)")
        list(copy_store(theirs, db))
    assert db.execute(Page.select(Page.page_id, Page.page_title, Page.page_is_new)) == [
        (7, "Old", 0)
    ]
    assert migrate.version(db) == migrate.LATEST
    db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == "filearchive-fa_major_mime"))


class TestCutShort:
    """A copying that is stopped after some batches goes on, and only with the same source."""

    @pytest.fixture(autouse=True)
    def small_batches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(copying, "BATCH", 2)

    def stop_after(self, source: Database, target: Database, batches: int) -> None:
        told: list[str] = []

        def report(table: str, _rows: int) -> None:
            told.append(table)
            if len(told) == batches:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            list(copy_store(source, target, report=report))

    @pytest.mark.parametrize("batches", [1, 4, 11, 23, 40])
    def test_it_goes_on_where_it_stopped(
        self, source: Database, db: Database, batches: int
    ) -> None:
        self.stop_after(source, db, batches)
        assert is_unfinished(db)
        again: list[tuple[str, int]] = []
        tables = {
            done.table: done.rows
            for done in copy_store(
                source, db, report=lambda table, rows: again.append((table, rows))
            )
        }
        assert contents(db) == contents(source)
        assert not is_unfinished(db)
        assert tables["page"] == 6, "also of what was copied before"
        assert len(again) == self.batches(source) - batches

    def batches(self, source: Database) -> int:
        told: list[int] = []
        with closing(Database("sqlite:///:memory:")) as other:
            list(copy_store(source, other, report=lambda _, rows: told.append(rows)))
        return len(told)

    def test_another_source_is_refused(self, source: Database, db: Database) -> None:
        self.stop_after(source, db, 30)
        before = contents(db)
        source.execute_write(Page.delete().where(Page.page_id == 6))
        with pytest.raises(StoreError, match="a part of another store, or the source has changed"):
            list(copy_store(source, db))
        assert contents(db) == before

    def test_a_part_is_no_source(self, source: Database, db: Database) -> None:
        self.stop_after(source, db, 30)
        with (
            closing(Database("sqlite:///:memory:")) as other,
            pytest.raises(StoreError, match="an incomplete copy"),
        ):
            list(copy_store(db, other))
