"""Each query function asks once, whatever it is asked for, and finds its rows by an index."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.store.kinds import only_sqlite
from wikiapi.store.database import Database
from wikiapi.store.queries import (
    categories,
    files,
    interwiki,
    links,
    logs,
    pages,
    protection,
    redirects,
    revisions,
    sitestats,
    slots,
    tags,
    texts,
    users,
)
from wikiapi.testing.conformance.queries import steps_of

IDS = range(1, 401)
KEYS = [(namespace, f"T{i}") for namespace in (0, 6, 10) for i in range(100)] + [(0, "Alpha")]
NAMES = [f"T{i}" for i in range(300)]

# A function, and how many statements it takes for hundreds of things.
FUNCTIONS: dict[str, tuple[Callable[[Database], object], int]] = {
    "pages.by_titles": (lambda db: pages.by_titles(db, KEYS), 1),
    "pages.by_ids": (lambda db: pages.by_ids(db, IDS), 1),
    "pages.by_revision_ids": (lambda db: pages.by_revision_ids(db, IDS), 1),
    "pages.archived_revision_ids": (lambda db: pages.archived_revision_ids(db, IDS), 1),
    "pages.existing": (lambda db: pages.existing(db, KEYS), 1),
    "redirects.targets": (lambda db: redirects.targets(db, IDS), 1),
    "pages.page_props": (lambda db: pages.page_props(db, IDS), 1),
    "protection.of_pages": (lambda db: protection.of_pages(db, IDS), 1),
    "protection.of_titles": (lambda db: protection.of_titles(db, KEYS), 1),
    "protection.cascade_sources": (lambda db: protection.cascade_sources(db, KEYS), 2),
    "revisions.by_ids": (lambda db: revisions.by_ids(db, IDS), 1),
    "revisions.latest_of_pages": (lambda db: revisions.latest_of_pages(db, IDS), 1),
    "revisions.parent_lengths": (lambda db: revisions.parent_lengths(db, IDS), 2),
    "slots.of_revisions": (lambda db: slots.of_revisions(db, IDS), 1),
    "texts.by_addresses": (lambda db: texts.by_addresses(db, [f"tt:{i}" for i in range(1, 8)]), 1),
    "texts.of_revisions": (lambda db: texts.of_revisions(db, IDS), 1),
    "texts.current": (lambda db: texts.current(db, KEYS), 1),
    "texts.current_ids": (lambda db: texts.current_ids(db, KEYS), 1),
    "links.transcluded": (lambda db: links.transcluded(db, KEYS[0]), 1),
    "links.target_ids": (lambda db: links.target_ids(db, KEYS), 1),
    "categories.by_titles": (lambda db: categories.by_titles(db, NAMES), 1),
    "categories.hidden": (lambda db: categories.hidden(db, NAMES), 1),
    "files.by_names": (lambda db: files.by_names(db, NAMES), 1),
    "files.existing": (lambda db: files.existing(db, NAMES), 1),
    "files.history": (lambda db: files.history(db, NAMES), 1),
    "files.by_sha1": (lambda db: files.by_sha1(db, NAMES), 1),
    "users.by_names": (lambda db: users.by_names(db, NAMES), 1),
    "users.by_ids": (lambda db: users.by_ids(db, IDS), 1),
    "users.groups": (lambda db: users.groups(db, IDS), 1),
    "users.blocks": (lambda db: users.blocks(db, IDS), 1),
    "users.properties": (lambda db: users.properties(db, IDS, "gender"), 1),
    "tags.of_revisions": (lambda db: tags.of_revisions(db, IDS), 1),
    "tags.of_log_entries": (lambda db: tags.of_log_entries(db, IDS), 1),
    "tags.of_recent_changes": (lambda db: tags.of_recent_changes(db, IDS), 1),
    "logs.by_ids": (lambda db: logs.by_ids(db, IDS), 1),
}

# Tables of a few rows, read as a whole.
WHOLE: dict[str, Callable[[Database], object]] = {
    "interwiki.all_rows": interwiki.all_rows,
    "sitestats.statistics": sitestats.statistics,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_number_of_queries(wiki: Database, name: str) -> None:
    function, count = FUNCTIONS[name]
    with wiki.recording() as log:
        function(wiki)
    assert len(log) == count, [record.sql for record in log]


@only_sqlite
@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_table_is_read_from_end_to_end(wiki: Database, name: str) -> None:
    with wiki.recording() as log:
        FUNCTIONS[name][0](wiki)
    for record in log:
        plan = steps_of(wiki, record)
        assert not [step for step in plan if step.startswith("SCAN")], (plan, record.sql)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_of_the_store_is_named_in_the_log(wiki: Database, name: str) -> None:
    with wiki.recording() as log:
        FUNCTIONS[name][0](wiki)
    module = name.partition(".")[0]
    assert {record.function.rpartition(".")[0] for record in log} == {
        f"wikiapi.store.queries.{module}"
    }


def test_the_function_that_was_called_is_named(wiki: Database) -> None:
    with wiki.recording() as log:
        pages.by_titles(wiki, KEYS)
    assert [record.function for record in log] == ["wikiapi.store.queries.pages.by_titles"]


@pytest.mark.parametrize("name", WHOLE)
def test_small_tables_take_one_query(wiki: Database, name: str) -> None:
    with wiki.recording() as log:
        WHOLE[name](wiki)
    assert len(log) == 1


@pytest.mark.parametrize(
    "function",
    [pages.by_ids, redirects.targets, pages.page_props, revisions.by_ids, texts.of_revisions],
)
def test_nothing_requested_is_no_query(wiki: Database, function: Callable[..., object]) -> None:
    with wiki.recording() as log:
        assert function(wiki, []) == {}
    assert log == []


def test_more_than_a_batch_takes_two_queries(wiki: Database) -> None:
    with wiki.recording() as log:
        assert set(pages.by_ids(wiki, range(1, 600))) == {1, 2, 3, 4, 5, 6}
    assert len(log) == 2
