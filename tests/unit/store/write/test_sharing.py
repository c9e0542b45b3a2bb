"""Transactions during which others can write."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.unit.store.wiki import ADA, STAMP
from wikiapi.errors import StoreConflict
from wikiapi.store.database import Database
from wikiapi.store.models import Archive, Category, Page, Revision, UpdateLog
from wikiapi.store.queries import generation, watermark
from wikiapi.store.write.counts import recount_categories_of
from wikiapi.store.write.ids import Actors, Comments, insert_new, next_id
from wikiapi.store.write.revisions import NewRevision, RevisionWriter
from wikiapi.store.write.sharing import sharing

_COLUMNS = (
    "page_namespace",
    "page_title",
    "page_random",
    "page_touched",
    "page_latest",
    "page_len",
)


@pytest.fixture
def shared(db: Database) -> Database:
    if not db.can_share:
        pytest.skip("one transaction writes at a time on this database")
    with db.atomic():
        # Whoever writes for the first time must be alone.
        Actors(db).id(ADA)
        Comments(db).id("")
    return db


def add_page(db: Database, title: str) -> int:
    return insert_new(db, Page.page_id, (0, title, 0.5, STAMP, 1, 0), _COLUMNS)


def new_revision(page_id: int) -> NewRevision:
    return NewRevision(0, page_id, 0, STAMP, 0, 0, ADA, "", 0, "", ())


def in_other_thread(function: Callable[[], object]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(function).result(20)


def test_ids_follow_those_that_rows_were_given(db: Database) -> None:
    with sharing(db):
        first = add_page(db, "First")
    with db.atomic():
        columns = ("page_id", *_COLUMNS)
        db.insert_many(Page, [(first + 500, 0, "Given", 0.5, STAMP, 1, 0)], columns)
    with sharing(db):
        assert add_page(db, "After") == first + 501


def test_ids_follow_those_of_deleted_rows(shared: Database) -> None:
    columns = ("ar_rev_id", "ar_page_id", "ar_title", "ar_comment_id", "ar_actor", "ar_timestamp")
    with shared.atomic():
        shared.insert_many(Archive, [(900, 800, "Deleted", 1, 1, STAMP)], columns)
    with sharing(shared):
        page_id = add_page(shared, "New")
        assert page_id > 800
        assert RevisionWriter(shared).insert_new(new_revision(page_id)).rev_id > 900


def test_others_write_meanwhile(shared: Database) -> None:
    """No other test uses the titles: InnoDB locks the gap at a deleted row of the same title."""

    def write() -> None:
        with sharing(shared):
            add_page(shared, "Written meanwhile")

    with sharing(shared):
        first = add_page(shared, "Written first")
        in_other_thread(write)
        assert shared.is_sharing
    rows = shared.execute(Page.select(Page.page_title).order_by(Page.page_id))
    assert [title for (title,) in rows] == ["Written first", "Written meanwhile"]
    assert first


def test_what_must_be_alone_is_repeated(shared: Database) -> None:
    states = []

    def write() -> None:
        with sharing(shared):
            states.append(shared.is_sharing)
            next_id(shared, Page.page_id)

    shared.repeated(write)
    assert states == [True, False]
    states.clear()
    shared.repeated(write)
    assert states == [True, False]


def test_a_row_that_others_have_inserted_is_a_conflict(shared: Database) -> None:
    with sharing(shared):
        add_page(shared, "Page")
    with pytest.raises(StoreConflict), sharing(shared):
        add_page(shared, "Page")


def test_a_watermark_shows_what_becomes_visible_late(shared: Database) -> None:
    with sharing(shared):
        early, late = add_page(shared, "Early"), add_page(shared, "Late")
        RevisionWriter(shared).insert_new(new_revision(early))
    inserted, ends = threading.Event(), threading.Event()

    def write() -> None:
        with sharing(shared):
            RevisionWriter(shared).insert_new(new_revision(late))
            inserted.set()
            assert ends.wait(20)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        assert inserted.wait(20)
        with sharing(shared):
            RevisionWriter(shared).insert_new(new_revision(early))
        mark = watermark.now(shared)
        assert watermark.changed_since(shared, mark).edited == frozenset()
        ends.set()
        writing.result(20)
    assert watermark.changed_since(shared, mark).edited == {late}


def test_a_transaction_does_not_fall_behind_the_window(shared: Database) -> None:
    with sharing(shared):
        page_id = add_page(shared, "Page")

    def write() -> None:
        for _ in range(watermark.WINDOW):
            with sharing(shared):
                RevisionWriter(shared).insert_new(new_revision(page_id))

    def fall_behind() -> None:
        with sharing(shared):
            RevisionWriter(shared).insert_new(new_revision(page_id))
            in_other_thread(write)

    with pytest.raises(StoreConflict):
        fall_behind()
    assert len(shared.execute(Revision.select(Revision.rev_id))) == watermark.WINDOW


def test_each_transaction_advances_the_generation_once(db: Database) -> None:
    before = generation.current(db)
    with sharing(db):
        generation.advance(db)
    with sharing(db):
        generation.advance(db)
    assert generation.current(db) == before + 2


def test_a_category_is_not_removed_while_others_count(shared: Database) -> None:
    with shared.atomic():
        shared.insert_many(Category, [(1, "Gone", 3, 0, 0)])
    with pytest.raises(StoreConflict), sharing(shared):
        recount_categories_of(shared, ["Gone"])

    def recount() -> None:
        with sharing(shared):
            recount_categories_of(shared, ["Gone"])

    shared.repeated(recount)
    assert shared.execute(Category.select(Category.cat_title)) == []


def test_the_row_of_all_writers_is_made_when_it_is_needed(shared: Database) -> None:
    with shared.atomic():
        shared.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == "wikiapi writing"))
    with sharing(shared):
        assert shared.is_sharing
        add_page(shared, "Page")
    assert shared.scalar(Page.select(Page.page_title)) == "Page"
