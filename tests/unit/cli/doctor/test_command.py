"""The command; each check has tests of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main
from wikiapi.cli.doctor.checks import CHECKS
from wikiapi.errors import StoreError
from wikiapi.testing import make_site


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *arguments])


def make_store(folder: Path) -> None:
    site = make_site({"Main Page": "[[A]]", "A": "a"}, path=folder / "wikiapi.sqlite",
                     interwiki={"de": "https://de.example/$1"})  # fmt: skip
    site.db.execute_sql("UPDATE page SET page_links_updated = page_touched")
    site.db.close()
    (folder / "wikiapi.sqlite").chmod(0o600)
    (folder / "wikiapi.toml").write_text('[http]\nlisten = "127.0.0.1:0"\n')


def test_a_set_up_that_is_well(folder: Path) -> None:
    make_store(folder)
    result = doctor()
    assert result.exit_code == 0
    assert result.output.startswith("wikiapi ")
    assert result.output.endswith(": Nothing is wrong.\n")


def test_an_empty_folder(folder: Path) -> None:
    result = doctor()
    assert result.exit_code == 1
    assert "note: there is no wikiapi.toml in this folder" in result.output
    place = folder / "wikiapi.sqlite"
    assert f"error: no database file at {place}\n  -> `wikiapi import" in result.output
    assert list(folder.iterdir()) == []


def test_each_check_is_reported_when_requested(folder: Path) -> None:
    make_store(folder)
    lines = doctor("--verbose").output.splitlines()
    assert lines[:-1] == [f"{check.name}: ok" for check in CHECKS]


def test_an_invalid_main_page(folder: Path) -> None:
    make_store(folder)
    (folder / "wikiapi.toml").write_text('[site]\nmain_page = "<>"\n')
    result = doctor()
    assert result.exit_code == 1
    said = "site.main_page is '<>', which is not the title of a page"
    assert f"error: wikiapi.toml: {said}\n  -> Set main_page in [site] to" in result.output


def test_failing_checks_are_reported_too() -> None:
    output = doctor("--verbose").output
    assert "\npages: skipped\n" in output


def test_mistakes_do_not_hide_the_others(folder: Path) -> None:
    make_store(folder)
    (folder / "wikiapi.toml").write_text(
        '[site]\nnam = 1\nserver = "x"\n[plugins]\norder = ["z"]\n'
    )
    result = doctor()
    assert result.exit_code == 1
    for words in ("no setting site.nam", "site.server is 'x'", "plugins.order names 'z'"):
        assert words in result.output


def test_warnings_leave_the_status_alone(folder: Path) -> None:
    make_store(folder)
    (folder / "wikiapi.sqlite").chmod(0o644)
    result = doctor()
    assert result.exit_code == 0
    assert "1 warning." in result.output


def test_json(folder: Path) -> None:
    make_store(folder)
    (folder / "wikiapi.toml").write_text("[sight]\n")
    data = json.loads(doctor("--json").output)
    assert data["ok"] is False
    assert data["python"]
    assert data["findings"][0]["advice"] == "Did you mean site?"


def test_a_store_that_breaks_is_a_finding(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise StoreError("disk I/O error")

    make_store(folder)
    monkeypatch.setattr("wikiapi.cli.doctor.store._count", broken)
    result = doctor()
    assert result.exit_code == 1
    assert "error: it cannot be checked: disk I/O error" in result.output


def test_names_of_checks_come_once() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
