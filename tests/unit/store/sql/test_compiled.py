from __future__ import annotations

from typing import Any

import pytest
from peewee import fn

from wikiapi.store import Database
from wikiapi.store.models import Page, PageLinks
from wikiapi.store.sql import compiled
from wikiapi.store.sql.batches import fetch_in, fetch_keys
from wikiapi.store.sql.compiled import ByKeys, ByValues, CompiledQuery

_PAGES = Page.select(Page.page_id, Page.page_title).order_by(Page.page_id)
_BY_ID = ByValues(_PAGES, Page.page_id)
_KEY = (Page.page_namespace, Page.page_title)
_BY_KEY = ByKeys(_PAGES, *_KEY)


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the queries that are compiled from now on."""
    queries: list[Any] = []
    compile_query = compiled.compile_query

    def recorded(context: Any, query: Any) -> Any:
        queries.append(query)
        return compile_query(context, query)

    monkeypatch.setattr(compiled, "compile_query", recorded)
    return queries


@pytest.mark.parametrize("ids", [[], [1], [3, 1], [1, 2, 3], list(range(600))])
def test_rows_by_value_are_those_of_a_query_that_is_built(wiki: Database, ids: list[int]) -> None:
    expected = list(fetch_in(wiki, _PAGES, Page.page_id, ids))
    assert list(_BY_ID.rows(wiki, ids)) == expected
    assert bool(expected) == bool(ids)


@pytest.mark.parametrize("others", [[], [(0, "None")], [(14, "None"), (0, "None"), (10, "None")]])
def test_rows_by_key_are_those_of_a_query_that_is_built(
    wiki: Database, others: list[tuple[int, str]]
) -> None:
    keys = [*others, *wiki.execute(Page.select(*_KEY).order_by(Page.page_id).limit(3))]
    expected = list(fetch_keys(wiki, _PAGES, *_KEY, keys))
    assert list(_BY_KEY.rows(wiki, keys)) == expected
    assert len(expected) == 3


def test_lists_of_similar_lengths_share_a_statement(
    wiki: Database, compilations: list[Any]
) -> None:
    query = ByValues(_PAGES, Page.page_id)
    for length in (5, 6, 7, 8, 5):
        list(query.rows(wiki, range(length)))
    assert len(compilations) == 1


def test_the_order_of_values_is_that_of_the_function(wiki: Database) -> None:
    """The SQL has them in another order, and constants between them."""
    query = CompiledQuery(
        lambda greatest, ids, namespace: (
            Page.select(Page.page_id)
            .where(Page.page_namespace == namespace, Page.page_is_redirect == 0)
            .where(Page.page_id.in_(ids), Page.page_id < greatest)
            .order_by(Page.page_id)
        )
    )
    built = (
        Page.select(Page.page_id)
        .where(Page.page_namespace == 0, Page.page_is_redirect == 0)
        .where(Page.page_id.in_([1, 2, 3, 4]), Page.page_id < 4)
        .order_by(Page.page_id)
    )
    expected = wiki.execute(built)
    assert wiki.execute(query(4, [1, 2, 3, 4], 0)) == expected
    assert expected


def test_a_value_can_occur_several_times_and_in_subqueries(wiki: Database) -> None:
    def of(number: Any) -> Any:
        linked = PageLinks.select(fn.COUNT(PageLinks.pl_from)).where(PageLinks.pl_from == number)
        return Page.select(Page.page_id, linked).where(Page.page_id == number)

    number = wiki.scalar(PageLinks.select(PageLinks.pl_from).limit(1))
    assert wiki.row(CompiledQuery(of)(number)) == wiki.row(of(number))


def test_updates_and_deletions_are_compiled_too(wiki: Database) -> None:
    touch = CompiledQuery(
        lambda moment, number: Page.update(page_touched=moment).where(Page.page_id == number)
    )
    assert wiki.execute_write(touch("20200101000000", 1)) == 1
    assert wiki.scalar(Page.select(Page.page_touched).where(Page.page_id == 1)) == "20200101000000"
    delete = CompiledQuery(lambda number: Page.delete().where(Page.page_id == number))
    assert wiki.execute_write(delete(1)) == 1
    assert wiki.execute_write(delete(1)) == 0


def test_none_is_refused() -> None:
    """``= NULL`` is never true, whereas Peewee writes ``IS NULL``."""
    with pytest.raises(TypeError):
        _BY_ID([1, None])
