"""The link tables from both ends."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from peewee import fn

from tests.unit.store.kinds import only_sqlite
from tests.unit.store.wiki import fill
from wikiapi.store.database import Database
from wikiapi.store.models import (
    CategoryLinks,
    ExternalLinks,
    ImageLinks,
    LangLinks,
    LinkTarget,
    Page,
    PageLinks,
    Redirect,
    TemplateLinks,
)
from wikiapi.store.queries import categories, externallinks, links
from wikiapi.store.schema import migrate
from wikiapi.store.sql.bounds import between, ordered, starting_at, with_prefix
from wikiapi.store.sql.nodes import ComparableSortKey
from wikiapi.store.write.links import CategoryLink, LinkWriter, PageLinkSet
from wikiapi.testing.conformance.queries import steps_of


def plan(db: Database, query: Any) -> list[str]:
    with db.recording() as log:
        db.execute(query)
    return steps_of(db, log[0])


@pytest.mark.parametrize(
    ("table", "page_id", "expected"),
    [
        (links.TEMPLATES, 1, [(1, 10, "Nav")]),
        (links.PAGES, 1, [(1, 0, "Béta"), (1, 0, "Missing")]),
        (links.IMAGES, 2, [(2, 6, "Sun.png")]),
        (links.CATEGORIES, 1, [(1, 14, "Letters")]),
        (links.REDIRECTS, 3, [(3, 0, "Alpha")]),
        (links.EXISTENCE, 1, []),
    ],
)
def test_outgoing(wiki: Database, table: Any, page_id: int, expected: list[object]) -> None:
    assert wiki.execute(links.outgoing(table, [page_id]).order_by(table.title)) == expected


@pytest.mark.parametrize(
    ("table", "key", "sources"),
    [
        (links.TEMPLATES, (10, "Nav"), ["Alpha"]),
        (links.PAGES, (0, "Missing"), ["Alpha"]),
        (links.IMAGES, (6, "Sun.png"), ["Béta"]),
        (links.IMAGES, (0, "Sun.png"), []),
        (links.CATEGORIES, (14, "Letters"), ["Alpha", "Béta"]),
        (links.CATEGORIES, (0, "Letters"), []),
        (links.REDIRECTS, (0, "Alpha"), ["Gamma"]),
    ],
)
def test_incoming(wiki: Database, table: Any, key: Any, sources: list[str]) -> None:
    rows = wiki.execute(links.incoming(table, [key, (2, "Else")]).order_by(table.source))
    assert [row[4] for row in rows] == sources
    assert {row[:2] for row in rows} <= {key}


def test_sources_are_what_incoming_links_begin_with(wiki: Database) -> None:
    query = links.sources(links.PAGES, Page.page_title)
    to_missing = query.where(links.target_in(links.PAGES, [(0, "Missing")]))
    assert wiki.execute(to_missing) == [(0, "Missing", "Alpha")]


def test_incoming_links_of_no_pages(wiki: Database) -> None:
    assert wiki.execute(links.incoming(links.PAGES, [])) == []


def test_what_a_page_transcludes(wiki: Database) -> None:
    assert links.transcluded(wiki, (0, "Alpha")) == [(10, "Nav")]
    assert links.transcluded(wiki, (0, "None")) == []


def test_listing_in_the_order_of_the_index(wiki: Database) -> None:
    query = ordered(links.listing(links.PAGES, 0), PageLinks.pl_target_id, PageLinks.pl_from)
    rows = wiki.execute(query)
    assert [(title, source) for _, title, source in rows] == [
        ("Béta", 1),
        ("Missing", 1),
        ("Alpha", 3),
    ]
    rest = query.where(starting_at([PageLinks.pl_target_id, PageLinks.pl_from], rows[1][::2]))
    assert wiki.execute(rest) == rows[1:]


def test_listing_of_another_namespace_is_empty(wiki: Database) -> None:
    assert wiki.execute(links.listing(links.IMAGES, 0)) == []
    assert wiki.execute(links.listing(links.PAGES, 4, by_title=True)) == []


def test_target_ids(wiki: Database) -> None:
    ids = links.target_ids(wiki, [(0, "Béta"), (0, "Gamma"), (10, "Nav")])
    assert set(ids) == {(0, "Béta"), (10, "Nav")}


TWO_KEYS = {
    "templates": (links.TEMPLATES, [(10, "A"), (10, "B")], (10, "A")),
    "pages": (links.PAGES, [(0, "A"), (0, "B")], (0, "A")),
    "images": (links.IMAGES, [(6, "A"), (6, "B")], (6, "A")),
    "redirects": (links.REDIRECTS, [(0, "A"), (0, "B")], (0, "A")),
}


@only_sqlite
@pytest.mark.parametrize("name", TWO_KEYS)
def test_continuing_among_several_titles_looks_at_no_other(wiki: Database, name: str) -> None:
    table, keys, start = TWO_KEYS[name]
    query = ordered(links.incoming(table, keys), *links.order_of_incoming(table))
    steps = plan(wiki, query.where(links.incoming_from(table, start, 3)).limit(11))
    target = next(step for step in steps if step.startswith("SEARCH"))
    assert re.search(r"(lt_title|rd_title|il_to)=\?", target), steps
    assert not [step for step in steps if "TEMP B-TREE" in step], steps


def test_incoming_is_continued_where_it_stopped(wiki: Database) -> None:
    keys = [(0, "Béta"), (0, "Alpha"), (0, "Missing")]
    query = ordered(links.incoming(links.PAGES, keys), *links.order_of_incoming(links.PAGES))
    rows = wiki.execute(query)
    assert [(row[1], row[2]) for row in rows] == [("Alpha", 3), ("Béta", 1), ("Missing", 1)]
    for i, row in enumerate(rows):
        rest = query.where(links.incoming_from(links.PAGES, row[:2], row[2]))
        assert wiki.execute(rest) == rows[i:]


# The orders in which modules walk, and that no step gathers and sorts a whole table.
WALKS = {
    "outgoing images": ordered(
        links.outgoing(links.IMAGES, [1, 2]), ImageLinks.il_from, ImageLinks.il_to
    ),
    "incoming images": ordered(
        links.incoming(links.IMAGES, [(6, "A"), (6, "B")]), ImageLinks.il_to, ImageLinks.il_from
    ),
    "incoming links": ordered(links.incoming(links.PAGES, [(0, "A")]), PageLinks.pl_from),
    "incoming templates": ordered(
        links.incoming(links.TEMPLATES, [(10, "A")]), TemplateLinks.tl_from
    ),
    "incoming redirects": ordered(links.incoming(links.REDIRECTS, [(0, "A")]), Redirect.rd_from),
    "listed templates": ordered(
        links.listing(links.TEMPLATES, 10), TemplateLinks.tl_target_id, TemplateLinks.tl_from
    ).where(starting_at([TemplateLinks.tl_target_id, TemplateLinks.tl_from], [3, 5])),
    "listed redirects": ordered(
        links.listing(links.REDIRECTS, 0), Redirect.rd_title, Redirect.rd_from
    ),
    "listed files": ordered(
        links.listing(links.IMAGES, 6), ImageLinks.il_to, ImageLinks.il_from
    ).where(starting_at([ImageLinks.il_to, ImageLinks.il_from], ["A", 3])),
    "members": ordered(
        categories.members("A").where(CategoryLinks.cl_type == "page"),
        CategoryLinks.cl_sortkey,
        CategoryLinks.cl_from,
    ),
}


@only_sqlite
@pytest.mark.parametrize("name", WALKS)
def test_walks_use_the_index_for_order(wiki: Database, name: str) -> None:
    steps = plan(wiki, WALKS[name].limit(11))
    assert not [step for step in steps if "TEMP B-TREE" in step or step.startswith("SCAN")], steps


def test_category_members_sort_keys_and_counts(wiki: Database) -> None:
    query = ordered(categories.members("Letters"), CategoryLinks.cl_sortkey)
    assert [(row[2], row[3], row[7]) for row in wiki.execute(query)] == [
        (b"ALPHA", "", "Alpha"),
        ("X\nBÉTA".encode(), "x", "Béta"),
    ]
    named = categories.named_members("Letters", CategoryLinks.cl_sortkey_prefix)
    assert wiki.execute(named.order_by(CategoryLinks.cl_sortkey).limit(1)) == [
        (1, "page", b"ALPHA", 0, "Alpha", "")
    ]
    rest = query.where(CategoryLinks.cl_sortkey > categories.sort_key_value(wiki, b"ALPHA"))
    assert [row[7] for row in wiki.execute(rest)] == ["Béta"]
    assert categories.by_titles(wiki, ["Letters"])["Letters"][1:] == ("Letters", 2, 0, 0)
    assert categories.hidden(wiki, ["Letters", "Alpha"]) == {"Letters"}


KEYS = [b"", b"\0", b"0\x00\x019", b"0\x00\x0210", b"A", b"\\x41", b"z", b"\x80", b"\xff\x80"]
"""Sort keys in their order; most are no text."""


def test_sort_keys_are_any_bytes(wiki: Database) -> None:
    members = [
        PageLinkSet(page_id, 0, categories=[CategoryLink("Any", "", key, "page", "20240101000000")])
        for page_id, key in enumerate(reversed(KEYS), 100)
    ]
    LinkWriter(wiki).replace(members)
    target = CategoryLinks.select(CategoryLinks.cl_target_id).where(CategoryLinks.cl_from == 100)
    query = CategoryLinks.select(categories.SORT_KEY).where(CategoryLinks.cl_target_id.in_(target))
    assert [key for (key,) in wiki.execute(ordered(query, CategoryLinks.cl_sortkey))] == KEYS
    for place, key in enumerate(KEYS):
        value = categories.sort_key_value(wiki, key)
        rest = ordered(query.where(CategoryLinks.cl_sortkey >= value), CategoryLinks.cl_sortkey)
        assert [key for (key,) in wiki.execute(rest)] == KEYS[place:]
    least = query.select(fn.MIN(ComparableSortKey(CategoryLinks.cl_sortkey)))
    assert wiki.scalar(least) == ""


def test_keys_with_null_bytes_follow_in_mediawikis_databases(tmp_path: Path) -> None:
    """MediaWiki's SQLite has them as BLOB values, which are sorted after texts."""
    url = f"sqlite:///{tmp_path}/wiki.sqlite"
    with closing(Database(url)) as db:
        migrate.upgrade(db)
        fill(db)
        db.execute_sql("UPDATE categorylinks SET cl_sortkey = x'300001' || '9' WHERE cl_from = 1")
        db.execute_sql("UPDATE categorylinks SET cl_sortkey = CAST(cl_sortkey AS BLOB)")
        db.execute_sql("UPDATE categorylinks SET cl_sortkey = 'X' WHERE cl_from = 2")
        db.execute_sql("DELETE FROM updatelog")
    with closing(Database(url, read_only=True)) as db:
        query = ordered(categories.members("Letters"), CategoryLinks.cl_sortkey)
        assert [row[2] for row in db.execute(query)] == [b"X", b"0\x00\x019"]
        for key, count in [(b"X", 2), (b"0\x00\x019", 1), (b"0\x00\x0210", 0)]:
            value = categories.sort_key_value(db, key)
            assert len(db.execute(query.where(CategoryLinks.cl_sortkey >= value))) == count


def test_other_links(wiki: Database) -> None:
    assert wiki.execute(externallinks.interwiki([1])) == [(1, "mw", "Help:Contents")]
    assert wiki.execute(ordered(externallinks.language([1]), LangLinks.ll_lang)) == [
        (1, "de", "Alpha"),
        (1, "fr", "Alpha"),
    ]
    [(page_id, _, index, path)] = wiki.execute(externallinks.external([1]))
    assert (page_id, index, path) == (1, "https://org.example.www.", "/a?b#c")
    assert externallinks.url_of(index, path) == "https://www.example.org/a?b#c"


URLS = {
    "https://example.org": ("https://org.example.", "/"),
    "http://localhost:7465/": ("http://localhost.:7465", "/"),
    "HTTPS://Www.Example.Org/Case?A=b": ("https://org.example.www.", "/Case?A=b"),
    "//en.wikipedia.org/wiki/Berlin": ("https://org.wikipedia.en.", "/wiki/Berlin"),
    "mailto:someone@domain.com": ("mailto:com.domain.@someone", ""),
    "mailto:someone@domain.com?subject=a": ("mailto:com.domain.@someone", "?subject=a"),
    "https://example.org?x=1": ("https://org.example.", "?x=1"),
    "http://192.0.2.1/x": ("http://V4.192.0.2.1.", "/x"),
    "news:comp.lang.python": ("news:", "comp.lang.python"),
    "https://example.org./": ("https://org.example.", "/"),
}


@pytest.mark.parametrize("url", URLS)
def test_an_address_in_two_parts(url: str) -> None:
    assert externallinks.split_url(url) == URLS[url]


@pytest.mark.parametrize(
    "url",
    [
        "https://www.example.org/a?b#c",
        "http://localhost:7465/",
        "mailto:someone@domain.com",
        "http://192.0.2.1:80/x",
        "ftp://[2001:0DB8:0000:0000:0000:0000:0000:0001]:21/",
        "news:comp.lang.python",
        "urn:isbn:1",
        "https://xn--bcher-kva.example/",
    ],
)
def test_two_parts_make_the_address_again(url: str) -> None:
    assert externallinks.url_of(*externallinks.split_url(url)) == url


@pytest.mark.parametrize("url", ["", ":", "//", "http://", "http://[", "mailto:", "mailto:@", "x"])
def test_invalid_addresses_do_not_raise(url: str) -> None:
    externallinks.url_of(*externallinks.split_url(url))


def test_a_prefix_has_no_wildcards(wiki: Database) -> None:
    def titles(prefix: str) -> list[str]:
        query = Page.select(Page.page_title).where(Page.page_namespace == 0)
        return [row[0] for row in wiki.execute(query.where(*with_prefix(Page.page_title, prefix)))]

    assert titles("Al") == ["Alpha"]
    assert titles("%") == titles("_") == titles("a") == []
    assert (
        len(wiki.execute(Page.select().where(Page.page_id > 0, *with_prefix(Page.page_title, ""))))
        == 6
    )


@pytest.mark.parametrize("descending", [False, True])
def test_bounds_walk_every_row_once(wiki: Database, *, descending: bool) -> None:
    columns = [LinkTarget.lt_namespace, LinkTarget.lt_title, LinkTarget.lt_id]
    query = ordered(LinkTarget.select(*columns), *columns, descending=descending)
    everything = wiki.execute(query)
    walked: list[object] = []
    page = wiki.execute(query.limit(2))
    while len(page) == 2:
        walked.append(page[0])
        bound = starting_at(columns, page[1], descending=descending)
        page = wiki.execute(query.where(bound).limit(2))
    assert walked + page == everything


@pytest.mark.parametrize(("descending", "expected"), [(False, [2, 3, 4]), (True, [])])
def test_from_one_end_to_the_other(
    wiki: Database, *, descending: bool, expected: list[int]
) -> None:
    conditions = between(Page.page_id, 2, 4, descending=descending)
    query = Page.select(Page.page_id).where(*conditions).order_by(Page.page_id)
    assert [row[0] for row in wiki.execute(query)] == expected
    assert between(Page.page_id, None, None) == []


def test_rows_of_external_links_have_ids_to_continue_from(wiki: Database) -> None:
    [row] = wiki.execute(externallinks.external([1]))
    assert wiki.execute(externallinks.external([1]).where(ExternalLinks.el_id > row[1])) == []


def test_counts_of_incoming_links_end_at_a_limit(wiki: Database) -> None:
    keys = [(0, "Béta"), (0, "Missing"), (0, "Nowhere")]
    counts = links.count_incoming(wiki, keys, 100)
    assert counts == {
        key: len(list(wiki.execute(links.incoming(links.PAGES, [key])))) for key in keys[:2]
    }
    assert links.count_incoming(wiki, keys, 1) == dict.fromkeys(keys[:2], 1)
    assert links.count_incoming(wiki, keys[2:], 100) == {}
    assert links.count_incoming(wiki, [], 100) == {}
