"""Queries of one shape share their SQL, and no others do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import peewee
import pytest
from peewee import SQL, fn

from tests.unit.store.wiki import fill
from wikiapi.store.database import Database
from wikiapi.store.engines.sqlite import SqliteDialect
from wikiapi.store.models import LinkTarget, Page, PageLinks
from wikiapi.store.queries import categories, links
from wikiapi.store.schema import migrate
from wikiapi.store.schema.compiling import CURRENT
from wikiapi.store.sql.nodes import RawBytes
from wikiapi.store.sql.shapes import padded, shape_of
from wikiapi.store.sql.statements import compile_query


def writable(path: Path) -> Database:
    """Return a store with a little in it."""
    db = Database(f"sqlite:///{path}")
    migrate.upgrade(db)
    fill(db)
    return db


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
    has_link = fn.EXISTS(linked.where(LinkTarget.lt_title == title))
    return Page.select(fn.COUNT(SQL("*"))).where(has_link & ~(Page.page_id == 0))


_HAS_LINKS = fn.EXISTS(PageLinks.select(PageLinks.pl_from).where(PageLinks.pl_from == Page.page_id))


BUILDERS: list[Callable[[str], Any]] = [
    _titles,
    _alias,
    _exists,
    lambda text: Page.select(Page.page_title, _HAS_LINKS).where(Page.page_title == text),
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


CHANGES: list[Callable[[str], Any]] = [
    lambda text: Page.delete().where(Page.page_title == text),
    lambda text: Page.delete().where(Page.page_id.in_(_titles(text, "Other"))),
    lambda text: Page.update(page_len=len(text)),
    lambda text: Page.update(page_touched=text, page_len=0, page_lang=None).where(
        Page.page_title != text
    ),
    lambda text: Page.update(
        {Page.page_len: Page.page_len + len(text), "page_touched": text}
    ).where(Page.page_id.in_([1, 2, len(text)])),
    lambda text: Page.update(page_len=fn.COALESCE(Page.page_len, 0) + 1, page_touched=text),
]


@pytest.mark.parametrize("build", [*BUILDERS, *CHANGES])
def test_other_values_have_the_same_shape(build: Callable[[str], Any]) -> None:
    one, other = shape_of(build("Alpha")), shape_of(build("Béta 2"))
    assert one is not None
    assert other is not None
    assert one.key == other.key
    (statement, params), (same, others) = (
        compile_query(CURRENT.context(SqliteDialect()), build(text)) for text in ("Alpha", "Béta 2")
    )
    assert statement == same
    assert tuple(one.values) == params
    assert tuple(other.values) == others


@pytest.mark.parametrize("build", BUILDERS)
def test_a_known_shape_gives_the_same_rows(build: Callable[[str], Any], wiki: Database) -> None:
    for text in ("Alpha", "Gamma", "Alpha", "Missing"):
        rows, wiki._shapes = wiki.execute(build(text)), {}
        assert rows == wiki.execute(build(text))


@pytest.mark.parametrize("build", CHANGES)
def test_a_known_shape_makes_the_same_change(build: Callable[[str], Any], tmp_path: Path) -> None:
    rows = []
    for shares in (True, False):
        with closing(writable(tmp_path / f"{shares}.sqlite")) as db:
            for text in ("Alpha", "Gamma", "Missing"):
                db.execute_write(build(text))
                if not shares:
                    db._shapes = {}
            rows.append(db.execute_sql("SELECT * FROM page ORDER BY page_id"))
    assert rows[0] == rows[1]


def test_changes_of_different_shapes() -> None:
    update, delete = Page.update(page_len=1), Page.delete()
    queries = [
        Page.select(Page.page_id).where(Page.page_id == 1),
        update,
        update.where(Page.page_id == 1),
        Page.update(page_len=None),
        Page.update(page_len=Page.page_len + 1),
        Page.update(page_latest=1),
        Page.update(page_len=1, page_latest=1),
        LinkTarget.update(lt_namespace=1),
        delete,
        delete.where(Page.page_id == 1),
        LinkTarget.delete(),
    ]
    shapes = [shape_of(query) for query in queries]
    assert len({shape.key for shape in shapes if shape}) == len(queries)


def test_values_of_an_update_stay_in_their_places() -> None:
    one = shape_of(Page.update(page_touched="now", page_len=3).where(Page.page_id == 7))
    other = shape_of(Page.update(page_len=3, page_touched="now").where(Page.page_id == 7))
    assert one is not None
    assert one == other
    assert one.values == ["now", 3, 7]


def test_values_of_an_update_that_peewee_changes_are_not_shared(tmp_path: Path) -> None:
    with closing(writable(tmp_path / "wiki.sqlite")) as db:
        for number in ("1", "2", 3):
            db.execute_write(Page.update(page_len=number))
            assert set(db.execute(Page.select(Page.page_len))) == {(int(number),)}


def test_queries_of_different_shapes() -> None:
    page = Page.select(Page.page_id)
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
        page.where(Page.page_id.not_in([1, 2])),
        page.where(Page.page_id.in_([1, "2"])),
        page.where(Page.page_title.in_(["1", "2"])),
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


def test_refining_leaves_the_base_as_it_was(wiki: Database) -> None:
    base = Page.select(Page.page_id).where(Page.page_namespace == 0)
    plain = (base.sql(), wiki.execute(base))
    for refined in (
        base.where(Page.page_id.in_([1, 7]), Page.page_len != 2),
        base.orwhere(Page.page_id == 4),
        base.order_by(Page.page_title.desc()).limit(3).offset(2),
        base.group_by(Page.page_id),
        base.select_extend(Page.page_touched),
        base.join(LinkTarget, on=(LinkTarget.lt_title == Page.page_title)),
        Page.select(Page.page_id).where(Page.page_id.in_(base)),
    ):
        assert refined.sql() != plain[0]
        wiki.execute(refined)
    assert (base.sql(), wiki.execute(base)) == plain


def test_which_alias_is_which_counts() -> None:
    one, other = Page.alias(), Page.alias()
    query = Page.select(one.page_id).join(one, on=True).join(other, on=True)
    same, crossed = query.where(one.page_id == 1), query.where(other.page_id == 1)
    shapes = [shape_of(query) for query in (same, crossed)]
    assert shapes[0] is None or shapes[0].key != getattr(shapes[1], "key", None)


def test_values_that_peewee_changes_are_not_shared(wiki: Database) -> None:
    for number in ("1", "2", "1"):
        query = Page.select(Page.page_id).where(Page.page_id == number)
        assert wiki.execute(query) == [(int(number),)]


@pytest.mark.parametrize(
    "query",
    [
        Page.select(Page.page_id) | Page.select(Page.page_len),
        Page.select(Page.page_id).having(Page.page_id > 1),
        Page.select(SQL("?", [1])),
    ],
)
def test_unusual_queries_have_no_key(query: Any) -> None:
    assert shape_of(query) is None


def test_lists_of_any_length_share_few_shapes() -> None:
    lengths = {len(padded(range(count))) for count in range(1, 513)}
    assert lengths == {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}
    assert list(padded([1, 2, 3, 4, 5])) == [1, 2, 3, 4, 5, 5, 5, 5]
    assert padded([]) == []
    # Twice as many values might be more than a database takes.
    assert len(padded(range(20_000))) == 20_000


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 513])
def test_padding_changes_no_answer(wiki: Database, kind: type, count: int) -> None:
    every = {row[0] for row in wiki.execute(Page.select(Page.page_id))}
    ids = kind(range(2, 2 + count))
    for _ in range(2):
        within = wiki.execute(Page.select(Page.page_id).where(Page.page_id.in_(ids)))
        without = wiki.execute(Page.select(Page.page_id).where(Page.page_id.not_in(ids)))
        assert {row[0] for row in within} == every & set(ids)
        assert {row[0] for row in without} == every - set(ids)


def test_padded_values_stay_in_their_places(wiki: Database) -> None:
    for title, ids in (("Alpha", [1, 2, 3]), ("Gamma", [3, 4, 1, 2, 5])):
        condition = Page.page_id.in_(ids) & (Page.page_namespace == 0) & (Page.page_title == title)
        query = Page.select(Page.page_id, Page.page_title).where(condition).limit(7)
        assert [row[1] for row in wiki.execute(query)] == [title]
        shape = shape_of(query)
        assert shape
        assert shape.values == [*padded(ids), 0, title, 7]


def test_lists_of_other_lengths_share_a_statement(wiki: Database) -> None:
    query = Page.select(Page.page_id)
    wiki._shapes = {}
    for count in (5, 6, 7, 8):
        wiki.execute(query.where(Page.page_id.in_(list(range(count)))))
    assert len(wiki._shapes) == 1


def test_numbered_rows_of_a_subquery_have_a_shape() -> None:
    def build(name: str, count: int) -> Any:
        place = fn.ROW_NUMBER().over(partition_by=[Page.page_len], order_by=[Page.page_id.desc()])
        inner = Page.select(Page.page_id, place.alias("place")).where(Page.page_title == name)
        numbered = inner.alias("numbered")
        query = Page.select(numbered.c.page_id).from_(numbered)
        return query.where(numbered.c.place <= count).order_by(numbered.c.page_id)

    one, other = shape_of(build("Alpha", 1)), shape_of(build("Beta", 2))
    assert one
    assert other
    assert one.key == other.key
    assert one.values == ["Alpha", 1]


# What is known of Peewee's classes: the attributes that make up the SQL, all of which a shape takes
# in or refuses, and after the bar those that do not change it.
_OF_QUERIES = """
    _alias _cte_list _distinct _for_update _from_list _group_by _having _lateral _limit _offset
    _order_by _returning _simple_distinct _where _windows | _constructor _cursor_wrapper _database
    _hash _row_type
"""
_OF_CHANGES = """
    _cte_list _limit _offset _order_by _returning _where model | _constructor _cursor_wrapper
    _database _return_cursor _row_type table
"""
ATTRIBUTES: list[tuple[Any, str]] = [
    (Page.select(), _OF_QUERIES + "_is_default _join_ctx _joins model"),
    (peewee.Select([Page], [Page.page_id]), _OF_QUERIES),
    (Page.update(page_len=1), _OF_CHANGES + "_from _update"),
    (Page.delete(), _OF_CHANGES),
    (peewee.Join(Page, LinkTarget), "_alias _on join_type lhs rhs"),
    (Page.page_id == 1, "flat lhs op rhs"),
    (peewee.Value(1), "converter multi value values"),
    (Page.page_id.desc(), "collation direction node nulls | _coerce _converter"),
    (SQL("1"), "params sql"),
    (fn.MAX(Page.page_id), "_filter _order_by arguments name | _coerce _python_value"),
    (peewee.NodeList(()), "glue nodes parens"),
    (Page.page_id.alias("x"), "_alias node | _coerce _converter"),
    (peewee.Negated(Page.page_id), "node | _coerce _converter"),
    (
        peewee.Window(),
        "_exclude _extends _inline end frame_type order_by partition_by start | _alias",
    ),
    (peewee.Column(None, "x"), "name source"),
    (Page.alias(), "alias model"),
]


@pytest.mark.parametrize(("node", "names"), ATTRIBUTES)
def test_peewee_has_no_attributes_that_shapes_do_not_know(node: Any, names: str) -> None:
    """Two queries that differ in one of them would share a statement."""
    changed = set(vars(node)) ^ (set(names.split()) - {"|"})
    assert not changed, (
        f"Peewee {peewee.__version__} differs in {sorted(changed)} of {type(node).__name__}:"
        " let wikiapi/store/sql/shapes.py take them in or refuse them, and list them here"
    )


def test_very_long_lists_have_no_shape() -> None:
    titles = [str(number) for number in range(5000)]
    assert shape_of(Page.select().where(Page.page_title.in_(titles[:4000]))) is not None
    assert shape_of(Page.select().where(Page.page_title.in_(titles))) is None
