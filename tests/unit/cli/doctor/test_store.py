from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from wikiapi.cli.doctor.installation import Installation
from wikiapi.cli.doctor.store import (
    check_layout,
    check_permissions,
    check_reachable,
    check_tables,
)
from wikiapi.config import Config
from wikiapi.store.check import Severity
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate


@pytest.fixture
def db() -> Iterator[Database]:
    with closing(Database("sqlite:///:memory:")) as made:
        migrate.upgrade(made)
        yield made


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    with closing(
        Installation(database_url=f"sqlite:///{tmp_path / 'none.sqlite'}")
    ) as installation:
        (finding,) = check_reachable(installation)
    assert finding.problem.startswith("no database file at ")
    assert "wikiapi import" in finding.advice
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_not_databases(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no database, but long enough to be looked at" * 40)
    with closing(Installation(database_url=f"sqlite:///{tmp_path / 'x'}")) as installation:
        (finding,) = check_reachable(installation)
    assert finding.problem == "file is not a database"


def test_a_whole_store(db: Database) -> None:
    assert [*check_layout(db), *check_tables(db)] == []


def test_a_database_without_tables() -> None:
    with closing(Database("sqlite:///:memory:")) as empty:
        (finding,) = check_layout(empty)
        assert finding.problem == "the database has no tables"
        assert list(check_tables(empty)) == []


def test_an_older_layout(db: Database) -> None:
    db.execute_sql(
        "DELETE FROM updatelog WHERE ul_key LIKE 'wikiapi-%' AND ul_key NOT LIKE '%0001%'"
    )
    (finding,) = check_layout(db)
    assert finding.problem == f"the store has layout 1, but {migrate.LATEST} is required"
    assert "wikiapi db upgrade" in finding.advice


def test_a_newer_layout(db: Database) -> None:
    db.execute_sql("INSERT INTO updatelog VALUES ('wikiapi-0999-later', NULL)")
    (finding,) = check_layout(db)
    expected = f"the store has layout 999, but this version of wikiapi knows {migrate.LATEST}"
    assert finding.problem == expected


def test_a_database_of_mediawiki(db: Database) -> None:
    db.execute_sql("DELETE FROM updatelog")
    db.execute_sql("DROP TABLE file")
    (layout,) = check_layout(db)
    assert layout.severity is Severity.NOTE
    (tables,) = check_tables(db)
    assert tables.severity is Severity.WARNING
    assert tables.problem == "this MediaWiki is not 1.45: its database lacks file"


def test_missing_tables_and_indexes(db: Database) -> None:
    db.execute_sql("DROP TABLE watchlist")
    db.execute_sql("DROP INDEX rev_timestamp")
    problems = [finding.problem for finding in check_tables(db)]
    assert problems[0] == "tables are missing: watchlist"
    assert "indexes are missing" in problems[1]
    assert "rev_timestamp" in problems[1]


@pytest.mark.parametrize(("mode", "count"), [(0o600, 0), (0o640, 1), (0o604, 1)])
def test_permissions(
    config_of: Callable[..., Config], tmp_path: Path, mode: int, count: int
) -> None:
    path = tmp_path / "wiki.sqlite"
    path.touch(mode)
    path.chmod(mode)
    findings = list(check_permissions(config_of(database={"url": f"sqlite:///{path}"})))
    assert [finding.advice for finding in findings] == [f"`chmod 600 {path}`"] * count


def test_permissions_of_a_server_are_its_own(config_of: Callable[..., Config]) -> None:
    assert list(check_permissions(config_of(database={"url": "mysql://h/d"}))) == []
