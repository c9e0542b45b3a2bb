"""Threads, errors, deadlines, conversions and the log of statements."""

from __future__ import annotations

import gc
import stat
import sys
import threading
from pathlib import Path

import pytest

from tests.unit.store.kinds import only_sqlite
from wikiapi.errors import (
    StoreCorrupt,
    StoreError,
    StoreReadOnly,
    StoreTimeout,
    StoreUnavailable,
    StoreValueError,
)
from wikiapi.store.database import Database
from wikiapi.store.models import CategoryLinks, Page, SiteStats, UpdateLog
from wikiapi.store.queries import pages
from wikiapi.store.schema import migrate

# Each takes far longer than any deadline of these tests.
_COUNTING = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)"
    " SELECT {} FROM n"
)
ENDLESS = {
    "sqlite": _COUNTING.format("COUNT(*)"),
    "mysql": "SELECT SLEEP(60)",
    "postgres": "SELECT pg_sleep(60)",
}


def in_thread(action: object) -> None:
    thread = threading.Thread(target=action)  # type: ignore[arg-type]
    thread.start()
    thread.join()


@pytest.fixture
def on_disk(tmp_path: Path) -> Database:
    database = Database(f"sqlite:///{tmp_path}/store.sqlite")
    migrate.upgrade(database)
    return database


def test_the_version_of_the_engine_begins_with_numbers(db: Database) -> None:
    major, minor, *_ = db.server_version.split(".")
    assert major.isdigit()
    assert minor.isdigit()


def test_a_thread_sees_what_another_wrote(db: Database) -> None:
    seen: list[object] = []
    db.insert_many(UpdateLog, [("key", "value")])
    in_thread(lambda: seen.append(db.scalar(UpdateLog.select().where(UpdateLog.ul_key == "key"))))
    assert seen == ["key"]


def test_connections_of_dead_threads_are_closed(on_disk: Database) -> None:
    for _ in range(5):
        in_thread(lambda: on_disk.execute_sql("SELECT 1"))
    gc.collect()
    assert on_disk.open_connections() == 1


def test_two_databases_never_mix() -> None:
    first, second = Database("sqlite:///:memory:"), Database("sqlite:///:memory:")
    for number, database in enumerate((first, second), 1):
        migrate.upgrade(database)
        database.execute_write(SiteStats.update(ss_total_pages=number))
    wrong: list[int] = []

    def ask(database: Database, expected: int) -> None:
        query = SiteStats.select(SiteStats.ss_total_pages)
        wrong.extend(x for x in (database.scalar(query) for _ in range(200)) if x != expected)

    threads = [
        threading.Thread(target=ask, args=(database, number))
        for number, database in ((1, first), (2, second), (1, first), (2, second))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_closed_database_says_so(db: Database) -> None:
    db.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        db.execute_sql("SELECT 1")


def test_closing_leaves_a_statement_at_work_alone(on_disk: Database) -> None:
    begun, closed = threading.Event(), threading.Event()
    answers: list[object] = []

    def pause() -> int:
        begun.set()
        closed.wait()
        return 5

    def work() -> None:
        on_disk._connection().create_scalar_function("pause", pause)
        answers.extend(on_disk.execute_sql("SELECT pause()"))
        with pytest.raises(StoreUnavailable, match="closed"):
            on_disk.execute_sql("SELECT 1")

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    on_disk.close()
    closed.set()
    thread.join()
    assert answers == [(5,)]


def test_closing_reaches_the_connections_of_other_threads(on_disk: Database) -> None:
    ready, go = threading.Event(), threading.Event()
    errors: list[type[BaseException]] = []

    def work() -> None:
        on_disk.execute_sql("SELECT 1")
        ready.set()
        go.wait()
        try:
            on_disk.execute_sql("SELECT 1")
        except StoreUnavailable as error:
            errors.append(type(error))

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    on_disk.close()
    go.set()
    thread.join()
    assert errors == [StoreUnavailable]


def test_a_new_file_is_for_its_owner_only(on_disk: Database, tmp_path: Path) -> None:
    for file in tmp_path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:///",
        "sqlite://nowhere",
        "sqlite:////no/such/folder/store.sqlite",
        "oracle://localhost/wiki",
        "nonsense",
        "",
    ],
)
def test_unusable_urls(url: str) -> None:
    with pytest.raises(StoreUnavailable):
        Database(url)


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymysql", None)
    with pytest.raises(StoreUnavailable, match="PyMySQL"):
        Database("mysql://user:word@localhost/wiki")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreUnavailable, match="psycopg"):
        Database("postgresql://user:word@localhost/wiki")


def test_a_missing_file_is_not_created_for_reading(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="no database file"):
        Database(f"sqlite:///{tmp_path}/none.sqlite", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "text.sqlite"
    file.write_text("This is not a database. " * 100)
    with pytest.raises(StoreCorrupt):
        Database(f"sqlite:///{file}", read_only=True)


def test_reading_only_writes_nothing(on_disk: Database, tmp_path: Path) -> None:
    on_disk.close()
    reader = Database(f"sqlite:///{tmp_path}/store.sqlite", read_only=True)
    with pytest.raises(StoreReadOnly):
        reader.execute_write(SiteStats.update(ss_images=1))
    with pytest.raises(StoreReadOnly):
        reader.insert_many(UpdateLog, [("a", "b")])
    with pytest.raises(StoreReadOnly):
        reader.execute_sql("DELETE FROM site_stats")
    assert reader.scalar(SiteStats.select(SiteStats.ss_images)) == 0


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_foreign_database_is_left_as_it_is(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "mediawiki.sqlite"
    maker = Database(f"sqlite:///{file}")
    maker.execute_sql("CREATE TABLE page (page_id INTEGER PRIMARY KEY, page_title BLOB)")
    maker.execute_sql(f"PRAGMA journal_mode = {mode}")
    maker.execute_sql("INSERT INTO page VALUES (1, 'Alpha')")
    maker.close()
    before = file.read_bytes()
    reader = Database(f"sqlite:///{file}", read_only=True)
    assert reader.scalar(Page.select(Page.page_title)) == "Alpha"
    assert [path.name for path in tmp_path.iterdir()] == ["mediawiki.sqlite"]
    reader.close()
    assert file.read_bytes() == before


def test_a_store_of_wikiapi_can_be_in_a_read_only_folder(
    on_disk: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_disk.close()
    # As on a file system mounted for reading only, whoever runs the tests.
    monkeypatch.setattr("os.access", lambda *_, **__: False)
    reader = Database(f"sqlite:///{tmp_path}/store.sqlite", read_only=True)
    assert reader.scalar(SiteStats.select(SiteStats.ss_images)) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["store.sqlite"]


def test_a_live_wal_database_shows_what_was_just_written(tmp_path: Path) -> None:
    file = tmp_path / "mediawiki.sqlite"
    writer = Database(f"sqlite:///{file}")
    writer.execute_sql("CREATE TABLE page (page_id INTEGER PRIMARY KEY, page_title BLOB)")
    writer.execute_sql("PRAGMA journal_mode = WAL")
    writer.execute_sql("INSERT INTO page VALUES (1, 'Alpha')")
    reader = Database(f"sqlite:///{file}", read_only=True)
    writer.execute_sql("UPDATE page SET page_title = 'Beta'")
    assert reader.scalar(Page.select(Page.page_title)) == "Beta"


@pytest.mark.parametrize(
    "value", [2**63, -(2**63) - 1, 10**5000], ids=["2^63", "-2^63-1", "10^5000"]
)
def test_integers_that_do_not_fit_into_a_database(db: Database, value: int) -> None:
    with pytest.raises(StoreValueError):
        pages.by_ids(db, [value])


def test_a_lone_surrogate_is_no_title(db: Database) -> None:
    with pytest.raises(StoreValueError):
        pages.by_titles(db, [(0, "\ud800")])


@only_sqlite
def test_broken_text_does_not_raise(db: Database) -> None:
    db.execute_sql(
        "INSERT INTO page (page_namespace, page_title, page_random, page_touched, page_latest,"
        " page_len) VALUES (0, CAST(x'41ff42' AS TEXT), 0, '', 1, 1), (0, 'Fine', 0, '', 1, 1)"
    )
    titles = Page.select(Page.page_title).order_by(Page.page_id)
    assert db.execute(titles) == [("A\ufffdB",), ("Fine",)]
    assert db.execute(titles.where(Page.page_id == 2)) == [("Fine",)]


@only_sqlite
def test_rows_around_broken_text_are_as_they_would_be(db: Database) -> None:
    db.execute_sql(
        "INSERT INTO page (page_namespace, page_title, page_random, page_touched, page_latest,"
        " page_len) VALUES (0, 'Lower', 0, '', 1, 1), (0, CAST(x'ff' AS TEXT), 0.5, '', 2, 3),"
        " (0, 'Upper', 1, '', 3, 5), (1, 'Elsewhere', 1, '', 4, 7)"
    )
    same = (Page.page_title, Page.page_title.alias("page_id"), Page.page_random, Page.page_lang)
    query = Page.select(*same, Page.page_id).where(Page.page_namespace == 0)
    assert db.execute(query.order_by(Page.page_len.desc()).limit(2)) == [
        ("Upper", "Upper", 1.0, None, 3),
        ("\ufffd", "\ufffd", 0.5, None, 2),
    ]


@only_sqlite
def test_text_stored_as_bytes_comes_as_text(db: Database) -> None:
    db.execute_sql(
        "INSERT INTO page (page_namespace, page_title, page_random, page_touched, page_latest,"
        " page_len) VALUES (0, x'c384', 0, x'3230', 1, 1)"
    )
    assert db.execute(Page.select(Page.page_title, Page.page_touched)) == [("Ä", "20")]


def test_the_datetime_column_is_a_timestamp_like_the_others(wiki: Database) -> None:
    query = CategoryLinks.select(CategoryLinks.cl_timestamp).limit(1)
    assert wiki.execute(query) == [("20240101000000",)]
    assert wiki.execute(CategoryLinks.select(CategoryLinks.cl_timestamp.alias("x")).limit(1)) == [
        ("20240101000000",)
    ]


def test_a_statement_past_its_deadline_is_interrupted(db: Database) -> None:
    with db.deadline(0.05), pytest.raises(StoreTimeout):
        db.execute_sql(ENDLESS[db.dialect.name])
    assert db.execute_sql("SELECT 1") == [(1,)]


@only_sqlite
def test_fetching_rows_is_interrupted_too(db: Database) -> None:
    endless = _COUNTING.format("i")
    with db.deadline(0.05), pytest.raises(StoreTimeout):
        db.execute_sql(f"SELECT * FROM ({endless} WHERE i % 1000000 = 0)")


def test_after_the_deadline_nothing_is_requested(db: Database) -> None:
    with db.deadline(-1), pytest.raises(StoreTimeout):
        db.execute_sql("SELECT 1")


def test_an_inner_deadline_does_not_extend_the_outer(db: Database) -> None:
    with db.deadline(0.05), db.deadline(60), pytest.raises(StoreTimeout):
        db.execute_sql(ENDLESS[db.dialect.name])


def test_the_outer_deadline_is_back_after_the_inner(db: Database) -> None:
    with db.deadline(0.05):
        with db.deadline(60):
            pass
        with pytest.raises(StoreTimeout):
            db.execute_sql(ENDLESS[db.dialect.name])


def test_a_deadline_holds_on_a_connection_opened_within(on_disk: Database) -> None:
    caught: list[str] = []

    def work() -> None:
        with on_disk.deadline(0.05):
            try:
                on_disk.execute_sql(ENDLESS[on_disk.dialect.name])
            except StoreTimeout:
                caught.append("timeout")

    in_thread(work)
    assert caught == ["timeout"]


def test_a_failed_transaction_leaves_nothing(db: Database) -> None:
    def rows() -> object:
        yield ("a", "1")
        yield ("a", "2")

    with pytest.raises(StoreError):
        db.insert_many(UpdateLog, rows())  # type: ignore[arg-type]
    assert db.scalar(UpdateLog.select().where(UpdateLog.ul_key == "a")) is None


@pytest.mark.parametrize("error", [KeyError("x"), ValueError("x"), StoreCorrupt("x")])
def test_an_error_of_the_callers_passes_a_transaction_unchanged(
    db: Database, error: Exception
) -> None:
    def work() -> None:
        with db.atomic():
            db.insert_many(UpdateLog, [("a", "1")])
            raise error

    with pytest.raises(type(error)) as caught:
        work()
    assert caught.value is error
    assert db.scalar(UpdateLog.select().where(UpdateLog.ul_key == "a")) is None


@pytest.mark.parametrize(
    ("on_conflict", "value"),
    [("ignore", "1"), ("replace", "2")],
)
def test_what_happens_to_a_row_that_is_there(db: Database, on_conflict: str, value: str) -> None:
    for text in "12":
        db.insert_many(UpdateLog, [("a", text)], on_conflict=on_conflict)  # type: ignore[arg-type]
    query = UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == "a")
    assert db.execute(query) == [(value,)]


def test_what_is_committed_lasts_when_the_power_fails(on_disk: Database) -> None:
    # https://www.sqlite.org/pragma.html#pragma_synchronous: 2 is FULL, which syncs each commit.
    assert on_disk.execute_sql("PRAGMA synchronous") == [(2,)]


def test_what_waits_for_the_commit_runs_when_others_may_write(db: Database) -> None:
    waited = []

    def write_elsewhere() -> None:
        waited.append(db.is_in_transaction)
        in_thread(lambda: db.insert_many(UpdateLog, [("other", "1")]))

    with db.atomic():
        db.on_commit(write_elsewhere)
        with db.atomic():
            db.insert_many(UpdateLog, [("own", "1")])
        assert waited == []
    assert waited == [False]
    rows = db.execute(UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_value == "1"))
    assert {key for (key,) in rows} >= {"own", "other"}


def test_what_waits_for_a_commit_is_dropped_with_it(db: Database) -> None:
    calls = []

    def fail() -> None:
        with db.atomic():
            db.on_commit(lambda: calls.append("undone"))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with db.atomic():
        db.on_commit(lambda: calls.append("done"))
    db.on_commit(lambda: calls.append("at once"))
    assert calls == ["done", "at once"]


def test_a_transaction_of_which_a_part_failed_is_undone(db: Database) -> None:
    calls = []

    def fail() -> None:
        with db.atomic():
            db.on_commit(lambda: calls.append("undone"))
            db.insert_many(UpdateLog, [("inner", "1")])
            raise KeyError

    def go_on() -> None:
        with db.atomic():
            db.on_commit(lambda: calls.append("undone"))
            db.insert_many(UpdateLog, [("outer", "1")])
            with pytest.raises(KeyError):
                fail()

    with pytest.raises(StoreError, match="a part of this transaction has failed"):
        go_on()
    with db.atomic():
        db.insert_many(UpdateLog, [("next", "1")])
    rows = db.execute(UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_value == "1"))
    assert [key for (key,) in rows] == ["next"]
    assert calls == []


def test_a_transaction_of_which_an_insertion_failed_is_undone(db: Database) -> None:
    def go_on() -> None:
        with db.atomic(), pytest.raises(StoreError):
            db.insert_many(UpdateLog, [("a", "1"), ("b", "1"), ("a", "1")])

    with pytest.raises(StoreError):
        go_on()
    assert db.scalar(UpdateLog.select().where(UpdateLog.ul_value == "1")) is None


def test_a_transaction_that_need_not_last_leaves_the_next_one_durable(db: Database) -> None:
    with db.atomic(durable=False):
        db.insert_many(UpdateLog, [("derived", "1")])
    assert db.scalar(UpdateLog.select().where(UpdateLog.ul_key == "derived")) is not None
    if db.dialect.name == "sqlite":
        assert db.execute_sql("PRAGMA synchronous") == [(2,)]


def test_a_transaction_has_one_object_of_a_kind(db: Database) -> None:
    class Update:
        def __init__(self) -> None:
            self.names: list[str] = []

        def __call__(self) -> None:
            done.append(self.names)

    done: list[list[str]] = []
    for _ in range(2):
        with db.atomic():
            db.at_commit(Update, Update).names.append("first")
            with db.atomic():
                db.at_commit(Update, Update).names.append("second")
    assert done == [["first", "second"]] * 2
