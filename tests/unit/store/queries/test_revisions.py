"""Revisions, slots and texts; what is suppressed."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from tests.unit.store.wiki import revision
from wikiapi.errors import StoreCorrupt
from wikiapi.store.database import Database
from wikiapi.store.models import Archive, Content, Revision, Text
from wikiapi.store.queries import revisions, slots, texts
from wikiapi.store.queries.texts import PageText, RevisionText, decode_text, inflate
from wikiapi.store.write.revisions import RevisionWriter, sha1_base36


def suppress(db: Database, bits: int) -> None:
    db.execute_write(Revision.update(rev_deleted=bits).where(Revision.rev_id == 1))


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def test_a_revision_with_author_and_summary(wiki: Database) -> None:
    rows = revisions.by_ids(wiki, [1, 2, 100])
    assert set(rows) == {1, 2}
    first, second = rows[1], rows[2]
    assert (first.user_id, first.user_name, first.comment) == (1, "Ada", "start")
    assert (second.user_id, second.user_name, second.parent_id) == (0, "192.0.2.7", 1)
    assert first.sha1 == sha1_base36(b"First.")
    assert (first.length, first.timestamp, first.page_id) == (6, "20240101000001", 1)


@pytest.mark.parametrize(
    ("bits", "hidden"),
    [
        (0, set()),
        (1, {"sha1"}),
        (2, {"comment"}),
        (4, {"user_name", "user_id"}),
        (15, {"sha1", "comment", "user_name", "user_id"}),
    ],
)
def test_suppressed_fields_never_leave_the_store(
    wiki: Database, bits: int, hidden: set[str]
) -> None:
    suppress(wiki, bits)
    row = revisions.by_ids(wiki, [1])[1]
    unknown = {"archive_id", "patrolled"}  # which by_ids does not select
    assert {name for name, value in row._asdict().items() if value is None} == hidden | unknown
    assert row.deleted == bits


def test_suppressed_text_is_none(wiki: Database) -> None:
    assert texts.of_revisions(wiki, [1]) == {1: RevisionText(1, 1, "wikitext", "First.")}
    suppress(wiki, 1)
    assert texts.of_revisions(wiki, [1]) == {1: RevisionText(1, 1, "wikitext", None)}
    wiki.execute_write(Revision.update(rev_deleted=1).where(Revision.rev_id == 3))
    assert texts.current(wiki, [(0, "Béta")])[0, "Béta"].text is None


def test_archived_revisions_are_masked_too(wiki: Database) -> None:
    query = revisions.SELECT_ARCHIVED_REVISIONS.order_by(Archive.ar_rev_id)
    visible, hidden = (revisions.read(row) for row in wiki.execute(query))
    assert (visible.rev_id, visible.sha1) == (100, sha1_base36(b"gone"))
    assert (hidden.rev_id, hidden.sha1) == (101, None)


def test_latest_of_pages(wiki: Database) -> None:
    rows = revisions.latest_of_pages(wiki, [1, 2, 99])
    assert {page_id: row.rev_id for page_id, row in rows.items()} == {1: 2, 2: 3}


def test_lengths_of_live_and_deleted_revisions(wiki: Database) -> None:
    assert revisions.parent_lengths(wiki, [0, 1, 100, 555]) == {1: 6, 100: 12}


def test_a_length_that_was_never_stored_is_0(wiki: Database) -> None:
    wiki.execute_write(Revision.update(rev_len=None).where(Revision.rev_id == 1))
    assert revisions.parent_lengths(wiki, [1]) == {1: 0}


def test_times_of_live_and_deleted_revisions(wiki: Database) -> None:
    assert revisions.timestamps(wiki, [-1, 0, 1, 100, 555]) == {
        1: "20240101000001",
        100: "20240101000000",
    }


def test_a_refined_query(wiki: Database) -> None:
    query = revisions.SELECT_REVISIONS_WITH_PAGE.where(Revision.rev_page == 1)
    query = query.order_by(Revision.rev_timestamp.desc(), Revision.rev_id.desc())
    assert [revisions.read(row).rev_id for row in wiki.execute(query)] == [2, 1]


def test_slots(wiki: Database) -> None:
    slot = slots.of_revisions(wiki, [3, 99])[3]["main"]
    assert (slot.role, slot.model, slot.origin, slot.size) == ("main", "wikitext", 3, 29)
    assert texts.by_addresses(wiki, [slot.address]) == {
        slot.address: "A [[File:Sun.png]] in the sky"
    }


def test_which_revisions_are_current(wiki: Database) -> None:
    rows = texts.current(wiki, [(0, "Alpha"), (10, "Nav")]).values()
    ids = {(row.namespace, row.title): (row.page_id, row.revision_id) for row in rows}
    assert len(ids) == 2
    assert texts.current_ids(wiki, [*ids, (0, "None")]) == ids


def test_a_suppressed_revision_is_not_current(wiki: Database) -> None:
    assert texts.current_ids(wiki, [(0, "Béta")]) == {(0, "Béta"): (2, 3)}
    wiki.execute_write(Revision.update(rev_deleted=1).where(Revision.rev_id == 3))
    assert texts.current_ids(wiki, [(0, "Béta")]) == {}


def test_current_texts_by_title(wiki: Database) -> None:
    assert texts.current(wiki, [(0, "Alpha"), (0, "None"), (10, "Nav")]) == {
        (0, "Alpha"): PageText(1, 0, "Alpha", 2, "20240101000002", "wikitext", "[[Béta]] {{Nav}}"),
        (10, "Nav"): PageText(
            4, 10, "Nav", 5, "20240101000005", "wikitext", "<includeonly>nav</includeonly>"
        ),
    }


@pytest.mark.parametrize("as_text", [False, True])
def test_compressed_text_in_either_form_of_column(wiki: Database, *, as_text: bool) -> None:
    packed = deflated("Grüße, 世界 ".encode() * 20)
    if wiki.dialect.name != "sqlite":
        wiki.execute_write(Text.update(old_text=packed, old_flags="utf-8,gzip"))
    else:
        column = "CAST(? AS TEXT)" if as_text else "?"
        wiki.execute_sql(
            f"UPDATE text SET old_text = {column}, old_flags = 'utf-8,gzip'", (packed,)
        )
    assert texts.of_revisions(wiki, [1])[1].text == "Grüße, 世界 " * 20


@pytest.mark.parametrize("flags", ["object", "external", "utf-8,gzip,external", "zstd"])
def test_other_forms_are_refused_by_name(wiki: Database, flags: str) -> None:
    wiki.execute_write(Text.update(old_flags=flags))
    with pytest.raises(StoreCorrupt, match=flags.rpartition(",")[2]):
        texts.of_revisions(wiki, [1])


@pytest.mark.parametrize(
    "address", ["es:DB://cluster1/5", "tt:", "tt:x", "tt:٥", "tt:1\n", "5", ""]
)
def test_other_addresses_are_refused(wiki: Database, address: str) -> None:
    with pytest.raises(StoreCorrupt):
        texts.by_addresses(wiki, [address])


def test_an_external_address_is_refused_in_a_join_too(wiki: Database) -> None:
    wiki.execute_write(Content.update(content_address="es:DB://cluster1/5"))
    with pytest.raises(StoreCorrupt, match="es:DB"):
        texts.of_revisions(wiki, [1])


def test_a_text_that_is_not_there(wiki: Database) -> None:
    wiki.execute_write(Text.delete())
    with pytest.raises(StoreCorrupt, match="tt:1"):
        texts.of_revisions(wiki, [1])
    with pytest.raises(StoreCorrupt, match="tt:1"):
        texts.by_addresses(wiki, ["tt:1"])


@pytest.mark.parametrize(
    "raw", [b"\xff\xff\xff", deflated(b"x" * 100)[:-3], b"", deflated(b"")[:0] + b"\x00"]
)
def test_broken_compression(raw: bytes) -> None:
    with pytest.raises(StoreCorrupt):
        decode_text(raw, "gzip")


def test_a_bomb_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikiapi.store.queries.texts.LONGEST_TEXT", 10_000)
    assert len(inflate(deflated(b"x" * 10_000))) == 10_000
    with pytest.raises(StoreCorrupt, match="beyond"):
        inflate(deflated(b"x" * 10_001))


@pytest.mark.parametrize(
    ("raw", "flags", "text"),
    [
        (b"caf\xc3\xa9", "utf-8", "café"),
        (b"caf\xe9", "utf-8", "caf\ufffd"),
        ("café", "", "café"),
        (memoryview(b"x"), "utf-8", "x"),
    ],
)
def test_plain_texts(raw: Any, flags: str, text: str) -> None:
    assert decode_text(raw, flags) == text


def test_a_revision_is_written_once(wiki: Database) -> None:
    writer = RevisionWriter(wiki)
    new = revision(8, 2, "New")
    assert writer.add([new, new, revision(1, 1, "Other")]) == 1
    assert writer.add([new]) == 0
    assert texts.of_revisions(wiki, [1, 8])[1].text == "First."
    assert wiki.execute_sql("SELECT COUNT(*) FROM text") == [(8,)]
