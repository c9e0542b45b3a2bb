"""What the writers write, and that they find it again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, TypeVar

import pytest

from tests.unit.store.wiki import LINKS, PAGES, fill, page, revision
from wikiapi.errors import StoreError
from wikiapi.pages.links.check import TABLES
from wikiapi.pages.tags import tag_change, tag_revisions
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Actor,
    Category,
    CategoryLinks,
    ChangeTag,
    ChangeTagDef,
    Comment,
    ExternalLinks,
    IpChanges,
    LinkTarget,
    Page,
    PageLinks,
    RecentChanges,
    Revision,
    SlotRoles,
    Slots,
)
from wikiapi.store.queries import pages, sitestats, tags
from wikiapi.store.queries.search import Column, Search, Term, page_ids
from wikiapi.store.queries.sitestats import Statistics
from wikiapi.store.schema.ddl import drop_index
from wikiapi.store.write import bulk, counts, search
from wikiapi.store.write.ids import (
    Actors,
    Comments,
    LinkTargets,
    Person,
    comment_hash,
    lasting_id,
    slot_roles,
)
from wikiapi.store.write.links import (
    CategoryLink,
    LinkWriter,
    PageLinkSet,
    RedirectTarget,
    delete_links,
)
from wikiapi.store.write.revisions import (
    RevisionWriter,
    combined_sha1,
    ip_to_hex,
    put_pages,
    sha1_base36,
    share_slots,
)

T = TypeVar("T")

LINK_TABLES = (
    "templatelinks",
    "pagelinks",
    "imagelinks",
    "categorylinks",
    "externallinks",
    "iwlinks",
    "langlinks",
    "redirect",
    "page_props",
    "existencelinks",
)


def everything(db: Database, tables: tuple[str, ...] = LINK_TABLES) -> dict[str, Any]:
    return {table: sorted(db.execute_sql(f"SELECT * FROM {table}")) for table in tables}


# As MediaWiki has written them.
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("create new page", 708433107),
        ("== Summary ==\nReference upload", -355595592),
        ("== Summary ==\nReference upload\n", -142085337),
    ],
)
def test_comment_hash(text: str, number: int) -> None:
    assert comment_hash(text) == number


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        ("== Summary ==\nReference upload", "lj2vy6i1q8d8tuznwawzcow651paha8"),
        ("", "phoiac9h4m842xq45sp7s6u21eteeq1"),
    ],
)
def test_sha1_in_base_36(text: str, digest: str) -> None:
    assert sha1_base36(text.encode()) == digest


def test_sha1_has_31_digits_whatever_it_is() -> None:
    digests = [sha1_base36(str(i).encode()) for i in range(500)]
    assert {len(digest) for digest in digests} == {31}
    assert any(digest.startswith("0") for digest in digests)


def test_sha1_of_a_revision() -> None:
    main, other = sha1_base36(b"main"), sha1_base36(b"other")
    assert combined_sha1({"main": main}) == main
    chained = sha1_base36((main + other).encode())
    assert combined_sha1({"zother": other, "main": main}) == chained


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("127.0.0.1", "7F000001"),
        ("192.0.2.7", "C0000207"),
        ("2001:db8::1", "v6-20010DB8000000000000000000000001"),
        ("Ada", ""),
        ("", ""),
        ("fe80::1%eth0", ""),
        ("1.2.3.4.5", ""),
        ("١.٢.٣.٤", ""),
    ],
)
def test_addresses_in_hexadecimal(text: str, digits: str) -> None:
    assert ip_to_hex(text) == digits


def test_edits_by_address_are_listed(wiki: Database) -> None:
    assert wiki.execute(IpChanges.select()) == [(2, "20240101000002", "C0000207")]


def test_ids_are_found_again_by_another_writer(db: Database) -> None:
    keys = [(0, "A"), (10, "A"), (0, "B")]
    first = LinkTargets(db).ids(keys)
    assert LinkTargets(db).ids([*keys, (0, "C")]) == {**first, (0, "C"): 4}
    assert slot_roles(db).ids(["main"]) == slot_roles(db).ids(["main"])
    assert len(db.execute(LinkTarget.select())) == 4


def test_the_id_of_a_role_is_read_once_after_its_row_was_committed(db: Database) -> None:
    with suppress(StoreError), db.atomic():
        slot_roles(db).id("media")
        raise StoreError("the transaction is undone")
    with db.atomic():
        assert slot_roles(db).id("other") == slot_roles(db).id("other")
    with db.recording() as records:
        slot_roles(db).id("other")
    assert records == []
    slot_roles(db).id("media")
    query = SlotRoles.select(SlotRoles.role_id).where(SlotRoles.role_name == "media")
    assert db.scalar(query) == slot_roles(db).id("media")


def test_a_lasting_id_is_not_that_of_a_deleted_row(db: Database) -> None:
    ids = []
    for name in ("one", "two", "three"):
        with db.atomic():
            ids.append(lasting_id(db, ChangeTagDef.ctd_id))
            db.insert_many(ChangeTagDef, [(ids[-1], name, 1, 0)])
        if name != "one":
            db.execute_write(ChangeTagDef.delete().where(ChangeTagDef.ctd_id == ids[-1]))
    assert ids == sorted(set(ids))


def test_a_lasting_id_follows_rows_that_have_other_ids(db: Database) -> None:
    db.insert_many(ChangeTagDef, [(1_000, "one", 1, 0)])
    with db.atomic():
        assert lasting_id(db, ChangeTagDef.ctd_id) == 1_001


def test_a_small_cache_only_costs_queries(db: Database) -> None:
    small = LinkTargets(db, capacity=3)
    keys = [(0, f"T{i}") for i in range(20)]
    assert small.ids(keys) == small.ids(keys) == LinkTargets(db).ids(keys)
    assert len(db.execute(LinkTarget.select())) == 20


def test_what_is_cached_is_not_queried(db: Database) -> None:
    comments = Comments(db)
    comments.ids(["a", "b"])
    with db.recording() as log:
        comments.ids(["b", "a", "a"])
    assert log == []


def test_texts_of_the_same_hash_are_two_comments(db: Database) -> None:
    # A known collision of CRC-32.
    assert comment_hash("plumless") == comment_hash("buckeroo")
    ids = Comments(db).ids(["plumless"]) | Comments(db).ids(["buckeroo"])
    assert len(set(ids.values())) == 2
    assert Comments(db).ids(["buckeroo"]) == {"buckeroo": ids["buckeroo"]}
    assert len(db.execute(Comment.select())) == 2


def test_an_account_belongs_to_one_name(db: Database) -> None:
    old, new, guest = Person(5, "Old"), Person(5, "New"), Person(0, "192.0.2.1")
    ids = Actors(db).ids([old, new, guest])
    assert len(set(ids.values())) == 3
    query = Actor.select(Actor.actor_name, Actor.actor_user).order_by(Actor.actor_name)
    assert db.execute(query) == [("192.0.2.1", None), ("New", None), ("Old", 5)]
    assert Actors(db).ids([Person(0, "Old")]) == {Person(0, "Old"): ids[old]}
    assert len(set(Actors(db).ids([Person(5, "Newest")]).values())) == 1


def test_writing_the_links_of_a_page_again_changes_nothing(wiki: Database) -> None:
    before = everything(wiki)
    with wiki.recording() as log:
        LinkWriter(wiki).replace(LINKS)
    assert everything(wiki) == before
    assert {record.statement.partition(" ")[0] for record in log} == {"SELECT"}


def test_links_become_those_of_the_page_whatever_they_were(wiki: Database) -> None:
    random = Random(1)

    def some(values: Sequence[T]) -> list[T]:
        return random.sample(values, random.randrange(len(values) + 1))

    def page_links(page_id: int) -> PageLinkSet:
        keys = [(0, "Alpha"), (0, "Un peu"), (10, "Nav"), (14, "Letters")]
        words = ["a", "b", "é", "'%_"]
        times = ["20240101000000", "20250101000000"]
        return PageLinkSet(
            page_id,
            random.choice((0, 14)),
            templates=some(keys),
            pages=some([*keys, *keys]),
            existence=some(keys),
            images=some(words),
            categories=[
                CategoryLink(
                    *(name, random.choice(words), random.choice(words).encode()),
                    *(random.choice(("page", "subcat")), random.choice(times)),
                )
                for name in some(words)
            ],
            external=[f"https://{random.choice(words)}.example/{word}" for word in some(words)],
            interwiki=[(random.choice(words), word) for word in some(words)],
            languages=[(word, random.choice(words)) for word in some(words)],
            redirect=random.choice((None, RedirectTarget(0, "A"), RedirectTarget(0, "A", "de"))),
            properties={word: random.choice(words) for word in some(words)},
        )

    def rows_of(page_ids: Sequence[int]) -> dict[str, set[tuple[Any, ...]]]:
        return {
            table.name: {row for row in wiki.execute(table.query) if row[0] in page_ids}
            for table in TABLES
        }

    for _ in range(40):
        sets = [page_links(page_id) for page_id in some([1, 2, 3])]
        others = {1, 2, 3, 5} - {links.page_id for links in sets}
        before = rows_of(sorted(others))
        LinkWriter(wiki).replace(sets)
        assert rows_of(sorted(others)) == before
        for table in TABLES:
            expected = {(s.page_id, *row) for s in sets for row in table.expected(s)}
            assert rows_of([s.page_id for s in sets])[table.name] == expected, table.name


def test_a_page_keeps_the_time_when_it_was_added_to_a_category(wiki: Database) -> None:
    def write(*links: CategoryLink) -> dict[str, str]:
        LinkWriter(wiki).replace([PageLinkSet(1, 0, categories=links)])
        query = CategoryLinks.select(LinkTarget.lt_title, CategoryLinks.cl_timestamp)
        query = query.join(LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id))
        return dict(wiki.execute(query.where(CategoryLinks.cl_from == 1)))

    first, second, third = "20240101000000", "20250101000000", "20260101000000"
    write(CategoryLink("A", "", b"X", "page", first), CategoryLink("B", "", b"X", "page", first))
    assert write(
        CategoryLink("A", "", b"X", "page", second),
        CategoryLink("B", "b", b"B", "page", second),
        CategoryLink("C", "", b"X", "page", second),
    ) == {"A": first, "B": second, "C": second}
    write()
    assert write(CategoryLink("A", "", b"X", "page", third)) == {"A": third}


def test_an_external_link_keeps_its_number_while_others_come_and_go(wiki: Database) -> None:
    def write(*urls: str) -> dict[str, int]:
        LinkWriter(wiki).replace([PageLinkSet(1, 0, external=[f"https://{url}/" for url in urls])])
        rows = wiki.execute_sql(
            "SELECT el_to_domain_index, el_id FROM externallinks WHERE el_from = 1 ORDER BY el_id"
        )
        return dict(rows)

    first = list(write("a.example", "b.example", "c.example").values())
    again = write("d.example", "c.example", "a.example")
    assert list(again.values())[:2] == [first[0], first[2]]
    assert len(again) == 3
    assert max(again.values()) > max(first)


def test_an_external_link_that_is_stored_twice_keeps_its_first_row(wiki: Database) -> None:
    query = ExternalLinks.select(ExternalLinks.el_id).where(ExternalLinks.el_from == 1)
    [(first,)] = wiki.execute(query)
    columns = ("el_from", "el_to_domain_index", "el_to_path")
    [link] = wiki.execute(ExternalLinks.select(*(getattr(ExternalLinks, n) for n in columns)))
    wiki.insert_many(ExternalLinks, [link], columns)
    LinkWriter(wiki).replace(LINKS)
    assert wiki.execute(query) == [(first,)]


def test_links_that_no_longer_exist_are_removed(wiki: Database) -> None:
    LinkWriter(wiki).replace([PageLinkSet(1, 0, pages=[(0, "New")])])
    query = PageLinks.select(LinkTarget.lt_title).join(
        LinkTarget, on=(LinkTarget.lt_id == PageLinks.pl_target_id)
    )
    assert wiki.execute(query.where(PageLinks.pl_from == 1)) == [("New",)]
    assert wiki.execute_sql("SELECT COUNT(*) FROM templatelinks") == [(0,)]
    delete_links(wiki, [1, 2, 3, 5])
    assert all(rows == [] for rows in everything(wiki).values())


def test_a_batch_of_links_is_written_wholly_or_not_at_all(wiki: Database) -> None:
    before = everything(wiki)
    broken = PageLinkSet(2, 0, pages=[(0, "Fine")], images=["\ud800"])
    with pytest.raises(Exception, match="surrogates"):
        LinkWriter(wiki).replace([broken])
    assert everything(wiki) == before


def test_the_number_of_statements_for_links_does_not_grow_with_the_pages(db: Database) -> None:
    def statements(first: int, count: int) -> int:
        writer = LinkWriter(db)
        ids = range(first, first + count)
        sets = [PageLinkSet(i, 0, pages=[(0, f"T{i}")], images=["A"]) for i in ids]
        with db.recording() as log:
            writer.replace(sets)
        return len(log)

    assert statements(1000, 200) == statements(2000, 2)


def test_a_revision_shares_the_slots_of_another(wiki: Database) -> None:
    first = wiki.scalar(Revision.select(Revision.rev_id).limit(1))
    columns = (Slots.slot_role_id, Slots.slot_content_id, Slots.slot_origin)
    share_slots(wiki, first, 4711)
    ours, theirs = (
        wiki.execute(Slots.select(*columns).where(Slots.slot_revision_id == number))
        for number in (4711, first)
    )
    assert ours == theirs
    assert theirs


def test_the_number_of_statements_for_revisions_does_not_grow_either(db: Database) -> None:
    def statements(first: int, count: int) -> int:
        writer = RevisionWriter(db)
        batch = [revision(i, i, f"text {i}", comment=str(i)) for i in range(first, first + count)]
        with db.recording() as log:
            writer.add(batch)
        return len(log)

    # What the first batch of all makes besides: the role, the model, the actor.
    statements(1, 1)
    assert statements(1000, 200) == statements(2000, 2)


def test_pages_replace_what_has_their_id_or_title(wiki: Database) -> None:
    put_pages(wiki, [page(1, 0, "Renamed", 2), page(9, 0, "Béta", 3)])
    rows = pages.by_titles(wiki, [(0, "Alpha"), (0, "Renamed"), (0, "Béta")])
    assert {key[1]: row.page_id for key, row in rows.items()} == {"Renamed": 1, "Béta": 9}


def test_categories_are_counted_again(wiki: Database) -> None:
    members = [
        PageLinkSet(4, 10, categories=[CategoryLink("Letters", "", b"NAV", "subcat", "20240101")]),
        PageLinkSet(6, 6, categories=[CategoryLink("Other", "", b"SUN", "file", "20240101")]),
    ]
    LinkWriter(wiki).replace(members)
    counts.recount_categories(wiki)
    columns = (Category.cat_title, Category.cat_pages, Category.cat_subcats, Category.cat_files)
    query = Category.select(*columns).order_by(Category.cat_id)
    assert wiki.execute(query) == [("Letters", 3, 1, 0), ("Other", 1, 0, 1)]
    delete_links(wiki, [1, 2, 4, 6])
    counts.recount_categories(wiki)
    # Letters has a page, Other has none.
    assert wiki.execute(query) == [("Letters", 0, 0, 0)]


def test_the_site_is_counted_again(wiki: Database) -> None:
    # Articles: Alpha alone. Béta links to no page, Gamma is a redirect, Nav a template.
    assert sitestats.statistics(wiki) == Statistics(9, 1, 6, 1, 0, 1)
    columns = ("rc_timestamp", "rc_actor", "rc_comment_id", "rc_source", "rc_bot", "rc_log_type")
    actors = dict(wiki.execute(Actor.select(Actor.actor_name, Actor.actor_id)))
    changes = [
        ("20240105000000", actors["Ada"], 1, "mw.edit", 0, None),
        ("20240105000000", actors["192.0.2.7"], 1, "mw.edit", 0, None),
    ]
    wiki.insert_many(RecentChanges, changes, columns)
    counts.recount_site(wiki, active_since="20240104000000")
    assert sitestats.statistics(wiki).active_users == 1
    counts.recount_site(wiki, (0, 10), active_since="20240106000000")
    assert sitestats.statistics(wiki).active_users == 0


def test_tags(wiki: Database) -> None:
    tag_change(wiki, ["minor fix", "other", "minor fix"], revision_id=1)
    tag_revisions(wiki, "minor fix", {2: 0}, "")
    query = ChangeTagDef.select(ChangeTagDef.ctd_name, ChangeTagDef.ctd_count)
    assert dict(wiki.execute(query)) == {"minor fix": 2, "other": 1}
    assert len(wiki.execute(ChangeTag.select())) == 3
    assert tags.of_revisions(wiki, [1, 2, 3]) == {1: ["minor fix", "other"], 2: ["minor fix"]}


def test_loading_makes_the_same_store_as_writing(db: Database) -> None:
    complete = db.catalog.indexes()
    with bulk.loading(db):
        assert "page_random" in bulk.missing_indexes(db)
        fill(db)
    assert bulk.missing_indexes(db) == []
    assert db.catalog.indexes() == complete
    assert len(db.execute(Page.select())) == len(PAGES)


def test_loading_more_into_a_store_keeps_its_indexes(wiki: Database) -> None:
    with bulk.loading(wiki):
        assert bulk.missing_indexes(wiki) == []


def test_a_loading_that_failed_leaves_the_indexes(db: Database) -> None:
    with pytest.raises(KeyError), bulk.loading(db):
        raise KeyError
    assert bulk.missing_indexes(db) == []


def test_a_loading_that_was_killed_is_taken_up_again(wiki: Database) -> None:
    # As if the process had ended in the midst of the block.
    wiki.execute_sql(drop_index(Revision, Revision._meta.named_indexes[0], wiki.dialect))
    with bulk.loading(wiki):
        assert len(bulk.missing_indexes(wiki)) > 1
    assert bulk.missing_indexes(wiki) == []


def test_search_follows_a_new_revision(wiki: Database) -> None:
    def find(word: str) -> list[int]:
        return page_ids(wiki, Search(Column.TEXT, [Term(word)]), 10)

    search.remove(wiki, [2])
    RevisionWriter(wiki).add([revision(9, 2, "An ocean")])
    wiki.execute_write(Page.update(page_latest=9).where(Page.page_id == 2))
    search.add(wiki, [2])
    assert (find("sky"), find("ocean")) == ([], [2])
    if wiki.dialect.name == "sqlite":
        wiki.execute_sql("INSERT INTO searchindex (searchindex) VALUES ('integrity-check')")
