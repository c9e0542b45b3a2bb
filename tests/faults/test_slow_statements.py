"""A statement takes too long: the database stops it, the client is told, and all goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.faults.served import make_store, opened, outcome, title_of
from tests.faults.slow import ENDLESS, AskingPlugin, connection_id, running
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.testing import ApiClient

LATE = "DBQueryTimeoutError"
ASK: dict[str, Any] = {"action": "query", "list": "asking"}
DATABASE = {"query_deadline": 0.3, "pool_size": 1}


class Statements:
    """What the next request does with the database."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.done: list[str] = []

    def __call__(self, db: Database) -> None:
        for sql in self.queries or [ENDLESS[db.dialect.name]]:
            db.execute_sql(sql, reading=True)
            self.done.append(sql)


class OnEveryKind:
    """What is the same on SQLite and on the servers."""

    def test_it_is_given_up_and_the_client_gets_an_error(self, client: ApiClient) -> None:
        assert outcome(client, **ASK) == LATE
        error = client.get(ASK)["error"]
        assert error["code"] == f"internal_api_error_{LATE}"
        assert error["errorclass"].endswith(LATE)
        assert error["info"].endswith("The database took too long to answer.")

    def test_the_next_request_is_answered(self, client: ApiClient) -> None:
        for _ in range(3):
            assert outcome(client, **ASK) == LATE
            assert title_of(client) == "ok"
            assert outcome(client, action="parse", page="World") == "ok"

    def test_many_statements_share_one_deadline(
        self, client: ApiClient, statements: Statements, site: Site
    ) -> None:
        endless = ENDLESS[site.db.dialect.name]
        statements.queries = ["SELECT 1", endless, "SELECT 2"]
        assert outcome(client, **ASK) == LATE
        assert statements.done == ["SELECT 1"]

    def test_statements_outside_requests_are_not_limited(
        self, client: ApiClient, site: Site
    ) -> None:
        assert outcome(client, **ASK) == LATE
        with site.db.deadline(30):
            assert site.db.execute_sql("SELECT 1") == [(1,)]
        assert site.db.execute_sql("SELECT 1") == [(1,)]


@pytest.fixture
def statements() -> Statements:
    return Statements()


class TestSqlite(OnEveryKind):
    @pytest.fixture
    def site(self, tmp_path: Path, statements: Statements) -> Iterator[Site]:
        make_store(tmp_path / "wiki.sqlite")
        url = f"sqlite:///{tmp_path}/wiki.sqlite"
        with opened(url, [AskingPlugin(statements)], database=DATABASE) as site:
            yield site

    def test_rows_that_come_one_by_one_are_given_up_as_well(
        self, client: ApiClient, statements: Statements
    ) -> None:
        all_numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        statements.queries = [f"{all_numbers} SELECT i FROM n WHERE i % 1000000 = 0"]
        assert outcome(client, **ASK) == LATE


class TestOnServers(OnEveryKind):
    @pytest.fixture
    def site(self, url: str, statements: Statements) -> Iterator[Site]:
        with opened(url, [AskingPlugin(statements)], database=DATABASE) as site:
            yield site

    def test_the_server_works_on_it_no_more(self, client: ApiClient, url: str) -> None:
        assert outcome(client, **ASK) == LATE
        with closing(Database(url)) as other:
            assert running(other) == []

    def test_its_connection_is_used_again(self, client: ApiClient, site: Site) -> None:
        before = connection_id(site.db)
        assert outcome(client, **ASK) == LATE
        assert connection_id(site.db) == before
        assert site.db.open_connections() == 1
