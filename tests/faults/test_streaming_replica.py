"""A streaming replica of PostgreSQL lags, ends and starts, while clients read and write."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import pytest

from bench import writing
from tests import waiting
from tests.faults.served import client_of, opened
from tests.servers import PostgreSql, running_or_skipped, streaming_replica
from wikiapi.site import Site
from wikiapi.testing import ApiClient

pytestmark = pytest.mark.slow

TITLE = "Shared 0"
MAX_LAG = 2.0
eventually = partial(waiting.eventually, seconds=15.0)


@pytest.fixture(scope="module")
def primary() -> Iterator[PostgreSql]:
    with running_or_skipped("postgresql") as server:
        assert isinstance(server, PostgreSql)
        yield server


@pytest.fixture(scope="module")
def replica(primary: PostgreSql, url: str) -> Iterator[PostgreSql]:
    with streaming_replica(primary) as replica:
        yield replica


@pytest.fixture(scope="module")
def url(primary: PostgreSql, tmp_path_factory: pytest.TempPathFactory) -> str:
    return writing.make_store(tmp_path_factory.mktemp("store"), primary)


@pytest.fixture
def site(url: str, replica: PostgreSql) -> Iterator[Site]:
    """The wiki, whose replica replays what it receives when the test begins and ends."""
    followed = replica.url(url.partition("?")[0].rpartition("/")[2])
    database = {"replicas": [followed], "max_lag": MAX_LAG}
    with opened(url, database=database, site={"writable": True}) as site:
        yield site
    replica.statement("SELECT pg_wal_replay_resume()")


@pytest.fixture
def writer(site: Site) -> ApiClient:
    client = client_of(site)
    client.login(writing.WRITER, writing.PASSWORD)
    return client


def save(client: ApiClient, text: str) -> None:
    assert client.write(action="edit", title=TITLE, text=text)["edit"]["result"] == "Success"


def text_seen_by(client: ApiClient) -> str:
    params = {"action": "query", "prop": "revisions", "titles": TITLE, "rvprop": "content"}
    (page,) = client.get({**params, "rvslots": "main"})["query"]["pages"]
    return str(page["revisions"][0]["slots"]["main"]["content"])


def test_who_has_written_reads_it_and_others_read_from_the_replica(
    site: Site, writer: ApiClient, replica: PostgreSql
) -> None:
    reader = client_of(site)
    save(writer, "first")
    assert eventually(lambda: text_seen_by(reader) == "first")
    replica.statement("SELECT pg_wal_replay_pause()")
    save(writer, "second")
    assert text_seen_by(reader) == "first"
    assert text_seen_by(writer) == "second"
    replica.statement("SELECT pg_wal_replay_resume()")
    assert eventually(lambda: text_seen_by(reader) == "second")


def test_the_replica_is_waited_for(site: Site, writer: ApiClient, replica: PostgreSql) -> None:
    save(writer, "waited for")
    assert text_seen_by(writer) == "waited for"
    assert not site.db._thread.is_ahead  # it was read from the replica


def test_a_forged_position_is_not_waited_for(site: Site) -> None:
    client = client_of(site)
    text_seen_by(client)
    client.set_cookie("cpPosIndex", f"{2**62}@{int(time.time())}#{'0' * 32}")
    text_seen_by(client)
    assert not site.db._thread.is_ahead


def test_a_replica_that_lags_is_left_out_and_maxlag_tells(
    site: Site, writer: ApiClient, replica: PostgreSql
) -> None:
    reader = client_of(site)
    save(writer, "before")
    assert eventually(lambda: text_seen_by(reader) == "before")
    assert reader.get(action="query", maxlag=0, meta="siteinfo", siprop="dbrepllag")["query"][
        "dbrepllag"
    ] == [{"host": "", "lag": 0}]
    replica.statement("SELECT pg_wal_replay_pause()")
    save(writer, "after")
    assert eventually(lambda: text_seen_by(reader) == "after")
    reply = reader.reply("GET", action="query", maxlag=1)
    assert reply.headers["mediawiki-api-error"] == "maxlag"
    assert int(reply.headers["x-database-lag"]) >= MAX_LAG
    replica.statement("SELECT pg_wal_replay_resume()")
    assert eventually(lambda: reader.reply("GET", action="query", maxlag=0).status == 200)
    assert eventually(lambda: site.db.lags() == [0.0])


def test_a_replica_that_ends_is_left_out(
    site: Site, writer: ApiClient, replica: PostgreSql
) -> None:
    reader = client_of(site)
    save(writer, "with it")
    replica.stop(at_once=True)
    try:
        save(writer, "without it")
        assert text_seen_by(writer) == "without it"
        assert text_seen_by(reader) == "without it"
        assert eventually(lambda: site.db.lags() == [None])
    finally:
        replica.start()
