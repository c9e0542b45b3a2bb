"""The command; what it calls has tests of its own."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.cli import main

DUMP = dump(page("A", 1, revision(1, "[[B]]")), page("B", 2, revision(2, "b {{T}}")))


@pytest.fixture(autouse=True)
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wikiapi.toml").write_text('[site]\nname = "Tests"\n')
    (tmp_path / "a.xml").write_bytes(DUMP)
    assert wikiapi("import", "a.xml").exit_code == 0


def wikiapi(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def change(statement: str) -> None:
    with closing(sqlite3.connect("wikiapi.sqlite")) as db, db:
        db.execute(statement)


def test_a_whole_store() -> None:
    result = wikiapi("check", "a.xml")
    assert result.output == "2 pages, 2 revisions, 0 files: Nothing is wrong.\n"
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE text SET old_text = 'x' WHERE old_id = 1", "A: revision 1: the text has 1 bytes"),
        ("DELETE FROM pagelinks", "A: pagelinks lacks 0:B"),
        ("DELETE FROM actor", "A: revision 1: the author 1 does not exist"),
        ("UPDATE revision SET rev_timestamp = '20010101000000'", "A: revision 1: the time is "),
    ],
)
def test_a_broken_store(statement: str, words: str) -> None:
    change(statement)
    result = wikiapi("check", "a.xml")
    assert result.exit_code == 1
    assert f"error: {words}" in result.output
    assert "\n  -> " in result.output


def test_warnings_leave_the_status_alone() -> None:
    change("UPDATE site_stats SET ss_total_pages = 7")
    result = wikiapi("check")
    assert result.exit_code == 0
    assert "warning: site_stats counts 7 pages, there are 2\n" in result.output


def test_findings_of_one_kind_are_limited() -> None:
    change("UPDATE revision SET rev_len = 77")
    output = wikiapi("check", "--most", "1", "--sample", "0").output
    assert "more findings about texts" in output


def test_json() -> None:
    change("DELETE FROM pagelinks")
    data = json.loads(wikiapi("check", "--json", "--links").output)
    assert (data["ok"], data["pages"], data["revisions"]) == (False, 2, 2)
    problems = [(finding["page"], finding["problem"]) for finding in data["findings"]]
    assert ("A", "pagelinks lacks 0:B") in problems


def test_nothing_is_written(tmp_path: Path) -> None:
    before = (tmp_path / "wikiapi.sqlite").read_bytes()
    wikiapi("check", "a.xml")
    assert (tmp_path / "wikiapi.sqlite").read_bytes() == before


def test_a_dump_that_cannot_be_read() -> None:
    result = wikiapi("check", "none.xml")
    assert result.exit_code == 1
    assert "Error: cannot read none.xml" in result.output
