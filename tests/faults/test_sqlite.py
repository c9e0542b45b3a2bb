"""The file of the database goes wrong under a server that runs."""

from __future__ import annotations

import os
import pwd
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner

from tests.faults.served import client_of, healthy, in_thread, make_store, opened, outcome, title_of
from tests.unit.importing.xmldump import dump, page
from tests.waiting import eventually
from wikiapi.api.query.module import ListModule
from wikiapi.cli import main
from wikiapi.errors import StoreCorrupt, StoreReadOnly
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.store.engines import sqlite
from wikiapi.store.models import Page
from wikiapi.testing import ApiClient, make_site

GONE = "DBConnectionError"
BROKEN = "DBQueryError"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    make_store(tmp_path / "wiki.sqlite")
    return tmp_path / "wiki.sqlite"


@pytest.fixture
def site(path: Path) -> Iterator[Site]:
    with opened(f"sqlite:///{path}") as site:
        yield site


class TestGone:
    def test_threads_that_have_it_open_go_on(self, client: ApiClient, path: Path) -> None:
        assert title_of(client) == "ok"
        path.unlink()
        assert title_of(client) == "ok"

    def test_others_say_so_until_it_is_back(self, client: ApiClient, path: Path) -> None:
        away = path.with_suffix(".away")
        path.rename(away)
        assert in_thread(lambda: title_of(client)) == GONE
        assert not in_thread(lambda: healthy(client))
        away.rename(path)
        assert in_thread(lambda: title_of(client)) == "ok"
        assert in_thread(lambda: healthy(client))

    def test_no_empty_store_replaces_it(self, client: ApiClient, path: Path) -> None:
        path.unlink()
        in_thread(lambda: title_of(client))
        assert not path.exists()

    def test_what_needs_no_database_is_answered(self, client: ApiClient, path: Path) -> None:
        path.unlink()
        check = {"action": "checktoken", "type": "csrf", "token": "x"}
        assert in_thread(lambda: outcome(client, **check)) == "ok"


class TestReplaced:
    @pytest.fixture(autouse=True)
    def replaced(self, client: ApiClient, path: Path, tmp_path: Path) -> None:
        assert title_of(client) == "ok"
        make_store(tmp_path / "other.sqlite", {"Other": "x"})
        (tmp_path / "other.sqlite").replace(path)

    def test_answers_never_mix_the_two(self, client: ApiClient) -> None:
        assert in_thread(lambda: title_of(client)) == GONE
        # A replaced file is noticed within a second.
        assert eventually(lambda: title_of(client) == GONE)
        assert not healthy(client)

    def test_a_server_that_is_started_again_serves_the_new_one(self, path: Path) -> None:
        with opened(f"sqlite:///{path}") as site:
            assert title_of(client_of(site)) == "missing"
            assert title_of(client_of(site), "Other") == "ok"


class TestLocked:
    def test_a_writer_does_not_block_readers(self, client: ApiClient, path: Path) -> None:
        with closing(apsw.Connection(str(path))) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("DELETE FROM page")
            assert title_of(client) == "ok"
            writer.execute("ROLLBACK")
        assert title_of(client) == "ok"

    def test_readers_wait_for_an_exclusive_lock_and_then_report_it(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
        with closing(apsw.Connection(str(path))) as other:
            other.execute("PRAGMA journal_mode = DELETE")
            with opened(f"sqlite:///{path}") as site:
                client = client_of(site)
                other.execute("BEGIN EXCLUSIVE")
                assert title_of(client) == GONE
                other.execute("COMMIT")
                assert title_of(client) == "ok"


class Endless(ListModule):
    """Ask the store for all numbers."""

    name = "endless"
    prefix = "end"

    def execute(self) -> None:
        self.db.execute_sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                    "SELECT count(*) FROM n")  # fmt: skip


class EndlessPlugin:
    @hookimpl
    def register_query_modules(self) -> list[type[ListModule]]:
        return [Endless]


def test_slow_the_statement_is_given_up_and_the_next_is_answered() -> None:
    config = {"database": {"query_deadline": 0.05}}
    site = make_site({"World": "x"}, plugins=[EndlessPlugin()], config=config)
    client = client_of(site)
    assert outcome(client, action="query", list="endless") == "DBQueryTimeoutError"
    assert outcome(client, action="query", meta="siteinfo") == "ok"
    site.db.close()


class TestCorrupted:
    @pytest.fixture
    def damaged(self, path: Path) -> Path:
        """Return a store whose texts are overwritten, except for the first page of the file."""
        with closing(sqlite3.connect(path)) as db:
            (size,) = db.execute("PRAGMA page_size").fetchone()
            (root,) = db.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = 'text'"
            ).fetchone()
        data = bytearray(path.read_bytes())
        data[(root - 1) * size : root * size] = b"\xff" * size
        path.write_bytes(data)
        return path

    def test_what_is_damaged_is_an_error_and_the_rest_is_answered(self, damaged: Path) -> None:
        with opened(f"sqlite:///{damaged}") as site:
            client = client_of(site)
            assert outcome(client, action="parse", page="World") == BROKEN
            assert outcome(client, action="query", titles="World", prop="info") == "ok"

    def test_nothing_is_written_to_it(self, damaged: Path) -> None:
        before = damaged.read_bytes()
        with opened(f"sqlite:///{damaged}") as site:
            outcome(client_of(site), action="parse", page="World")
        assert damaged.read_bytes() == before

    def test_a_file_that_was_cut_off_is_not_served(self, path: Path) -> None:
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size // 3)
        with pytest.raises(StoreCorrupt, match="malformed"), opened(f"sqlite:///{path}"):
            pass

    def test_something_else_in_its_place_is_not_served(self, path: Path) -> None:
        path.write_bytes(b"<!DOCTYPE html><p>Moved" * 1000)
        with pytest.raises(StoreCorrupt, match="not a database"), opened(f"sqlite:///{path}"):
            pass
        assert path.read_bytes().startswith(b"<!DOCTYPE html>")

    def test_nothing_is_imported_into_it(self, damaged: Path, tmp_path: Path) -> None:
        (tmp_path / "dump.xml").write_bytes(dump(page("New", 900), page("Newer", 901)))
        before = damaged.read_bytes()
        command = ["import", "--database", f"sqlite:///{damaged}", str(tmp_path / "dump.xml")]
        result = CliRunner().invoke(main, [*command, "--jobs", "1"])
        assert result.exit_code == 1
        assert "Error: database disk image is malformed" in result.output
        assert "Hint: `wikiapi check` shows what is damaged." in result.output
        assert damaged.read_bytes() == before

    def test_an_error_is_not_cached(self, path: Path, damaged: Path) -> None:
        whole = path.with_suffix(".whole")
        make_store(whole)
        with opened(f"sqlite:///{damaged}") as site:
            client = client_of(site)
            assert outcome(client, action="parse", page="World") == BROKEN
            damaged.write_bytes(whole.read_bytes())
            assert in_thread(lambda: outcome(client, action="parse", page="World")) == "ok"


@contextmanager
def without_rights() -> Iterator[None]:
    """Run the block as another user: root may write anywhere."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.parametrize("read_only", [True, False])
def test_read_only_disk_a_wiki_is_served_from_it(path: Path, read_only: bool) -> None:
    database = {"read_only": read_only}
    with opened(f"sqlite:///{path}") as site:
        assert outcome(client_of(site), action="parse", page="World") == "ok"  # imports all
    with tempfile.TemporaryDirectory(prefix="wikiapi-", ignore_cleanup_errors=True) as name:
        copy = Path(name) / "wiki.sqlite"
        copy.write_bytes(path.read_bytes())
        copy.chmod(0o444)
        copy.parent.chmod(0o555)
        with without_rights(), opened(f"sqlite:///{copy}", database=database) as site:
            assert outcome(client_of(site), action="parse", page="World") == "ok"
            with pytest.raises(StoreReadOnly):
                site.db.execute_write(Page.delete())
        copy.parent.chmod(0o755)
        assert copy.read_bytes() == path.read_bytes()
        assert list(copy.parent.iterdir()) == [copy]
