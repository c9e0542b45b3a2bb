"""Full-text search in both kinds of index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikiapi.errors import StoreError
from wikiapi.store.search import Column, Search, Term, count, page_ids

if TYPE_CHECKING:
    from wikiapi.store.database import Database

NAMESPACES = (0, 6, 10, 14)


@pytest.fixture(params=["fts5", "fts3"])
def index(request: pytest.FixtureRequest, wiki: Database) -> Database:
    """The little wiki with our index, and with a table such as MediaWiki makes."""
    if request.param == "fts3":
        wiki.raw("DROP TABLE searchindex")
        wiki.raw("CREATE VIRTUAL TABLE searchindex USING FTS3(si_title, si_text)")
        wiki.raw(
            "INSERT INTO searchindex (docid, si_title, si_text)"
            " SELECT page_id, si_title, si_text FROM searchsource"
        )
    return wiki


def find(db: Database, *words: str, unwanted: tuple[str, ...] = ()) -> list[int]:
    terms, others = [Term(word) for word in words], [Term(word) for word in unwanted]
    search = Search(Column.TEXT, terms, others, NAMESPACES)
    found = page_ids(db, search, 10)
    assert count(db, search) == len(found)
    return found


def test_words_and_phrases(index: Database) -> None:
    assert find(index, "SKY") == [2]
    assert find(index, "sky", "sun") == [2]
    assert find(index, "the sky") == [2]
    assert find(index, "sky the") == []
    assert find(index, "a") == [2, 6]
    assert find(index, "a", unwanted=("sky",)) == [6]


def test_beginnings_of_words(index: Database) -> None:
    assert page_ids(index, Search(Column.TEXT, [Term("pict", prefix=True)], (), (6,)), 5) == [6]
    assert page_ids(index, Search(Column.TEXT, [Term("pict")], (), (6,)), 5) == []


def test_titles_and_namespaces(index: Database) -> None:
    assert page_ids(index, Search(Column.TITLE, [Term("alpha")]), 5) == [1]
    assert page_ids(index, Search(Column.TITLE, [Term("letters")]), 5) == []
    assert page_ids(index, Search(Column.TITLE, [Term("letters")], (), (14,)), 5) == [5]
    assert page_ids(index, Search(Column.TITLE, [Term("alpha")], (), ()), 5) == []


def test_pages_of_results(index: Database) -> None:
    search = Search(Column.TEXT, [Term("a")], (), NAMESPACES)
    assert page_ids(index, search, 1) == [2]
    assert page_ids(index, search, 1, 1) == [6]
    assert count(index, search) == 2


@pytest.mark.parametrize(
    "text",
    [
        '"',
        '""',
        "a AND",
        "NEAR(",
        "sky NEAR/2 the",
        "*",
        "si_title:alpha",
        "-sky",
        "sky OR picture",
        "^sky",
        "{sky}",
        "(",
        "%" * 60_000,
        "\0",
        "x\0y",
        "'; DROP TABLE page; --",
        "+",
        ":",
    ],
)
def test_nothing_within_a_term_is_an_operator(index: Database, text: str) -> None:
    assert find(index, text) in ([], [2])
    assert set(find(index, "a", text)) <= {2, 6}
    assert find(index, "picture", unwanted=(text,)) == [6]


def test_operators_are_words(index: Database) -> None:
    assert find(index, "sky OR picture") == []
    assert find(index, "si_title:alpha") == []


def test_no_words_find_nothing(index: Database) -> None:
    assert find(index) == find(index, "", "!") == []


def test_a_database_without_an_index(wiki: Database) -> None:
    wiki.raw("DROP TABLE searchindex")
    with pytest.raises(StoreError, match="no full-text index"):
        find(wiki, "sky")
