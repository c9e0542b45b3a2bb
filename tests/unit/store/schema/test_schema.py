"""A new store has MediaWiki's columns, keys and indexes, no more and no fewer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.store.kinds import only_sqlite
from wikiapi.store.database import Database
from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.engines.mysql import MysqlDialect
from wikiapi.store.engines.postgresql import PostgresqlDialect
from wikiapi.store.engines.sqlite import SqliteDialect
from wikiapi.store.models import ALL_MODELS, PageProps
from wikiapi.store.schema.ddl import create_indexes, create_table

# What PRAGMA table_info and index_info say of a database that MediaWiki 1.45 has made.
RECORDED = Path(__file__).parents[3] / "fixtures" / "store" / "mediawiki_schema.json"
SCHEMA: dict[str, Any] = json.loads(RECORDED.read_text("utf-8"))


def test_every_table_has_a_model() -> None:
    assert {model._meta.table_name for model in ALL_MODELS} == set(SCHEMA)


@only_sqlite
@pytest.mark.parametrize("table", sorted(SCHEMA))
def test_columns_are_mediawikis(db: Database, table: str) -> None:
    columns = [list(row[1:]) for row in db.execute_sql(f'PRAGMA table_info("{table}")')]
    assert columns == SCHEMA[table]["columns"]


@only_sqlite
@pytest.mark.parametrize("table", sorted(SCHEMA))
def test_indexes_are_mediawikis(db: Database, table: str) -> None:
    indexes = {
        name: {
            "unique": unique,
            "columns": [row[2] for row in db.execute_sql(f'PRAGMA index_info("{name}")')],
        }
        for _, name, unique, origin, _ in db.execute_sql(f'PRAGMA index_list("{table}")')
        if origin == "c"
    }
    assert indexes == SCHEMA[table]["indexes"]


@only_sqlite
@pytest.mark.parametrize("table", sorted(SCHEMA))
def test_ids_are_never_used_twice_where_mediawiki_says_so(db: Database, table: str) -> None:
    [(sql,)] = db.execute_sql(
        "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
    )
    assert ("AUTOINCREMENT" in sql) == SCHEMA[table]["autoincrement"]


@pytest.mark.parametrize("model", ALL_MODELS, ids=lambda model: model._meta.table_name)
def test_mariadb_indexes_no_blob_as_a_whole(model: Any) -> None:
    mysql = MysqlDialect()
    blobs = {
        field.column_name
        for field in model._meta.sorted_fields
        if mysql.column_type(field).endswith("BLOB")
    }
    for statement in create_indexes(model, mysql):
        columns = statement.rpartition(" (")[2].rstrip(")") + ")"
        for column in columns.split(", "):
            name = column.split("`")[1]
            assert ("(60)" in column) == (name in blobs), statement


@pytest.mark.parametrize(
    ("dialect", "quote"),
    [(SqliteDialect(), '"'), (MysqlDialect(), "`"), (PostgresqlDialect(), '"')],
    ids=["sqlite", "mysql", "postgres"],
)
def test_primary_keys_of_two_columns(dialect: Dialect, quote: str) -> None:
    statement = create_table(PageProps, dialect)
    assert f"PRIMARY KEY ({quote}pp_page{quote}, {quote}pp_propname{quote})" in statement
