"""What debuginfo shows of the statements."""

from __future__ import annotations

import threading

import pytest

from wikiapi.errors import StoreError
from wikiapi.store.database import Database
from wikiapi.store.models import Page
from wikiapi.store.recording import QueryRecord, interpolate, literal


def test_nothing_is_logged_unless_requested(db: Database) -> None:
    with db.recording() as log:
        pass
    db.execute_sql("SELECT 1")
    assert log == []


def test_statement_function_and_seconds(db: Database) -> None:
    with db.recording() as log:
        db.execute(Page.select(Page.page_id).where(Page.page_title == "It's"))
    [record] = log
    sql = record.sql.replace("`", '"')
    assert sql.endswith("""WHERE ("t1"."page_title" = 'It''s')""")
    assert record.function.endswith(".test_statement_function_and_seconds")
    assert 0 < record.time < 10


def test_a_statement_that_fails_is_logged_too(db: Database) -> None:
    with db.recording() as log, pytest.raises(StoreError, match="no_table"):
        db.execute_sql("SELECT * FROM no_table")
    assert [record.sql for record in log] == ["SELECT * FROM no_table"]


def test_other_threads_are_not_logged(db: Database) -> None:
    with db.recording() as log:
        thread = threading.Thread(target=lambda: db.execute_sql("SELECT 2"))
        thread.start()
        thread.join()
    assert log == []


def test_an_inner_record_is_one_of_the_outer_too(db: Database) -> None:
    with db.recording() as outer:
        with db.recording() as inner:
            db.execute_sql("SELECT 1")
        db.execute_sql("SELECT 2")
    assert [record.sql for record in inner] == ["SELECT 1"]
    assert [record.sql for record in outer] == ["SELECT 1", "SELECT 2"]


def test_slow_statements_alone_are_reported(db: Database) -> None:
    seen: list[QueryRecord] = []
    with db.observing(seen.append, seconds=100.0), db.recording() as log:
        db.execute_sql("SELECT 1")
    assert (len(seen), len(log)) == (0, 1)


def test_the_module_at_work_is_named(db: Database) -> None:
    with db.recording() as log, db.working_for(lambda: "list=allpages"):
        db.execute_sql("SELECT 1")
    assert log[0].function.startswith("list=allpages (tests.")


def test_plan(db: Database) -> None:
    with db.recording() as log:
        db.execute(Page.select(Page.page_id).where(Page.page_title == "It's").limit(1))
    assert "".join(db.plan(log[0].statement, log[0].params))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (3, "3"),
        (0.5, "0.5"),
        ("a'b", "'a''b'"),
        (b"\x00\xff", "x'00ff'"),
        ("x" * 300, "'" + "x" * 200 + "...'"),
    ],
)
def test_values_as_sql(value: object, text: str) -> None:
    assert literal(value) == text


@pytest.mark.parametrize(
    ("sql", "params", "expected"),
    [
        ("SELECT ? + ?", (1, 2), "SELECT 1 + 2"),
        ("SELECT '?', \"?\", ?", (1,), "SELECT '?', \"?\", 1"),
        ("SELECT %s", ("?",), "SELECT '?'"),
        ("SELECT ?, ?", (1,), "SELECT 1, '?'"),
    ],
)
def test_parameters_are_written_in(sql: str, params: tuple[object, ...], expected: str) -> None:
    assert interpolate(sql, params) == expected


@pytest.mark.parametrize(
    ("sql", "is_shown"),
    [
        ('UPDATE "user" SET "user_password" = ?', False),
        ('SELECT "bp_token" FROM "bot_passwords" WHERE "bp_user" = ?', False),
        ("DELETE FROM `objectcache` WHERE `keyname` = %s", False),
        ('SELECT "user_id" FROM "user" WHERE "user_name" = ?', True),
    ],
)
def test_values_beside_credentials_are_not_shown(sql: str, is_shown: bool) -> None:
    assert ("secret" in QueryRecord(sql, ("secret",), "f", 0.0).sql) is is_shown
