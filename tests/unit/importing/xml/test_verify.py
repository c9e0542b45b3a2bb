"""A store against the dump it was made from."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.importing.importer import ImportReport
from wikiapi.importing.xml import verify
from wikiapi.importing.xml.reader import read_records
from wikiapi.importing.xml.verify import DumpComparison
from wikiapi.site import Site
from wikiapi.store.check import Finding, Severity

ImportBytes = Callable[..., ImportReport]

DUMP = dump(
    page("A", 1, revision(1, "one"), revision(2, "two", parent=1, day=2)),
    page("Template:B", 3, revision(4, "ü"), ns=10),
)


@pytest.fixture(params=[1, 500], ids=["one by one", "at once"])
def imported(
    site: Site,
    import_bytes: ImportBytes,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Site:
    monkeypatch.setattr(verify, "REVISIONS_PER_BATCH", request.param)
    import_bytes(DUMP)
    return site


def compare(site: Site, data: bytes = DUMP) -> list[Finding]:
    return list(DumpComparison(site).compare(read_records([data])))


def differences(site: Site, data: bytes = DUMP) -> list[tuple[tuple[int, str] | None, str, str]]:
    return [(finding.page, finding.place, finding.problem) for finding in compare(site, data)]


def test_what_agrees_is_not_reported(imported: Site) -> None:
    assert differences(imported) == []


def test_what_was_compared_is_counted(imported: Site) -> None:
    comparison = DumpComparison(imported)
    list(comparison.compare(read_records([DUMP])))
    assert (comparison.pages, comparison.revisions) == (2, 3)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("DELETE FROM page WHERE page_id = 3", ((10, "B"), "", "the page is not in the store")),
        (
            "DELETE FROM revision WHERE rev_id = 1",
            ((0, "A"), "revision 1", "it is not in the store"),
        ),
        (
            "UPDATE page SET page_latest = 1 WHERE page_id = 1",
            ((0, "A"), "", "its latest revision is 1, in the dump 2"),
        ),
        (
            "UPDATE page SET page_title = 'Z' WHERE page_id = 1",
            ((0, "A"), "", "in the store it is 'Z' in namespace 0"),
        ),
    ],
    ids=["missing page", "missing revision", "older revision", "another title"],
)
def test_what_differs(
    imported: Site, change: str, finding: tuple[tuple[int, str], str, str]
) -> None:
    imported.db.execute_sql(change)
    assert differences(imported) == [finding]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("rev_sha1 = 'x'", "the hash of the text is 'x', in the dump '"),
        ("rev_len = 9", "the length is 9, in the dump 3"),
        ("rev_minor_edit = 1", "the minor flag is 1, in the dump 0"),
        ("rev_parent_id = 7", "the parent is 7, in the dump 0"),
        ("rev_page = 3", "the page is 3, in the dump 1"),
        ("rev_deleted = 2", "the visibility is 2, in the dump 0"),
        ("rev_timestamp = '20000101000000'", "the time is '20000101000000', in the dump '2024"),
        ("rev_actor = 99", "the author is '', in the dump 'Ada'"),
    ],
)
def test_a_revision_that_differs(imported: Site, change: str, problem: str) -> None:
    imported.db.execute_sql(f"UPDATE revision SET {change} WHERE rev_id = 1")
    (difference,) = differences(imported)
    assert difference[:2] == ((0, "A"), "revision 1")
    assert difference[2].startswith(problem)


def test_a_page_under_another_id(imported: Site) -> None:
    imported.db.execute_sql("UPDATE page SET page_id = 8 WHERE page_id = 1")
    problems = [problem for _, _, problem in differences(imported)]
    assert problems[0] == "its id is 8, in the dump 1"


def test_a_newer_state_of_a_page_is_right(imported: Site, import_bytes: ImportBytes) -> None:
    newer = dump(page("A", 1, revision(9, "newer", parent=2, day=9)))
    import_bytes(newer)
    assert differences(imported) == []


def test_pages_that_the_dump_has_not_are_a_note(imported: Site) -> None:
    (finding,) = compare(imported, dump(page("A", 1, revision(2, "two", parent=1, day=2))))
    assert finding.severity is Severity.NOTE
    assert finding.problem == "the store has 1 page that is not in the dump"


def test_a_title_that_no_page_can_have_is_a_warning(imported: Site) -> None:
    data = DUMP.replace(b"</mediawiki>", page("A|B", 7).encode() + b"</mediawiki>")
    (finding,) = compare(imported, data)
    assert finding.severity is Severity.WARNING
    assert "'A|B'" in finding.problem
