"""Full-text search in both kinds of index."""

from __future__ import annotations

import time

import pytest
from peewee import fn

from tests.unit.store.wiki import page, revision
from wikiapi.errors import StoreError
from wikiapi.store.database import Database
from wikiapi.store.fulltext import index_of, new_index
from wikiapi.store.models import Page, Revision
from wikiapi.store.queries.search import Column, Ranked, Search, Term, count, page_ids, ranked
from wikiapi.store.write import search
from wikiapi.store.write.revisions import RevisionWriter, put_pages

NAMESPACES = (0, 6, 10, 14)


@pytest.fixture(params=["ours", "mediawiki"])
def index(request: pytest.FixtureRequest, wiki: Database) -> Database:
    """Return the small wiki with wikiapi's index, and on SQLite with a table like MediaWiki's."""
    if request.param == "mediawiki":
        if wiki.dialect.name != "sqlite":
            pytest.skip("MediaWiki's own index is read on SQLite only")
        wiki.execute_sql("DROP TABLE searchindex")
        wiki.execute_sql("CREATE VIRTUAL TABLE searchindex USING FTS3(si_title, si_text)")
        wiki.execute_sql(
            "INSERT INTO searchindex (docid, si_title, si_text)"
            " SELECT page_id, si_title, si_text FROM searchsource"
        )
    return wiki


def find(db: Database, *words: str, excluded: tuple[str, ...] = ()) -> list[int]:
    terms, others = [Term(word) for word in words], [Term(word) for word in excluded]
    query = Search(Column.TEXT, terms, others, NAMESPACES)
    ids = page_ids(db, query, 10)
    assert count(db, query) == len(ids)
    return ids


def test_pages_in_the_index_are_counted(wiki: Database) -> None:
    pages = int(wiki.scalar(Page.select(fn.COUNT(Page.page_id))))
    assert index_of(wiki).indexed() == pages
    search.remove(wiki, [1, 2])
    assert index_of(wiki).indexed() == pages - 2


def test_an_index_of_mediawiki_has_no_number_of_pages(index: Database) -> None:
    page_count = index_of(index).indexed()
    assert (page_count is None) == ("fts3" in index.full_text)


def test_words_and_phrases(index: Database) -> None:
    assert find(index, "SKY") == [2]
    assert find(index, "sky", "sun") == [2]
    assert find(index, "the sky") == [2]
    assert find(index, "sky the") == []
    assert find(index, "a") == [2, 6]
    assert find(index, "a", excluded=("sky",)) == [6]


def test_beginnings_of_words(index: Database) -> None:
    assert page_ids(index, Search(Column.TEXT, [Term("pict", prefix=True)], (), (6,)), 5) == [6]
    assert page_ids(index, Search(Column.TEXT, [Term("pict")], (), (6,)), 5) == []


def test_titles_and_namespaces(index: Database) -> None:
    assert page_ids(index, Search(Column.TITLE, [Term("alpha")]), 5) == [1]
    assert page_ids(index, Search(Column.TITLE, [Term("letters")]), 5) == []
    assert page_ids(index, Search(Column.TITLE, [Term("letters")], (), (14,)), 5) == [5]
    assert page_ids(index, Search(Column.TITLE, [Term("alpha")], (), ()), 5) == []


def test_pages_of_results(index: Database) -> None:
    query = Search(Column.TEXT, [Term("a")], (), NAMESPACES)
    assert page_ids(index, query, 1) == [2]
    assert page_ids(index, query, 1, 1) == [6]
    assert count(index, query) == 2


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
    assert find(index, "picture", excluded=(text,)) == [6]


def test_operators_are_words(index: Database) -> None:
    assert find(index, "sky OR picture") == []
    assert find(index, "si_title:alpha") == []


def test_no_words_find_nothing(index: Database) -> None:
    assert find(index) == find(index, "", "!") == []


def test_a_database_without_an_index(wiki: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    # It is determined once for each database that is opened.
    monkeypatch.setattr(wiki, "full_text", "")
    wiki.execute_sql("DROP TABLE searchindex")
    try:
        with pytest.raises(StoreError, match="no full-text index"):
            find(wiki, "sky")
        search.rebuild(wiki)
        search.add(wiki, [1])
        search.remove(wiki, [1])
    finally:
        if wiki.dialect.name != "sqlite":
            new_index(wiki).create()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Grüße", ["grusse", "gruße", "GRÜßE"]),
        ("日本語 の本", ["日本語", "の本"]),
        ("русский Язык", ["язык", "РУССКИЙ"]),
        ("snake_case x-y 3.14", ["snake", "case", "x", "y", "3", "14", "x-y", "3.14"]),
        ("İstanbul ﬁne", ["istanbul"]),
        ("𝒳 é", ["e"]),
    ],
)
def test_words_of_any_script(index: Database, text: str, words: list[str]) -> None:
    RevisionWriter(index).add([revision(50, 1, text)])
    search.remove(index, [1])
    index.execute_write(Page.update(page_latest=50).where(Page.page_id == 1))
    search.add(index, [1])
    if "fts5" not in index.full_text and index.dialect.name == "sqlite":
        return
    matched = {word for word in words if find(index, word) == [1]}
    assert matched == set(words) - {"grusse"}


def test_suppressed_texts_are_not_indexed_on_servers(wiki: Database) -> None:
    wiki.execute_write(Revision.update(rev_deleted=1).where(Revision.rev_id == 3))
    search.rebuild(wiki)
    assert find(wiki, "sky") == ([2] if wiki.dialect.name == "sqlite" else [])


def test_long_texts_and_many_words(wiki: Database) -> None:
    text = " ".join(f"word{number}" for number in range(150_000)) + " ending" * 300
    RevisionWriter(wiki).add([revision(50, 1, text)])
    search.remove(wiki, [1])
    wiki.execute_write(Page.update(page_latest=50).where(Page.page_id == 1))
    search.add(wiki, [1])
    settle(wiki, Term("word0 word1"), Term("word9999"))
    assert find(wiki, "word0", "word1") == [1]
    assert find(wiki, "word9999") == [1]
    assert find(wiki, "word0 word1") == [1]
    assert find(wiki, "word1 word0") == []


def settle(db: Database, *terms: Term) -> None:
    """Wait for InnoDB, which takes in a long text bit by bit after its transaction has ended."""
    limit = time.monotonic() + 30
    query = Search(Column.TEXT, terms)
    rounds = 0
    while db.dialect.name == "mysql" and rounds < 20 and time.monotonic() < limit:
        rounds = rounds + 1 if count(db, query) == len(page_ids(db, query, 5)) == 1 else 0


def best(db: Database, *words: str, **more: object) -> list[int]:
    query = Ranked([Term(word) for word in words], namespaces=NAMESPACES)._replace(**more)  # type: ignore[arg-type]
    return [hit.page_id for hit in ranked(db, query, 10)]


def test_pages_are_ranked_by_title_then_by_how_much_they_are_about_the_words(
    index: Database,
) -> None:
    pages = {
        "Ferry": "Boats. " * 40,
        "Harbour": "A harbour with one ferry. " + "Water and stones. " * 40,
        "Ferries of the lake": "Each ferry is a ferry, and no ferry is not. A ferry.",
        "Lake": "Nothing but water.",
    }
    numbered = list(enumerate(pages.items(), 100))
    RevisionWriter(index).add([revision(number, number, text) for number, (_, text) in numbered])
    put_pages(
        index, [page(number, 0, name.replace(" ", "_"), number) for number, (name, _) in numbered]
    )
    search.add(index, [number for number, _ in numbered])
    *better, worst = best(index, "ferry")
    assert (sorted(better), worst) == ([100, 102], 101)
    assert best(index, "ferry", "water") == [101]
    assert sorted(best(index, "ferry", "water", any_of=True)) == [100, 101, 102, 103]
    assert sorted(best(index, "ferry", excluded=[Term("stones")])) == [100, 102]
    assert best(index, "ferry", namespaces=(6,)) == []
    assert best(index, "...") == []
    assert len(ranked(index, Ranked([Term("ferry")]), 2)) == 2


def test_namespaces_that_come_first(index: Database) -> None:
    everywhere = best(index, "a", first=(6,))
    assert sorted(everywhere) == [2, 6]
    assert everywhere[0] == 6
    assert best(index, "a", first=(0,))[0] == 2
    assert sorted(best(index, "a", first=())) == [2, 6]
