"""Queries of one shape share their SQL, and no others do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import peewee
import pytest
from peewee import SQL, fn

from wikiapi.store import categories, links
from wikiapi.store.models import LinkTarget, Page, PageLinks
from wikiapi.store.nodes import RawBytes
from wikiapi.store.shapes import lasting, shape_of
from wikiapi.store.statements import compile_query

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.store.database import Database


def _titles(*titles: str) -> Any:
    return Page.select(Page.page_id).where(Page.page_title.in_(titles)).order_by(Page.page_id)


def _alias(title: str) -> Any:
    other = Page.alias()
    query = Page.select(Page.page_id, other.page_title)
    return query.join(other, on=(other.page_id == Page.page_id)).where(other.page_title != title)


def _exists(title: str) -> Any:
    linked = PageLinks.select(PageLinks.pl_from).join(
        LinkTarget, on=(LinkTarget.lt_id == PageLinks.pl_target_id)
    )
    found = fn.EXISTS(linked.where(LinkTarget.lt_title == title))
    return Page.select(fn.COUNT(SQL("*"))).where(found & ~(Page.page_id == 0))


BUILDERS: list[Callable[[str], Any]] = [
    _titles,
    _alias,
    _exists,
    lambda text: categories.members(text).order_by(Page.page_id.desc()).limit(len(text)),
    lambda text: links.incoming(links.PAGES, [(0, text)]),
    lambda text: links.listing(links.TEMPLATES, len(text)).offset(1).limit(3),
    lambda text: Page.select(RawBytes(Page.page_title).alias("raw")).where(
        Page.page_lang.is_null() & (fn.LOWER(Page.page_title) == text)
    ),
    lambda text: Page.select(Page.page_namespace).group_by(Page.page_namespace).where(
        (Page.page_title > text) | (Page.page_len + 1 > len(text))
    ).distinct(),
]  # fmt: skip


@pytest.mark.parametrize("build", BUILDERS)
def test_other_values_have_the_same_shape(build: Callable[[str], Any]) -> None:
    one, other = shape_of(build("Alpha")), shape_of(build("Béta 2"))
    assert one is not None
    assert other is not None
    assert one.key == other.key
    compiler = peewee.SqliteDatabase(None)
    compiled = [compile_query(compiler, build(text)) for text in ("Alpha", "Béta 2")]
    assert compiled[0].sql == compiled[1].sql
    assert tuple(one.values) == compiled[0].params
    assert tuple(other.values) == compiled[1].params


@pytest.mark.parametrize("build", BUILDERS)
def test_a_known_shape_gives_the_same_rows(build: Callable[[str], Any], wiki: Database) -> None:
    for text in ("Alpha", "Gamma", "Alpha", "Missing"):
        assert wiki.rows(build(text)) == wiki._run(wiki._compiled(build(text)), ())


@pytest.mark.parametrize("begin", [Page.select, lambda *columns: lasting(Page.select(*columns))])
def test_queries_of_different_shapes(begin: Callable[..., Any]) -> None:
    page = begin(Page.page_id)
    queries = [
        page,
        page.distinct(),
        Page.select(Page.page_title),
        page.where(Page.page_id == 1),
        page.where(Page.page_len == 1),
        page.where(Page.page_id != 1),
        page.where(Page.page_id == "1"),
        page.where(Page.page_id.in_([1])),
        page.where(Page.page_id.in_([1, 2])),
        page.where(Page.page_id.in_([])),
        page.where(Page.page_lang.is_null()),
        page.where(Page.page_lang.is_null(False)),
        page.order_by(Page.page_id),
        page.order_by(Page.page_id.desc()),
        page.limit(1),
        page.offset(1),
        page.group_by(Page.page_id),
        page.join(LinkTarget, on=(LinkTarget.lt_title == Page.page_title)),
        page.join(LinkTarget, "LEFT OUTER JOIN", on=(LinkTarget.lt_title == Page.page_title)),
        page.where(SQL("1 = 1")),
        page.where(SQL("1 = 0")),
        page.select_extend(Page.page_len),
        page.select(Page.page_len),
        page.from_(LinkTarget),
    ]
    shapes = [shape_of(query) for query in queries]
    assert len({shape.key for shape in shapes if shape}) == len(queries)


def test_lasting_queries_keep_their_values() -> None:
    """What has values, aliases or no shape at all is looked through each time."""
    other = Page.alias()
    for query in (
        Page.select(Page.page_id + 1),
        Page.select(other.page_id).join(other, on=(other.page_id == Page.page_id)),
        Page.select(Page.page_id).join(LinkTarget, on=(LinkTarget.lt_id == 3)),
        Page.select(SQL("?", [1])),
    ):
        known, plain = shape_of(lasting(query.clone())), shape_of(query)
        assert (known and (known.key, known.values)) == (plain and (plain.key, plain.values))


def _refined(query: Any) -> list[Any]:
    """All that may be done to a query with conditions."""
    return [
        query,
        query.where(Page.page_id.in_([1, 7]), Page.page_len != 2),
        query.where(Page.page_lang.is_null()).limit(3),
        query.orwhere(Page.page_id == 4),
        query.order_by(Page.page_title.desc()).where(Page.page_id > 1),
        query.group_by(Page.page_id).where(Page.page_id < 5),
        query.select_extend(Page.page_touched).limit(5).offset(2),
        Page.select(Page.page_id).where(Page.page_id.in_(query), Page.page_len == 9),
        query.where(Page.page_id == 0).where(Page.page_id.in_(query.where(Page.page_len == 8))),
    ]


def test_conditions_of_lasting_queries(wiki: Database) -> None:
    linked = PageLinks.select(PageLinks.pl_from).where(PageLinks.pl_from_namespace == 6)
    query = (
        Page.select(Page.page_id)
        .where(Page.page_namespace == 1, Page.page_id.in_(linked) | (Page.page_len > 3))
        .group_by(Page.page_id, Page.page_title)
        .order_by(Page.page_id)
    )
    plain = [shape_of(refined) for refined in _refined(query)]
    known = [shape_of(refined) for refined in _refined(lasting(query.clone()))]
    assert [shape and shape.values for shape in known] == [
        shape and shape.values for shape in plain
    ]
    assert len({shape.key for shape in known if shape}) == len(known)
    assert all(len(a.key) < len(b.key) for a, b in zip(known, plain, strict=True) if a and b)
    with wiki.recording() as log:
        for refined in (*_refined(lasting(query.clone())), *_refined(query)):
            wiki.rows(refined)
    statements = [record.sql for record in log]
    assert statements[: len(known)] == statements[len(known) :]


def test_which_alias_is_which_counts() -> None:
    one, other = Page.alias(), Page.alias()
    query = Page.select(one.page_id).join(one, on=True).join(other, on=True)
    same, crossed = query.where(one.page_id == 1), query.where(other.page_id == 1)
    shapes = [shape_of(query) for query in (same, crossed)]
    assert shapes[0] is None or shapes[0].key != getattr(shapes[1], "key", None)


def test_values_that_peewee_changes_are_not_shared(wiki: Database) -> None:
    for number in ("1", "2", "1"):
        query = Page.select(Page.page_id).where(Page.page_id == number)
        assert wiki.rows(query) == [(int(number),)]


@pytest.mark.parametrize(
    "query",
    [
        Page.select(Page.page_id) | Page.select(Page.page_len),
        Page.select(Page.page_id).having(Page.page_id > 1),
        Page.select(SQL("?", [1])),
    ],
)
def test_what_is_out_of_the_ordinary_has_none(query: Any) -> None:
    assert shape_of(query) is None
