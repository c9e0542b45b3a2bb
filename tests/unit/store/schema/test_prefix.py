"""Tables with a prefix, as a MediaWiki may have, answer what those without one answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.unit.store.schema import test_older
from tests.unit.store.schema.test_older import aged, with_comments_between, with_titles
from wikiapi.errors import StoreUnavailable
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.store.engines.base import Address
from wikiapi.store.models import ALL_MODELS, Page, PageLinks, Revision
from wikiapi.store.schema import migrate

PREFIX = "mw_"
url = test_older.url


def with_prefix(url: str) -> str:
    """Give the tables of MediaWiki a prefix, and the database tables of another program."""
    with closing(Database(url)) as db:
        there = db.catalog.tables()
        quoted = db.dialect.quoted
        others = {"revision_comment_temp"}
        names = {model._meta.table_name for model in ALL_MODELS} | others
        for name in sorted(there & names):
            db.execute_sql(f"ALTER TABLE {quoted(name)} RENAME TO {quoted(PREFIX + name)}")
        db.execute_sql("CREATE TABLE page (id INTEGER)")
        db.execute_sql("CREATE TABLE other_page (page_id INTEGER)")
    return f"{url}{'&' if '?' in url else '?'}prefix={PREFIX}"


def answers(db: Database) -> list[Any]:
    joined = Page.select(Page.page_title, Revision.rev_id, Revision.rev_timestamp).join(
        Revision, on=(Revision.rev_page == Page.page_id)
    )
    return [
        sorted(db.execute(joined)),
        sorted(db.execute(PageLinks.select(PageLinks.pl_from, PageLinks.pl_from_namespace))),
        db.catalog.has_table("page"),
        db.catalog.has_table("mw_page"),
    ]


@pytest.mark.parametrize("step", [None, with_titles, with_comments_between])
def test_answers_are_the_same(url: str, step: Callable[[Database], None] | None) -> None:
    with closing(aged(url, *([step] if step else []))) as db:
        expected = answers(db)
    with closing(Database(with_prefix(url), read_only=True)) as db:
        assert answers(db) == expected
        assert db.catalog.columns("page") == db.catalog.all_columns()["page"]
        assert "other_page" not in db.catalog.tables()
        migrate.check(db)


def test_a_copy_has_no_prefix(url: str, tmp_path: Path) -> None:
    with closing(Database(url, read_only=True)) as db:
        expected = answers(db)
    target = f"sqlite:///{tmp_path}/copy.sqlite"
    with (
        closing(Database(with_prefix(url), read_only=True)) as source,
        closing(Database(target)) as copy,
    ):
        assert list(copy_store(source, copy, [], report_left_out=lambda _: None))
    with closing(Database(target, read_only=True)) as db:
        assert answers(db) == expected


def test_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="can only be read"):
        Database(f"sqlite:///{tmp_path}/x.sqlite?prefix=mw_")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("mysql://u:p@h/d?prefix=mw_", ("mysql://u:p@h/d", "mw_")),
        ("mysql://h/d?socket=/x&prefix=mw_&a=b", ("mysql://h/d?socket=/x&a=b", "mw_")),
        ("mysql://h/d?socket=/x", ("mysql://h/d?socket=/x", "")),
        ("sqlite:///a?b.sqlite", ("sqlite:///a?b.sqlite", "")),
    ],
)
def test_the_prefix_is_part_of_the_address(url: str, address: tuple[str, str]) -> None:
    assert Address.of(url) == address


@pytest.mark.parametrize("prefix", ["", "a b", "a;--", '"', "é", "x" * 65])
def test_prefixes_that_are_none(prefix: str) -> None:
    with pytest.raises(StoreUnavailable, match="is not a prefix of tables"):
        Address.of(f"mysql://h/d?prefix={prefix}")
