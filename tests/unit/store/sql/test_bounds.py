"""Where walks start and stop, tried on rows of a database."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from peewee import CharField, IntegerField, Model, SqliteDatabase

from wikiapi.store.sql.bounds import (
    before,
    between,
    following,
    ordered,
    starting_at,
    unindexed,
    with_first,
    with_prefix,
)

PLACES = list(product((1, 2, 3), ("a", "b"), (1, 2)))
"""Values of three columns, in ascending order."""


class Place(Model):
    number = IntegerField()
    name = CharField()
    place = IntegerField()


COLUMNS = [Place.number, Place.name, Place.place]


@pytest.fixture(scope="module", autouse=True)
def rows() -> Iterator[None]:
    db = SqliteDatabase(":memory:")
    with db.bind_ctx([Place]):
        db.create_tables([Place])
        Place.insert_many(PLACES, fields=COLUMNS).execute()
        yield
    db.close()


def places(*conditions: object, descending: bool = False) -> list[tuple[int, str, int]]:
    query = Place.select(*COLUMNS).where(Place.id > 0, *conditions).tuples()
    return list(ordered(query, *COLUMNS, descending=descending))


@pytest.mark.parametrize("position", range(len(PLACES)))
@pytest.mark.parametrize("descending", [False, True])
def test_a_walk_starts_at_a_row(position: int, *, descending: bool) -> None:
    walk = PLACES[::-1] if descending else PLACES
    start = starting_at(COLUMNS, walk[position], descending=descending)
    assert places(start, descending=descending) == walk[position:]


@pytest.mark.parametrize(
    ("values", "descending", "first"),
    [
        ((2, "aa", 9), False, (2, "b", 1)),
        ((2, "aa", 9), True, (2, "a", 2)),
        ((2, "b", 9), False, (3, "a", 1)),
        ((2, "a", 0), True, (1, "b", 2)),
    ],
)
def test_a_walk_starts_where_a_row_was(
    values: tuple[int, str, int], first: tuple[int, str, int], *, descending: bool
) -> None:
    start = starting_at(COLUMNS, values, descending=descending)
    assert places(start, descending=descending)[0] == first


@pytest.mark.parametrize("position", range(len(PLACES)))
@pytest.mark.parametrize("descending", [False, True])
def test_a_walk_stops_before_a_row(position: int, *, descending: bool) -> None:
    walk = PLACES[::-1] if descending else PLACES
    stop = before(COLUMNS, walk[position], descending=descending)
    assert places(stop, descending=descending) == walk[:position]


def test_walks_go_up_by_themselves() -> None:
    assert places(before(COLUMNS, PLACES[4])) == PLACES[:4]
    query = ordered(Place.select(*COLUMNS).where(starting_at(COLUMNS, PLACES[4])), *COLUMNS)
    assert list(query.tuples()) == PLACES[4:]
    assert {row[0] for row in places(*between(Place.number, 2, None))} == {2, 3}


@pytest.mark.parametrize("descending", [False, True])
def test_the_first_column_bounds_the_search(*, descending: bool) -> None:
    query = Place.select().where(starting_at(COLUMNS, PLACES[0], descending=descending))
    sql, _ = query.sql()
    assert f'WHERE (("t1"."number" {"<=" if descending else ">="} ?) AND (' in sql


@pytest.mark.parametrize(
    ("start", "end", "descending", "numbers"),
    [
        (None, None, False, {1, 2, 3}),
        (2, None, False, {2, 3}),
        (None, 2, False, {1, 2}),
        (2, 2, False, {2}),
        (1, 2, False, {1, 2}),
        (2, 1, False, set()),
        (2, None, True, {1, 2}),
        (None, 2, True, {2, 3}),
        (2, 1, True, {1, 2}),
        (1, 2, True, set()),
    ],
)
def test_a_range(
    start: int | None, end: int | None, *, descending: bool, numbers: set[int]
) -> None:
    conditions = between(Place.number, start, end, descending=descending)
    assert {row[0] for row in places(*conditions)} == numbers


def test_without_bounds_there_is_no_condition() -> None:
    assert between(Place.number, None, None) == []
    assert with_prefix(Place.name, "") == []


@pytest.mark.parametrize("prefix", ["a", "Az", "\x00", "é", "\U0010ffff", "a\U0010ffff"])
def test_a_prefix(prefix: str) -> None:
    names = {"", "a", "A", "Az", "A{", "b", "\x00", "\x01", "é", "\U0010ffff", "\U0010fffe"}
    names |= {prefix, prefix + "a", prefix + "\U0010ffff" * 3, prefix[:-1], "a\U0010ffffb"}
    Place.insert_many([(9, name, 0) for name in names], fields=COLUMNS).execute()
    got = {name for _, name, _ in places(Place.number == 9, *with_prefix(Place.name, prefix))}
    Place.delete().where(Place.number == 9).execute()
    assert got == {name for name in names if name.startswith(prefix)}


@pytest.mark.parametrize(
    ("prefix", "next_text"),
    [("a", "b"), ("Az", "A{"), ("\ud7ff", "\ue000"), ("\ue000", "\ue001"),
     ("a\U0010ffff", "b"), ("a\U0010fffe", "a\U0010ffff"), ("\U0010ffff" * 2, None)],
)  # fmt: skip
def test_the_end_of_a_prefix(prefix: str, next_text: str | None) -> None:
    assert following(prefix) == next_text


def test_no_index_serves_the_value_of_a_column() -> None:
    assert {row[0] for row in places(unindexed(Place.number) == 2)} == {2}
    sql, _ = Place.select(unindexed(Place.number)).sql()
    assert "COALESCE" in sql


def test_a_condition_in_front_of_others() -> None:
    query = Place.select().where(Place.number > 0)
    first = with_first(Place.number > 2, query)
    statement, values = first.sql()
    assert statement.partition("WHERE")[2].count(">") == 2
    assert values == [2, 0]
    assert query.sql()[1] == [0], "the query itself has not changed"
    assert with_first(Place.number > 2, Place.select()).sql()[1] == [2]
