"""A copy holds what its source holds, whichever kinds of database they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
from peewee import Model

from tests.unit.store.kinds import only_sqlite
from tests.unit.store.wiki import fill, revision
from wikiapi.errors import StoreError
from wikiapi.store import copying
from wikiapi.store.copying import LeftOut, copy_store, is_unfinished
from wikiapi.store.database import Database
from wikiapi.store.fields import (
    DateTime,
    Double,
    Long,
    Number,
    Payload,
    Serial,
    Small,
    Timestamp,
    USmall,
)
from wikiapi.store.models import (
    ALL_MODELS,
    ExternalLinks,
    OldImage,
    Page,
    QueryCache,
    Text,
    UpdateLog,
)
from wikiapi.store.models.base import MediaWikiModel, index
from wikiapi.store.queries import texts
from wikiapi.store.schema import migrate
from wikiapi.store.schema.migrate import create_missing
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


def contents(db: Database, models: Iterable[type[Model]] = ALL_MODELS) -> dict[str, list[Any]]:
    """Return every row of every table, bytes as bytes."""
    tables = {}
    for model in models:
        meta: Any = model._meta
        columns = [
            RawBytes(field) if isinstance(field, Payload) else field for field in meta.sorted_fields
        ]
        tables[meta.table_name] = sorted(db.execute(model.select(*columns)), key=repr)
    return tables


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
    reports: list[tuple[str, int]] = []
    list(copy_store(source, db, report=lambda table, rows: reports.append((table, rows))))
    assert [rows for table, rows in reports if table == "page"] == [2, 4, 6]
    assert [rows for table, rows in reports if table == "oldimage"] == [2]
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
        tables: list[str] = []

        def report(table: str, _rows: int) -> None:
            tables.append(table)
            if len(tables) == batches:
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
        counts: list[int] = []
        with closing(Database("sqlite:///:memory:")) as other:
            list(copy_store(source, other, report=lambda _, rows: counts.append(rows)))
        return len(counts)

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


class Notes(MediaWikiModel):
    """A table of a plugin."""

    note_id = Serial()
    note_text = Long(null=True)

    class Meta:
        table_name = "plugin_notes"
        named_indexes = (index("note_text", "note_text"),)


def fill_every_table(db: Database, models: Iterable[type[Model]]) -> None:
    """Put two rows with values of their own into every table, whatever its columns mean."""
    for number, model in enumerate(models):
        fields: list[Any] = cast("Any", model)._meta.sorted_fields
        rows = [
            [value_of(field, 10 * number + place, n) for place, field in enumerate(fields)]
            for n in (1, 2)
        ]
        if model is not UpdateLog:
            db.execute_write(model.delete())
        db.insert_many(model, rows)


def value_of(field: Any, base: int, n: int) -> object:
    if isinstance(field, Small | USmall):
        return n
    if isinstance(field, Number):
        return base * 2 + n
    if isinstance(field, Double):
        return base + n / 4
    if isinstance(field, Timestamp | DateTime):
        return f"2024010203{base % 60:02}{n:02}"
    text = f"{n}{chr(233)}{base}"
    return text.encode() if isinstance(field, Payload) else text


@pytest.fixture
def plugin_table(db: Database) -> Iterator[None]:
    yield
    db.execute_sql("DROP TABLE IF EXISTS plugin_notes")


@pytest.mark.usefixtures("plugin_table")
def test_every_table_arrives(db: Database) -> None:
    models = (*ALL_MODELS, Notes)
    with closing(Database("sqlite:///:memory:")) as full:
        migrate.upgrade(full)
        create_missing(full, models)
        fill_every_table(full, models)
        left_out: list[LeftOut] = []
        list(copy_store(full, db, [Notes], report_left_out=left_out.append))
        assert contents(db, models) == contents(full, models)
        assert left_out == []
        with closing(Database("sqlite:///:memory:")) as back:
            list(copy_store(db, back, [Notes]))
            assert contents(back, models) == contents(full, models)


@pytest.mark.usefixtures("plugin_table")
def test_ids_that_were_given_to_deleted_rows_are_not_given_again(db: Database) -> None:
    create_missing(db, [Notes])
    db.insert_many(Notes, [("a",), ("b",), ("c",)], ("note_text",))
    db.execute_write(Notes.delete().where(Notes.note_id > 1))
    with closing(Database("sqlite:///:memory:")) as target:
        list(copy_store(db, target, [Notes]))
        target.insert_many(Notes, [("d",)], ("note_text",))
        assert target.execute(Notes.select(Notes.note_id, Notes.note_text)) == [(1, "a"), (4, "d")]
        target.execute_write(Notes.delete())
        db.execute_sql("DROP TABLE plugin_notes")
        with db.atomic():
            db.execute_write(UpdateLog.delete().where(~UpdateLog.ul_key.startswith("wikiapi-0")))
        list(copy_store(target, db, [Notes]))
        db.insert_many(Notes, [("e",)], ("note_text",))
        assert db.execute(Notes.select(Notes.note_id, Notes.note_text)) == [(5, "e")]


class TestTablesWithoutModel:
    """Tables of plugins that are not installed."""

    TABLES = (
        ("keyed", "INT NOT NULL, other VARCHAR(9), PRIMARY KEY (first)", [(1, "a"), (2, None)]),
        ("unkeyed", "INT, other VARCHAR(9)", [(3, "b"), (3, "b"), (4, "")]),
    )

    @pytest.fixture(autouse=True)
    def unknown_tables(self, db: Database) -> Iterator[None]:
        for name, columns, rows in self.TABLES:
            db.execute_sql(f"CREATE TABLE {name} (first {columns})")
            mark = db.dialect.placeholder
            for row in rows:
                db.execute_sql(f"INSERT INTO {name} VALUES ({mark}, {mark})", row)
        db.execute_sql("CREATE INDEX keyed_other ON keyed (other)")
        yield
        for name, _, _ in self.TABLES:
            db.execute_sql(f"DROP TABLE {name}")

    @only_sqlite
    @pytest.mark.parametrize("batch", [1, 2, 500])
    def test_they_are_copied_to_the_same_engine(
        self, db: Database, batch: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(copying, "BATCH", batch)
        with closing(Database("sqlite:///:memory:")) as target:
            left_out: list[LeftOut] = []
            list(copy_store(db, target, report_left_out=left_out.append))
            assert left_out == []
            assert {
                name: target.execute_sql(f"SELECT * FROM {name} ORDER BY first")
                for name, _, _ in self.TABLES
            } == {name: rows for name, _, rows in self.TABLES}
            assert ("keyed", "keyed_other") in target.catalog.indexes()

    def test_they_are_named_where_they_cannot_be_copied(self, db: Database) -> None:
        left_out: list[LeftOut] = []
        with closing(Database("sqlite:///:memory:")) as target:
            list(copy_store(db, target, report_left_out=left_out.append))
        if db.dialect.name == "sqlite":
            assert left_out == []
        else:
            # Other tests may have added the tables of plugins to the source.
            reasons = {item.name: item.reason for item in left_out}
            assert {"keyed", "unkeyed"} <= reasons.keys()
            assert "another kind of database" in reasons["keyed"]


@only_sqlite
def test_columns_that_only_the_source_has_are_named(source: Database, db: Database) -> None:
    source.execute_sql("ALTER TABLE page ADD COLUMN page_mood BLOB")
    left_out: list[LeftOut] = []
    list(copy_store(source, db, report_left_out=left_out.append))
    assert left_out == [LeftOut("page.page_mood", "the target has no such column")]
