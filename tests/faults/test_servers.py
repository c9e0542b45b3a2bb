"""A database server is started again, or does not come back, under a wiki that is served."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from tests.faults.served import client_of, healthy, in_thread, opened, outcome, title_of
from tests.faults.slow import AskingPlugin, connection_id, kill, running
from tests.ports import PATIENCE
from tests.servers import Server
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.testing import ApiClient

# A socket that could not be connected is left to the garbage collector by PyMySQL.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture
def client(served: Site) -> ApiClient:
    return client_of(served)


def test_a_restart_is_not_noticed(server: Server, client: ApiClient) -> None:
    assert title_of(client) == "ok"
    server.stop()
    server.start()
    assert title_of(client) == "ok"


def test_while_it_is_away_clients_get_errors_and_then_answers(
    server: Server, client: ApiClient
) -> None:
    assert title_of(client) == "ok"
    server.stop()
    try:
        assert title_of(client) == "DBConnectionError"
        assert outcome(client, action="parse", page="World") == "DBConnectionError"
        assert outcome(client, action="checktoken", type="csrf", token="x") == "ok"
        assert not healthy(client)
    finally:
        server.start()
    assert title_of(client) == "ok"
    assert outcome(client, action="parse", page="World") == "ok"
    assert healthy(client)


def test_a_wiki_is_not_served_from_a_server_that_is_away_at_the_start(
    server: Server, url: str
) -> None:
    server.stop()
    try:
        with pytest.raises(Exception, match="cannot be reached"):
            Database(url)
    finally:
        server.start()


LOCK = {
    "mysql": "SELECT GET_LOCK('test', 60)",
    "postgres": "SELECT pg_advisory_lock(1)",
}
UNLOCK = {
    "mysql": "SELECT RELEASE_LOCK('test')",
    "postgres": "SELECT pg_advisory_unlock(1)",
}
ASK = {"action": "query", "list": "asking"}


def wait_for_lock(db: Database) -> None:
    """Read, waiting for the test to release the lock."""
    db.execute_sql(LOCK[db.dialect.name], reading=True)


@contextmanager
def asking(url: str, work: Callable[[Database], object]) -> Iterator[ApiClient]:
    """Yield a client of a wiki with ``list=asking``."""
    with opened(url, [AskingPlugin(work)]) as site:
        yield client_of(site)
    gc.collect()


class Waiting:
    """A request that waits for a lock in the midst of a statement."""

    def __init__(self, client: ApiClient) -> None:
        self.outcome = ""
        self._client = client
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def _ask(self) -> None:
        self.outcome = outcome(self._client, **ASK)

    def begin(self, db: Database, but: int = 0) -> int:
        """Wait until its statement is run, by another connection than ``but``; its number."""
        if not self._thread.is_alive():
            self._thread.start()
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            waiting = [number for number, sql in running(db) if sql == LOCK[db.dialect.name]]
            if waiting and waiting != [but]:
                return waiting[0]
        raise TimeoutError(running(db))

    def end(self) -> str:
        self._thread.join()
        return self.outcome


class TestLost:
    """The connection is lost while a request is being answered."""

    def test_a_restart_between_two_statements_is_not_noticed(self, url: str) -> None:
        def lose(db: Database) -> None:
            number = connection_id(db)
            with closing(Database(url)) as other:
                kill(other, number)
            assert connection_id(db) != number

        with asking(url, lose) as client:
            assert outcome(client, **ASK) == "ok"
            assert title_of(client) == "ok"

    def test_in_the_midst_of_a_statement_it_is_put_once_more(self, url: str) -> None:
        with asking(url, wait_for_lock) as client, closing(Database(url, pool_size=1)) as other:
            other.execute_sql(LOCK[other.dialect.name])
            request = Waiting(client)
            kill(other, first := request.begin(other))
            request.begin(other, but=first)
            other.execute_sql(UNLOCK[other.dialect.name])
            assert request.end() == "ok"
            assert title_of(client) == "ok"

    def test_again_and_again_the_client_gets_an_error(self, url: str) -> None:
        with asking(url, wait_for_lock) as client, closing(Database(url, pool_size=1)) as other:
            other.execute_sql(LOCK[other.dialect.name])
            request = Waiting(client)
            kill(other, first := request.begin(other))
            kill(other, request.begin(other, but=first))
            assert request.end() == "DBConnectionError"
            other.execute_sql(UNLOCK[other.dialect.name])
            assert title_of(client) == "ok"

    def test_the_server_ends_in_the_midst_of_a_statement(self, server: Server, url: str) -> None:
        with asking(url, wait_for_lock) as client, closing(Database(url, pool_size=1)) as other:
            other.execute_sql(LOCK[other.dialect.name])
            request = Waiting(client)
            request.begin(other)
            server.stop(at_once=True)
            assert request.end() == "DBConnectionError"
            server.start()
            assert title_of(client) == "ok"


TABLE_LOCK = {
    "mysql": ("LOCK TABLES page WRITE", "UNLOCK TABLES"),
    "postgres": ("LOCK TABLE page IN ACCESS EXCLUSIVE MODE", "SELECT 1"),
}


class TestLocked:
    """Someone has locked a table, as a change of its layout does."""

    def test_requests_wait_no_longer_than_they_may(self, url: str) -> None:
        with (
            opened(url, database={"query_deadline": 0.3}) as site,
            closing(Database(url, pool_size=1)) as other,
        ):
            client = client_of(site)
            assert title_of(client) == "ok"
            lock, unlock = TABLE_LOCK[other.dialect.name]
            with other.atomic():
                other.execute_sql(lock)
                assert title_of(client) == "DBQueryTimeoutError"
                assert in_thread(lambda: title_of(client)) == "DBQueryTimeoutError"
                assert outcome(client, action="checktoken", type="csrf", token="x") == "ok"
                other.execute_sql(unlock)
            assert title_of(client) == "ok"


class TestCorrupted:
    """A table is not what it was: it cannot be read, or does not hold what others refer to."""

    RENAMED = "ALTER TABLE {} RENAME TO {}"

    def test_what_is_damaged_is_an_error_and_the_rest_is_answered(self, url: str) -> None:
        with closing(Database(url)) as other, opened(url) as site:
            client = client_of(site)
            text = "`text`" if other.dialect.name == "mysql" else '"text"'
            other.execute_sql(self.RENAMED.format(text, "away"))
            try:
                assert outcome(client, action="parse", page="World") == "DBQueryError"
                assert title_of(client) == "ok"
            finally:
                other.execute_sql(self.RENAMED.format("away", text))
            assert outcome(client, action="parse", page="World") == "ok"

    def test_a_text_that_is_lost_is_no_empty_page(self, url: str) -> None:
        address = "UPDATE content SET content_address = {}"
        with closing(Database(url)) as other, opened(url) as site:
            client = client_of(site)
            other.execute_sql(address.format("'tt:4000000000'"))
            try:
                assert outcome(client, action="parse", page="World") not in ("ok", "missing")
                assert title_of(client) == "ok"
            finally:
                other.execute_sql(address.format("'tt:1'"))
            assert outcome(client, action="parse", page="World") == "ok"
