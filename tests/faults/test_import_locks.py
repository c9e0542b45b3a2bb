"""Someone else writes to the store while something is imported into it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest
from click.testing import CliRunner, Result

from bench.killpages import newer, older, write_dump
from bench.storediff import differences
from tests.faults.contents import contents
from tests.faults.slow import running
from tests.ports import PATIENCE
from tests.servers import Server
from wikiapi.cli import main
from wikiapi.importing import importer
from wikiapi.store.database import Database
from wikiapi.store.engines import sqlite

PAGES = 40
HINT = "Hint: Another process is writing to the store"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder with an older and a newer dump; transactions are small."""
    write_dump(tmp_path / "older.xml", older(PAGES))
    write_dump(tmp_path / "newer.xml", newer(PAGES))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(importer, "BYTES_PER_TRANSACTION", 2_000)
    monkeypatch.setattr("wikiapi.importing.sink._PENDING_REVISIONS", 10)
    return tmp_path


def imported(url: str, dump: str) -> Result:
    return CliRunner().invoke(main, ["import", "--jobs", "1", "--database", url, dump])


def assert_error_names(result: Result, *words: str) -> None:
    assert result.exit_code == 1
    # PostgreSQL tells in further lines where it was.
    error = result.output.partition("Error: ")[2]
    assert any(word in error.splitlines()[0].lower() for word in words), result.output
    assert error.splitlines()[-1].startswith(HINT)


class TestSqlite:
    def test_a_writer_in_the_midst_of_an_import(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert imported("sqlite:///whole.sqlite", "older.xml").exit_code == 0
        monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
        call_plugins = importer.DumpImporter._call_plugins
        calls: list[int] = []
        with closing(apsw.Connection(str(folder / "store.sqlite"))) as other:

            def lock(self: Any, pages: Any) -> None:
                calls.append(len(pages))
                if len(calls) == 2:
                    other.execute("BEGIN IMMEDIATE")
                call_plugins(self, pages)

            monkeypatch.setattr(importer.DumpImporter, "_call_plugins", lock)
            assert_error_names(imported("sqlite:///store.sqlite", "older.xml"), "locked")
            (pages,) = other.execute("SELECT count(*) FROM page").fetchone()
            assert pages == sum(calls)
            other.execute("ROLLBACK")
        assert imported("sqlite:///store.sqlite", "older.xml").exit_code == 0
        assert list(differences(folder / "whole.sqlite", folder / "store.sqlite")) == []


FOR_UPDATE = "SELECT ul_key FROM updatelog FOR UPDATE"
IMPATIENT = {
    "mysql": ("SET GLOBAL innodb_lock_wait_timeout = 1",),
    "postgres": ("ALTER ROLE wiki SET lock_timeout = '500ms'",),
}
PATIENT = {
    "mysql": ("SET GLOBAL innodb_lock_wait_timeout = 50",),
    "postgres": ("ALTER ROLE wiki RESET lock_timeout",),
}
# Of two that wait for each other MariaDB ends the one that has written less, PostgreSQL the one
# that has waited for so long.
WEIGHT = {
    "mysql": "CREATE TABLE weight SELECT seq FROM seq_1_to_2000",
    "postgres": "SELECT 1",
}
HEAVY = {
    "mysql": "UPDATE weight SET seq = seq + 1",
    "postgres": "SET deadlock_timeout = '100s'",
}


class _OtherProgram(Database):
    """A program that locks rows without asking whether wikiapi is writing."""

    @contextmanager
    def _locked(self, *, shares: bool) -> Iterator[None]:
        yield

    def _begin(self, *, durable: bool, shares: bool) -> None:
        self._control_transaction("BEGIN", None)


class TestOnServers:
    @pytest.fixture
    def url(self, server: Server, folder: Path, request: pytest.FixtureRequest) -> str:
        """Return a store into which the older dump has been imported."""
        name = "".join(c if c.isalnum() else "_" for c in request.node.name)[:50].lower()
        url = server.create(name)
        result = imported(url, "older.xml")
        assert result.exit_code == 0, result.output
        return url

    @pytest.fixture
    def whole(self, server: Server, folder: Path, url: str) -> dict[str, list[Any]]:
        """Return the contents of a store into which both were imported undisturbed."""
        undisturbed = server.create(f"{url.split('/')[3].split('?')[0]}_whole"[:60])
        for dump in ("older.xml", "newer.xml"):
            assert imported(undisturbed, dump).exit_code == 0
        return contents(undisturbed)

    @pytest.fixture
    def other(self, url: str) -> Iterator[Database]:
        with closing(_OtherProgram(url, pool_size=1)) as db:
            yield db

    def test_waiting_for_a_lock_has_an_end(
        self, url: str, whole: dict[str, list[Any]], other: Database
    ) -> None:
        before = contents(url)
        for sql in IMPATIENT[other.dialect.name]:
            other.execute_sql(sql)
        try:
            with other.atomic():
                other.execute_sql(FOR_UPDATE)
                result = imported(url, "newer.xml")
        finally:
            for sql in PATIENT[other.dialect.name]:
                other.execute_sql(sql)
        assert_error_names(result, "lock wait timeout", "lock timeout")
        assert contents(url) == before
        assert imported(url, "newer.xml").exit_code == 0
        assert contents(url) == whole

    def test_two_that_wait_for_each_other(
        self, url: str, whole: dict[str, list[Any]], other: Database
    ) -> None:
        before = contents(url)
        results: list[Result] = []
        thread = threading.Thread(target=lambda: results.append(imported(url, "newer.xml")))
        other.execute_sql(WEIGHT[other.dialect.name])
        with other.atomic():
            other.execute_sql(HEAVY[other.dialect.name])
            other.execute_sql(FOR_UPDATE)
            thread.start()
            await_statement(url, "updatelog")
            other.execute_sql("SELECT page_id FROM page FOR UPDATE")
            thread.join()
        assert_error_names(results[0], "deadlock")
        assert contents(url) == before
        assert imported(url, "newer.xml").exit_code == 0
        assert contents(url) == whole


def await_statement(url: str, fragment: str) -> None:
    """Wait until some other connection is in the midst of a statement that writes to a table."""
    limit = time.monotonic() + PATIENCE
    with closing(Database(url)) as db:
        while time.monotonic() < limit:
            statements = [sql.lower() for _, sql in running(db)]
            if any(fragment in sql and not sql.startswith("select") for sql in statements):
                return
    raise TimeoutError
