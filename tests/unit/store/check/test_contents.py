"""Sizes and hashes against the texts."""

from __future__ import annotations

import zlib

import pytest

from wikiapi.store.check import Severity, contents
from wikiapi.store.check.contents import check_contents
from wikiapi.store.database import Database
from wikiapi.store.models import Text


def findings(db: Database) -> list[tuple[tuple[int, str] | None, str, str]]:
    return [(finding.page, finding.place, finding.problem) for finding in check_contents(db)]


def test_whole_texts_have_no_findings(db: Database) -> None:
    assert findings(db) == []


def test_progress_counts_the_revisions(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "REVISIONS_PER_BATCH", 3)
    seen: list[int] = []
    list(check_contents(db, seen.append))
    assert seen == [3, 4]


def test_small_portions_find_the_same(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "BYTES_PER_FETCH", 1)
    monkeypatch.setattr(contents, "REVISIONS_PER_BATCH", 1)
    db.execute_sql("UPDATE text SET old_text = 'F!rst' WHERE old_text = 'first'")
    assert len(findings(db)) == 1


def test_a_changed_text_of_the_same_length(db: Database) -> None:
    db.execute_sql("UPDATE text SET old_text = 'F!rst' WHERE old_text = 'first'")
    ((page, place, problem),) = findings(db)
    assert (page, place) == ((0, "Alpha"), "revision 1")
    assert problem.startswith("the text has the hash ")


def test_a_text_that_was_cut(db: Database) -> None:
    db.execute_sql("UPDATE text SET old_text = 'fir' WHERE old_text = 'first'")
    assert findings(db) == [((0, "Alpha"), "revision 1", "the text has 3 bytes, not 5")]


def test_a_compressed_text_is_unpacked(db: Database) -> None:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = packer.compress(b"first") + packer.flush()
    changed = Text.update(old_text=packed, old_flags="utf-8,gzip")
    db.execute_write(changed.where(Text.old_text == "first"))
    assert findings(db) == []


def test_a_broken_compressed_text(db: Database) -> None:
    db.execute_sql("UPDATE text SET old_flags = 'utf-8,gzip' WHERE old_text = 'first'")
    ((_, place, problem),) = findings(db)
    assert place == "revision 1"
    assert problem.startswith("compressed text is ")


def test_a_text_stored_elsewhere_is_a_warning(db: Database) -> None:
    db.execute_sql("UPDATE content SET content_address = 'DB://cluster1/1' WHERE content_id = 1")
    (finding,) = check_contents(db)
    assert finding.severity is Severity.WARNING
    assert "DB://cluster1/1" in finding.problem


def test_a_text_that_the_dump_withheld_is_a_warning(db: Database) -> None:
    db.execute_sql("UPDATE text SET old_text = '' WHERE old_text = 'first'")
    (finding,) = check_contents(db)
    assert finding.severity is Severity.WARNING
    assert finding.problem == "the text is not in the store (5 bytes)"


def test_a_suppressed_text_may_be_missing(db: Database) -> None:
    db.execute_sql("UPDATE text SET old_text = '' WHERE old_text = 'first'")
    db.execute_sql("UPDATE revision SET rev_deleted = 1 WHERE rev_id = 1")
    assert findings(db) == []


def test_wrong_records_of_a_revision(db: Database) -> None:
    db.execute_sql("UPDATE revision SET rev_len = 6, rev_sha1 = 'x' WHERE rev_id = 1")
    problems = [problem for _, _, problem in findings(db)]
    assert problems[0] == "rev_len is 6, its contents have 5 bytes"
    assert problems[1].startswith("rev_sha1 is x, by its contents ")


def test_hashes_that_an_old_store_lacks_are_not_missed(db: Database) -> None:
    db.execute_sql("UPDATE revision SET rev_sha1 = ''")
    db.execute_sql("UPDATE content SET content_sha1 = ''")
    assert findings(db) == []


def test_wrong_length_of_a_page(db: Database) -> None:
    db.execute_sql("UPDATE page SET page_len = 1 WHERE page_title = 'Beta'")
    assert findings(db) == [((0, "Beta"), "", "page_len is 1, its latest revision has 11 bytes")]
