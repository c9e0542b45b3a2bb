"""Values that expire, on each kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import timedelta

import pytest

from tests.servers import SERVER_PARAMS, running_or_skipped
from wikiapi.accounts.objectcache import Entries, Entry
from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.testing import NOW, Clock

HOUR = timedelta(hours=1)


@pytest.fixture(params=["sqlite", *SERVER_PARAMS], scope="module")
def store(request: pytest.FixtureRequest) -> Iterator[Database]:
    with ExitStack() as stack:
        url = "sqlite:///:memory:"
        if request.param != "sqlite":
            url = stack.enter_context(running_or_skipped(request.param)).create("entries")
        db = stack.enter_context(closing(Database(url)))
        migrate.upgrade(db)
        yield db


@pytest.fixture
def site(store: Database, clock: Clock) -> Site:
    return open_site(parse_config({"site": {"writable": True}}), database=store, clock=clock)


@pytest.fixture
def entries(request: pytest.FixtureRequest) -> Entries:
    """Return the entries of a kind of their own for each test."""
    return Entries(str(request.function.__name__))


def test_an_entry_lasts_until_it_expires(site: Site, clock: Clock, entries: Entries) -> None:
    entries.put(site, "é\\x41", "tëxt\\n", NOW + HOUR)
    assert entries.get(site, "é\\x41") == Entry("tëxt\\n", NOW + HOUR)
    assert Entries("other").get(site, "é\\x41") is None
    clock.advance(minutes=60)
    assert entries.get(site, "é\\x41") is None


def test_a_new_entry_replaces_that_of_its_name(site: Site, entries: Entries) -> None:
    entries.put(site, "a", "1", NOW + HOUR)
    entries.put(site, "b", "2", NOW + HOUR)
    entries.put(site, "a", "3", NOW + 2 * HOUR)
    assert entries.get(site, "a") == Entry("3", NOW + 2 * HOUR)
    assert entries.get(site, "b") == Entry("2", NOW + HOUR)


def test_an_entry_is_deleted(site: Site, entries: Entries) -> None:
    entries.put(site, "a", "1", NOW + HOUR)
    entries.delete(site, "a")
    entries.delete(site, "a")
    assert entries.get(site, "a") is None


def test_an_entry_that_has_expired_can_be_popped(
    site: Site, clock: Clock, entries: Entries
) -> None:
    entries.put(site, "a", "1", NOW + HOUR)
    clock.advance(days=1)
    assert entries.pop(site, "a") == "1"
    assert entries.pop(site, "a") is None


def test_only_expired_entries_of_the_kind_are_removed(
    site: Site, clock: Clock, entries: Entries
) -> None:
    other = Entries(f"other-{entries.kind}")
    entries.put(site, "ends", "1", NOW + HOUR)
    entries.put(site, "stays", "2", NOW + 2 * HOUR)
    other.put(site, "ends", "3", NOW + HOUR)
    clock.advance(minutes=60)
    entries.delete_expired(site)
    assert entries.pop(site, "ends") is None
    assert entries.pop(site, "stays") == "2"
    assert other.pop(site, "ends") == "3"


def test_entries_are_deleted_by_the_beginning_of_their_value(site: Site, entries: Entries) -> None:
    for name, value in (("a", '{"user": 1, "x'), ("b", '{"user": 11, "x')):
        entries.put(site, name, value, NOW + HOUR)
    entries.delete_by_value(site, '{"user": 1,')
    assert entries.get(site, "a") is None
    assert entries.get(site, "b") is not None


def test_those_that_expire_last_are_kept(site: Site, entries: Entries) -> None:
    for number in (3, 1, 2, 4):
        entries.put(site, str(number), "x", NOW + number * HOUR)
    entries.keep_latest(site, 2)
    assert [name for name in "1234" if entries.get(site, name)] == ["3", "4"]
    entries.keep_latest(site, 2)
    assert entries.get(site, "3") is not None


def test_a_long_name_is_cut(site: Site, entries: Entries) -> None:
    entries.put(site, "x" * 300, "1", NOW + HOUR)
    assert entries.get(site, "x" * 300) == Entry("1", NOW + HOUR)
