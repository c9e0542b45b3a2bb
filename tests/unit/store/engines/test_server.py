"""What only a store on a server does: it goes away, comes back, and has copies."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from urllib.parse import urlsplit

import pytest

from tests.servers import SERVER_PARAMS, Server, running_or_skipped
from tests.unit.store.wiki import LINKS, PAGES, REVISIONS, fill
from wikiapi.errors import StoreReadOnly, StoreTimeout, StoreUnavailable
from wikiapi.store import running
from wikiapi.store.database import Database
from wikiapi.store.engines import server as engine_server
from wikiapi.store.models import SiteStats, UpdateLog
from wikiapi.store.queries import texts
from wikiapi.store.schema import migrate
from wikiapi.store.write import bulk
from wikiapi.store.write.links import LinkWriter
from wikiapi.store.write.revisions import RevisionWriter, put_pages

SLEEP = {"mysql": "SELECT SLEEP({})", "postgres": "SELECT pg_sleep({})"}
VALUE = SiteStats.select(SiteStats.ss_images)

# A socket that could not be connected is left to the garbage collector by PyMySQL.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

on_servers = pytest.mark.parametrize("db", SERVER_PARAMS, indirect=True)


@pytest.fixture(params=SERVER_PARAMS, scope="module")
def mortal(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Yield a server that tests may stop; it is for this module alone."""
    with running_or_skipped(request.param) as server:
        yield server


@pytest.fixture(autouse=True)
def sockets() -> Iterator[None]:
    """Collect what PyMySQL leaves behind where a server does not answer, in the test it is from."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def stores(mortal: Server) -> list[str]:
    return [new_store(mortal, f"copy_{number}") for number in range(3)]


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return "".join(c if c.isalnum() else "_" for c in request.node.name)[:50].lower()


def new_store(server: Server, name: str, images: int = 0) -> str:
    """Return the URL of a store with a number of images."""
    url = server.create(name)
    with closing(Database(url)) as db:
        migrate.upgrade(db)
        db.execute_write(SiteStats.update(ss_images=images))
    return url


def in_threads(count: int, action: Callable[[], None]) -> None:
    threads = [threading.Thread(target=action) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@on_servers
def test_loading_and_writing_again(db: Database) -> None:
    with bulk.loading(db):
        fill(db)
    put_pages(db, PAGES)
    LinkWriter(db).replace(LINKS)
    assert RevisionWriter(db).add(REVISIONS) == 0
    assert texts.current(db, [(0, "Béta")])[0, "Béta"].text == "A [[File:Sun.png]] in the sky"


@on_servers
def test_reading_only(db: Database, store_of: Callable[[str], str]) -> None:
    kind = "mariadb" if db.dialect.name == "mysql" else "postgresql"
    with closing(Database(store_of(kind), read_only=True)) as reader:
        with pytest.raises(StoreReadOnly):
            reader.execute_sql("DELETE FROM page")
        with pytest.raises(StoreReadOnly):
            reader.execute_write(UpdateLog.delete())
        assert reader.scalar(VALUE) == 0


@on_servers
def test_threads_share_few_connections(db: Database) -> None:
    in_threads(20, lambda: [db.execute(VALUE) for _ in range(10)] and None)
    assert db.open_connections() <= 10


@on_servers
def test_one_transaction_writes_at_a_time(db: Database, store_of: Callable[[str], str]) -> None:
    """Neither another process nor another thread may count on from the same greatest id."""
    kind = "mariadb" if db.dialect.name == "mysql" else "postgresql"
    kept_waiting: list[type[BaseException]] = []

    def write(store: Database) -> None:
        try:
            with store.deadline(0.3), store.atomic():
                pass
        except (StoreTimeout, StoreUnavailable) as error:
            kept_waiting.append(type(error))

    with closing(Database(store_of(kind))) as other:
        for store in (db, other):
            with db.atomic():
                in_threads(1, partial(write, store))
            assert len(kept_waiting) == 1
            kept_waiting.clear()
            write(store)
            assert kept_waiting == []


@on_servers
def test_a_transaction_that_fails_lets_others_write(
    db: Database, store_of: Callable[[str], str]
) -> None:
    kind = "mariadb" if db.dialect.name == "mysql" else "postgresql"
    with pytest.raises(KeyError), db.atomic():
        raise KeyError
    with closing(Database(store_of(kind))) as other:
        for store in (db, other):
            with store.deadline(10), store.atomic():
                assert store.scalar(VALUE) == 0


@on_servers
def test_a_limit_is_sent_to_the_server_once_for_many_requests(db: Database) -> None:
    show = {
        "mysql": "SELECT @@max_statement_time * 1000",
        "postgres": "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'",
    }[db.dialect.name]
    limits = set()
    for _ in range(20):
        with db.deadline(20):
            limits.add(int(db.execute_sql(show)[0][0]))
    [limit] = limits
    assert 17_500 <= limit <= 20_000
    assert int(db.execute_sql(show)[0][0]) == 0


def test_an_exhausted_pool_raises_an_error(mortal: Server, name: str) -> None:
    with closing(Database(mortal.create(name), pool_size=1)) as db:
        caught: list[str] = []

        def ask() -> None:
            with db.deadline(0.05):
                try:
                    db.execute_sql("SELECT 1")
                except StoreUnavailable as error:
                    caught.append(str(error))

        with db.atomic():
            in_threads(1, ask)
        assert caught == ["all 1 connections to the database are in use"]
        in_threads(1, ask)
        assert len(caught) == 1


def test_a_server_that_was_started_again_is_used_again(mortal: Server, name: str) -> None:
    with closing(Database(new_store(mortal, name, images=7), pool_size=4)) as db:
        assert db.scalar(VALUE) == 7
        mortal.stop()
        with pytest.raises(StoreUnavailable):
            db.scalar(VALUE)
        mortal.start()
        assert db.scalar(VALUE) == 7
        # At once, while the pool still trusts its connection.
        mortal.stop()
        mortal.start()
        assert db.scalar(VALUE) == 7


def test_a_connection_that_rested_is_checked_before_it_writes(
    mortal: Server, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_server, "TRUSTED_FOR", 0.0)
    with closing(Database(new_store(mortal, name))) as db:
        mortal.stop()
        mortal.start()
        db.execute_write(SiteStats.update(ss_images=9))
        assert db.scalar(VALUE) == 9


def test_a_write_is_never_repeated(
    mortal: Server, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_server, "TRUSTED_FOR", 60.0)
    with closing(Database(new_store(mortal, name))) as db:
        mortal.stop()
        mortal.start()
        with pytest.raises(StoreUnavailable):
            db.execute_write(SiteStats.update(ss_images=SiteStats.ss_images + 1))
        db.execute_write(SiteStats.update(ss_images=SiteStats.ss_images + 1))
        assert db.scalar(VALUE) == 1


def test_a_transaction_that_loses_its_server_ends(mortal: Server, name: str) -> None:
    with closing(Database(new_store(mortal, name, images=1))) as db:

        def work() -> None:
            with db.atomic():
                db.execute_write(SiteStats.update(ss_images=2))
                mortal.stop()
                db.scalar(VALUE)

        with pytest.raises(StoreUnavailable):
            work()
        mortal.start()
        assert db.scalar(VALUE) == 1
        with db.atomic():
            db.execute_write(SiteStats.update(ss_images=3))
        assert db.scalar(VALUE) == 3


def test_a_statement_of_a_request_is_given_up(mortal: Server, name: str) -> None:
    with closing(Database(mortal.create(name))) as db:
        start = time.monotonic()
        with db.deadline(0.2), pytest.raises(StoreTimeout):
            db.execute_sql(SLEEP[db.dialect.name].format(60))
        assert time.monotonic() - start < 30
        assert db.execute_sql("SELECT 1") == [(1,)]


class TestReplicas:
    @pytest.fixture
    def urls(self, stores: list[str]) -> list[str]:
        for number, url in enumerate(stores):
            with closing(Database(url)) as db:
                db.execute_write(SiteStats.update(ss_images=number))
        return stores

    def test_reads_go_round_the_copies(self, urls: list[str]) -> None:
        with closing(Database(urls[0], replicas=urls[1:])) as db:
            assert [db.scalar(VALUE) for _ in range(4)] == [1, 2, 1, 2]
            assert [
                row for (row,) in db.execute_sql("SELECT ss_images FROM site_stats", reading=True)
            ] == [1]

    def test_writes_and_transactions_go_to_the_primary(self, urls: list[str]) -> None:
        with closing(Database(urls[0], replicas=urls[1:])) as db:
            with db.atomic():
                assert db.scalar(VALUE) == 0
            db.execute_write(SiteStats.update(ss_images=5))
            with db.atomic():
                assert db.scalar(VALUE) == 5
            assert db.execute_sql("SELECT ss_images FROM site_stats") == [(5,)]
            assert db.scalar(VALUE) == 1

    def test_a_copy_that_fails_rests(
        self, urls: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gone = urls[1].replace(urlsplit(urls[1]).path, "/no_such_database")
        with closing(Database(urls[0], replicas=[gone, urls[2]])) as db:
            assert [db.scalar(VALUE) for _ in range(4)] == [2, 2, 2, 2]
            with db.recording() as log:
                db.scalar(VALUE)
            assert len(log) == 1
            assert [replica.suspended_until > 0 for replica in db._replicas] == [True, False]
        monkeypatch.setattr(running, "SUSPENSION", 0.0)
        with closing(Database(urls[0], replicas=[gone])) as db:
            assert [db.scalar(VALUE) for _ in range(2)] == [0, 0]

    def test_an_error_in_a_statement_is_no_failure(self, urls: list[str]) -> None:
        with closing(Database(urls[0], replicas=urls[1:])) as db:
            with pytest.raises(Exception, match="no_table"):
                db.execute_sql("SELECT 1 FROM no_table", reading=True)
            assert db.scalar(VALUE) == 2

    def test_copies_are_of_the_same_kind(self, urls: list[str]) -> None:
        with pytest.raises(StoreUnavailable, match="another engine"):
            Database(urls[0], replicas=["sqlite:///:memory:"])
