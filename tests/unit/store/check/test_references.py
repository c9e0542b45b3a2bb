"""Every reference that is declared is noticed when it points nowhere."""

from __future__ import annotations

import pytest

from tests.unit.store.kinds import only_sqlite
from wikiapi.store.check import Severity, references
from wikiapi.store.check.references import REFERENCES, Reference, check_references
from wikiapi.store.database import Database


def problems(db: Database) -> list[str]:
    return [finding.problem for finding in check_references(db)]


def test_a_whole_store_has_no_findings(db: Database) -> None:
    assert problems(db) == []


@pytest.mark.parametrize(
    ("statement", "page", "problem"),
    [
        (
            "UPDATE page SET page_latest = 99 WHERE page_title = 'Beta'",
            (0, "Beta"),
            "the latest revision 99 does not exist (page)",
        ),
        (
            "DELETE FROM slots WHERE slot_revision_id = 1",
            (0, "Alpha"),
            "it has no slots (revision)",
        ),
        (
            "UPDATE revision SET rev_actor = 77 WHERE rev_id = 1",
            (0, "Alpha"),
            "the author 77 does not exist (revision)",
        ),
        (
            "UPDATE revision SET rev_comment_id = 78 WHERE rev_id = 1",
            (0, "Alpha"),
            "the summary 78 does not exist (revision)",
        ),
        (
            "UPDATE slots SET slot_content_id = 79 WHERE slot_revision_id = 1",
            (0, "Alpha"),
            "the content 79 does not exist (slots)",
        ),
        (
            "UPDATE content SET content_model = 80 WHERE content_id = 1",
            (0, "Alpha"),
            "the content model 80 does not exist (content)",
        ),
        (
            "UPDATE content SET content_address = 'tt:81' WHERE content_id = 1",
            (0, "Alpha"),
            "the text 81 does not exist (content)",
        ),
        (
            "UPDATE pagelinks SET pl_target_id = 82",
            (0, "Alpha"),
            "the link target 82 does not exist (pagelinks)",
        ),
        (
            "UPDATE page SET page_latest = 1 WHERE page_title = 'Beta'",
            (0, "Beta"),
            "the latest revision 1 belongs to page 1",
        ),
    ],
    ids=lambda value: value.split("(")[0].strip() if isinstance(value, str) else None,
)
def test_a_broken_reference_names_the_page(
    db: Database, statement: str, page: tuple[int, str], problem: str
) -> None:
    db.execute_sql(statement)
    findings = list(check_references(db))
    assert (page, problem) in [(finding.page, finding.problem) for finding in findings]
    assert all(finding.advice for finding in findings)


@pytest.mark.parametrize(
    "reference", [r for r in REFERENCES if r.source is r.value and r.kind == "page"], ids=str
)
def test_links_of_a_page_that_is_gone(db: Database, reference: Reference) -> None:
    table, column = reference.source.model._meta.table_name, reference.source.column_name
    has_rows = db.execute_sql(f"SELECT COUNT(*) FROM {table}")[0][0]
    db.execute_sql(f"UPDATE {table} SET {column} = 55")
    findings = [
        finding for finding in check_references(db) if finding.problem.endswith(f"({table})")
    ]
    assert [finding.place for finding in findings] == (["page 55"] if has_rows else [])


def test_a_text_that_is_stored_elsewhere_is_no_matter_of_ours(db: Database) -> None:
    db.execute_sql("UPDATE content SET content_address = 'DB://cluster1/1' WHERE content_id = 1")
    assert problems(db) == []


def test_a_revision_of_no_page_is_a_warning(db: Database) -> None:
    db.execute_sql("DELETE FROM page WHERE page_title = 'Template:T' OR page_title = 'T'")
    finding = next(f for f in check_references(db) if f.place.startswith("revision"))
    assert finding.severity is Severity.WARNING
    assert finding.page is None


@only_sqlite
def test_tables_that_an_older_mediawiki_lacks_are_passed_by(db: Database) -> None:
    db.execute_sql("DROP TABLE existencelinks")
    assert problems(db) == []


def test_many_rows_are_counted(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "_MOST", 2)
    db.execute_sql("UPDATE revision SET rev_actor = 77")
    findings = [f for f in check_references(db) if "author" in f.problem or "more" in f.problem]
    assert [(f.problem, f.times) for f in findings] == [
        ("the author 77 does not exist (revision)", 1),
        ("the author 77 does not exist (revision)", 1),
        ("2 more rows like these (revision)", 2),
    ]
