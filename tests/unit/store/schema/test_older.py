"""MediaWiki's older layouts answer what the current one answers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from peewee import JOIN, fn

from tests.servers import SERVER_PARAMS
from tests.unit.store.wiki import fill
from wikiapi.errors import StoreVersionError
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Block,
    BlockTarget,
    CategoryLinks,
    ExternalLinks,
    LinkTarget,
    Page,
    PageLinks,
    TemplateLinks,
    User,
    UserProperties,
)
from wikiapi.store.queries import categories, externallinks, links, pages, revisions, users
from wikiapi.store.schema import migrate
from wikiapi.store.schema.compiling import CURRENT
from wikiapi.store.sql.bounds import ordered

# What stood in place of a column with a target's id: columns, and how they are filled.
OLD_TARGETS = {
    "templatelinks": ("tl_target_id", "tl_namespace", "tl_title"),
    "pagelinks": ("pl_target_id", "pl_namespace", "pl_title"),
    "categorylinks": ("cl_target_id", None, "cl_to"),
}

_TYPES = {
    "sqlite": ("INTEGER", "BLOB"),
    "mysql": ("INT", "VARBINARY(255)"),
    "postgres": ("INTEGER", "TEXT"),
}


@pytest.fixture(params=["sqlite", *SERVER_PARAMS])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a filled store without the marks by which wikiapi recognises it."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/wiki.sqlite"
    else:
        server = request.getfixturevalue("server_of")(request.param)
        name = "".join(c if c.isalnum() else "_" for c in request.node.name)
        url = server.create(f"old_{name}"[:60].lower())
    with closing(Database(url)) as db:
        migrate.upgrade(db)
        fill(db)
        db.insert_many(UserProperties, [(1, "gender", "female")])
    return url


def aged(url: str, *steps: Callable[[Database], None]) -> Database:
    """Return the store with some columns in an older form, opened for reading."""
    with closing(Database(url)) as db:
        for step in steps:
            step(db)
    return Database(url, read_only=True)


def with_titles(db: Database) -> None:
    """Change the layout to that before 1.39, 1.43 and 1.45: links name their targets."""
    number, text = _TYPES[db.dialect.name]
    for table, (target, namespace, title) in OLD_TARGETS.items():
        target_row = f"FROM linktarget WHERE lt_id = {target})"
        for column, kind, source in (
            (namespace, number, "lt_namespace"),
            (title, text, "lt_title"),
        ):
            if column:
                db.execute_sql(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
                db.execute_sql(f"UPDATE {table} SET {column} = (SELECT {source} {target_row}")
        _drop(db, table, target)
    db.execute_sql("DELETE FROM linktarget")


def with_whole_urls(db: Database) -> None:
    """Change the layout to that before 1.41."""
    db.execute_sql(f"ALTER TABLE externallinks ADD COLUMN el_index {_TYPES[db.dialect.name][1]}")
    db.execute_sql("UPDATE externallinks SET el_index = 'https://org.example.www./a?b#c'")
    rows = [("mailto:org.example.@ada",), ("https://org.example.",), ("news:a/b",)]
    for number, (index,) in enumerate(rows, 50):
        db.execute_sql(
            f"INSERT INTO externallinks (el_id, el_from, el_index) VALUES ({number}, 2, '{index}')"
        )
    _drop(db, "externallinks", "el_to_domain_index")
    _drop(db, "externallinks", "el_to_path")


def with_ipblocks(db: Database) -> None:
    """Change the layout to that before 1.42: a block and its target in one row."""
    _, text = _TYPES[db.dialect.name]
    db.execute_sql("DROP TABLE block" if db.dialect.name != "mysql" else "DROP TABLE `block`")
    db.execute_sql("DROP TABLE block_target")
    numbers = (
        "ipb_id",
        "ipb_user",
        "ipb_by_actor",
        "ipb_reason_id",
        "ipb_anon_only",
        "ipb_create_account",
        "ipb_enable_autoblock",
        "ipb_deleted",
        "ipb_block_email",
        "ipb_allow_usertalk",
        "ipb_parent_block_id",
        "ipb_sitewide",
        "ipb_auto",
    )
    texts = ("ipb_address", "ipb_timestamp", "ipb_expiry", "ipb_range_start", "ipb_range_end")
    columns = [f"{name} INTEGER" for name in numbers] + [f"{name} {text}" for name in texts]
    db.execute_sql(f"CREATE TABLE ipblocks ({', '.join(columns)})")
    listed = ", ".join((*numbers, *texts))
    db.execute_sql(
        f"INSERT INTO ipblocks ({listed}) VALUES (3, 1, 1, 1, 0, 1, 1, 0, 0, 1, NULL, 1, 0,"
        " 'Ada', '20240101000000', 'infinity', '', ''), (4, 0, 1, 1, 1, 1, 1, 0, 0, 1, NULL, 1,"
        " 0, '192.0.2.0/24', '20240102000000', '20250101000000', 'C0000200', 'C00002FF')"
    )


def with_comments_between(db: Database) -> None:
    """Change the layout to that of 1.39: summaries of revisions in a table of their own."""
    db.execute_sql(
        "CREATE TABLE revision_comment_temp (revcomment_rev INTEGER, revcomment_comment_id INTEGER)"
    )
    db.execute_sql(
        "INSERT INTO revision_comment_temp SELECT rev_id, rev_comment_id FROM revision"
        " WHERE rev_id = 2"
    )
    db.execute_sql("UPDATE revision SET rev_comment_id = 0 WHERE rev_id = 2")


def without_newer_columns(db: Database) -> None:
    table = "`user`" if db.dialect.name == "mysql" else '"user"'
    db.execute_sql(f"ALTER TABLE {table} DROP COLUMN user_is_temp")
    db.execute_sql("DROP TABLE existencelinks")


def _drop(db: Database, table: str, column: str) -> None:
    """Drop a column with the keys that it stands in."""
    if db.dialect.name == "sqlite":
        kept = [
            name
            for (_, name, *_) in db.execute_sql(f"PRAGMA table_info({table})")
            if name != column
        ]
        db.execute_sql(f"CREATE TABLE copied AS SELECT {', '.join(kept)} FROM {table}")
        db.execute_sql(f"DROP TABLE {table}")
        db.execute_sql(f"ALTER TABLE copied RENAME TO {table}")
        return
    if db.dialect.name == "mysql" and column == OLD_TARGETS.get(table, ("",))[0]:
        db.execute_sql(f"ALTER TABLE {table} DROP PRIMARY KEY")
    db.execute_sql(f"ALTER TABLE {table} DROP COLUMN {column}")


def test_links_by_title(url: str) -> None:
    with closing(aged(url, with_titles)) as db:
        assert "pl_target_id" in db.schema.target_titles
        out = links.outgoing
        assert sorted(db.execute(out(links.PAGES, [1]))) == [(1, 0, "Béta"), (1, 0, "Missing")]
        assert db.execute(out(links.TEMPLATES, [1])) == [(1, 10, "Nav")]
        assert db.execute(out(links.CATEGORIES, [1])) == [(1, 14, "Letters")]
        query = links.incoming(links.PAGES, [(0, "Alpha"), (0, "Béta")])
        rows = db.execute(ordered(query, *links.order_of_incoming(links.PAGES)))
        assert [row[:3] for row in rows] == [(0, "Alpha", 3), (0, "Béta", 1)]
        query = links.incoming(links.PAGES, [(0, "Béta")])
        assert db.execute(query.where(links.incoming_from(links.PAGES, (0, "Béta"), 2))) == []
        keys = [(0, "Alpha"), (0, "Béta"), (0, "Nowhere")]
        assert links.count_incoming(db, keys, 5) == {(0, "Alpha"): 1, (0, "Béta"): 1}


def test_members_of_categories(url: str) -> None:
    with closing(aged(url, with_titles)) as db:
        query = ordered(categories.members("Letters"), CategoryLinks.cl_sortkey)
        assert [row[0] for row in db.execute(query)] == [1, 2]


def test_lists_of_links_go_along_titles(url: str) -> None:
    with closing(aged(url, with_titles)) as db:
        table = links.in_schema(db, links.PAGES)
        assert table.target_id is None
        query = ordered(links.listing(table, 0), table.target_column, table.source)
        assert db.execute(query) == [
            ("Alpha", "Alpha", 3),
            ("Béta", "Béta", 1),
            ("Missing", "Missing", 1),
        ]
        templates = links.in_schema(db, links.TEMPLATES)
        assert db.execute(links.listing(templates, 10)) == [("Nav", "Nav", 1)]
    assert links.in_schema(Database("sqlite:///:memory:"), links.PAGES) is links.PAGES


def test_statements_that_start_from_the_targets(url: str) -> None:
    """As the special pages write theirs."""
    with closing(aged(url, with_titles)) as db:
        query: Any = (
            LinkTarget.select(LinkTarget.lt_namespace, LinkTarget.lt_title)
            .join(TemplateLinks, on=(TemplateLinks.tl_target_id == LinkTarget.lt_id))
            .join(Page, on=(Page.page_id == TemplateLinks.tl_from))
            .group_by(LinkTarget.lt_namespace, LinkTarget.lt_title)
        )
        assert db.execute(query) == [(10, "Nav")]
        query = (
            LinkTarget.select(LinkTarget.lt_namespace, LinkTarget.lt_title)
            .join(CategoryLinks, on=(CategoryLinks.cl_target_id == LinkTarget.lt_id))
            .order_by(LinkTarget.lt_namespace, LinkTarget.lt_title)
            .distinct()
        )
        assert db.execute(query) == [(14, "Letters")]


def test_subqueries_and_aliases(url: str) -> None:
    with closing(aged(url, with_titles)) as db:
        source: Any = Page.alias()
        target: Any = LinkTarget.alias()
        linked = (
            PageLinks.select(PageLinks.pl_from)
            .join(target, on=(target.lt_id == PageLinks.pl_target_id))
            .where(
                (target.lt_namespace == source.page_namespace)
                & (target.lt_title == source.page_title)
            )
        )
        query: Any = source.select(source.page_title).where(fn.EXISTS(linked))
        assert sorted(db.execute(query)) == [("Alpha",), ("Béta",)]
        inner: Any = (
            PageLinks.select(PageLinks.pl_from, LinkTarget.lt_title.alias("title"))
            .join(LinkTarget, on=(LinkTarget.lt_id == PageLinks.pl_target_id))
            .alias("found")
        )
        query = Page.select(Page.page_title, inner.c.title).join(
            inner, on=(inner.c.pl_from == Page.page_id)
        )
        assert ("Alpha", "Missing") in db.execute(query)


def test_what_needs_ids_is_refused_by_name(url: str) -> None:
    with closing(aged(url, with_titles)) as db, pytest.raises(StoreVersionError, match="pl_target"):
        db.execute(PageLinks.select(PageLinks.pl_from).where(PageLinks.pl_target_id == 1))


def test_one_title_in_two_tables_is_refused_too(url: str) -> None:
    query: Any = (
        Page.select(Page.page_id)
        .join(LinkTarget, JOIN.LEFT_OUTER, on=(LinkTarget.lt_title == Page.page_title))
        .join_from(
            LinkTarget, PageLinks, JOIN.LEFT_OUTER, on=(PageLinks.pl_target_id == LinkTarget.lt_id)
        )
        .join_from(
            LinkTarget,
            TemplateLinks,
            JOIN.LEFT_OUTER,
            on=(TemplateLinks.tl_target_id == LinkTarget.lt_id),
        )
    )
    with closing(aged(url, with_titles)) as db, pytest.raises(StoreVersionError, match="targets"):
        db.execute(query)


def test_external_links(url: str) -> None:
    with closing(aged(url, with_whole_urls)) as db:
        rows = db.execute(ordered(externallinks.external([1, 2]), ExternalLinks.el_id))
        assert [row[2:] for row in rows] == [
            ("https://org.example.www.", "/a?b#c"),
            ("mailto:org.example.@ada", ""),
            ("https://org.example.", ""),
            ("news:a/b", ""),
        ]
        pattern = externallinks.matching("*.example.org", ["https://"])
        assert len(db.execute(externallinks.external([1]).where(pattern))) == 1


def test_blocks(url: str) -> None:
    with closing(aged(url, with_ipblocks)) as db:
        [block] = users.blocks(db, [1])[1]
        assert (block.block_id, block.expiry) == (3, "infinity")
        columns = (BlockTarget.bt_address, BlockTarget.bt_user_text, BlockTarget.bt_range_start)
        query: Any = BlockTarget.select(*columns).order_by(BlockTarget.bt_id)
        assert [row[:2] for row in db.execute(query)] == [(None, "Ada"), ("192.0.2.0/24", None)]
        assert db.execute(query)[1][2] == "C0000200"
        assert db.execute(Block.select(Block.bl_anon_only).where(Block.bl_target == 4)) == [(1,)]


def test_summaries(url: str) -> None:
    with closing(aged(url, with_comments_between)) as db:
        rows = revisions.by_ids(db, [1, 2])
        assert [rows[number].comment for number in (1, 2)] == ["start", "more"]


def test_columns_and_tables_that_came_later(url: str) -> None:
    with closing(aged(url, without_newer_columns)) as db:
        assert db.execute(User.select(User.user_id, User.user_is_temp)) == [(1, 0)]
        assert db.execute(links.outgoing(links.EXISTENCE, [1])) == []
        assert set(users.by_names(db, ["Ada"])) == {"Ada"}


@pytest.mark.slow
def test_timestamps_and_order_of_postgresql(server_of: Callable[[str], Any]) -> None:
    url = server_of("postgresql").create("old_timestamps")
    with closing(Database(url)) as db:
        migrate.upgrade(db)
        fill(db)
        db.execute_sql(
            "ALTER TABLE revision ALTER COLUMN rev_timestamp TYPE timestamptz"
            " USING to_timestamp(rev_timestamp || '+00', 'YYYYMMDDHH24MISSTZH')"
        )
        db.execute_sql("ALTER TABLE page ALTER COLUMN page_title TYPE TEXT")
    with closing(Database(url, read_only=True)) as db:
        assert revisions.by_ids(db, [3])[3].timestamp == "20240101000003"
        assert set(pages.by_titles(db, [(0, "Béta"), (0, "Alpha")])) == {(0, "Béta"), (0, "Alpha")}


def test_a_store_of_ours_is_never_rewritten(url: str) -> None:
    with closing(Database(url, read_only=True)) as db:
        assert db.schema is CURRENT
    with closing(Database(url)) as db:
        assert db.schema is CURRENT
