"""Settings that follow from variables; the cases are in ``conversions.json``."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from tests.unit.attach.wikis import INSTALLED, NAMES, WIKIS, outcome
from wikiapi.attach.conversions import CONVERSIONS, settings_with_variables
from wikiapi.attach.localsettings import subject_of, take_over
from wikiapi.attach.takeover import Takeover
from wikiapi.config import load_config, parse_config

pytest.importorskip("tree_sitter_php")

ALWAYS: dict[str, Any] = {
    "site": {
        "name": "MediaWiki",
        "wiki_id": "my_wiki",
        "script_path": "/wiki",
        "article_path": "/wiki/index.php/$1",
    },
    "files": {"url": "/wiki/images", "uploads": False},
    "database": {"url": "mysql://localhost/my_wiki", "read_only": True},
    "plugins": {"disabled": ["cite", "parserfunctions", "placeholders", "scribunto"]},
}
"""What is taken over from an empty file, which has MediaWiki's defaults."""


def taken(folder: Path, php: str) -> Takeover:
    path = folder / "LocalSettings.php"
    path.write_text(f"<?php\n{php}", encoding="utf-8")
    return take_over(path, INSTALLED)


@pytest.mark.parametrize("case", cases("localsettings/conversions.json"))
def test_conversion(case: dict[str, Any], tmp_path: Path) -> None:
    takeover = taken(tmp_path, "\n".join(case["php"]))
    parse_config(takeover.settings)
    expected = case["settings"]
    for table in {*expected, *takeover.settings}:
        values = takeover.settings.get(table)
        assert is_taken(values, expected.get(table), ALWAYS.get(table)), (table, values)
    if "missing" in case or not expected.get("namespaces"):
        unnamed = [text for text in takeover.missing if not text.startswith("namespace ")]
        assert unnamed == case.get("missing", [])
    assert "s3cret" not in "\n".join(takeover.lines())


def is_taken(values: Any, expected: Any, always: Any) -> bool:
    """Return whether settings are the expected ones, apart from MediaWiki's defaults."""
    if not isinstance(values, dict):
        return bool(values == expected)
    usual = always or {}
    own = {name: value for name, value in values.items() if usual.get(name) != value}
    return all(values.get(name) == value for name, value in (expected or {}).items()) and all(
        name in (expected or {}) or name in usual for name in own
    )


def test_an_empty_file_has_the_defaults_of_mediawiki(tmp_path: Path) -> None:
    assert taken(tmp_path, "").settings == ALWAYS


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder with a short path, since the report shortens long ones."""
    with tempfile.TemporaryDirectory(prefix="w") as folder:
        yield Path(folder).resolve()


@pytest.mark.parametrize("name", NAMES)
def test_wiki_is_taken_over_by_one_command(name: str, short_path: Path) -> None:
    folder = short_path / "wiki"
    made = outcome(name, folder)
    assert made.toml == (WIKIS / name / "expected.toml").read_text(encoding="utf-8")
    assert made.report == (WIKIS / name / "report.txt").read_text(encoding="utf-8")
    assert (made.mode == 0o600) == (name == "games")
    load_config(folder / "wikiapi.toml")
    assert not re.search("s3cr|not-a-secret", made.report)


def test_every_conversion_is_of_a_setting() -> None:
    assert CONVERSIONS.keys() <= {setting.key for setting in settings_with_variables()}


def test_no_variable_of_a_setting_is_without_a_meaning() -> None:
    names = {name for setting in settings_with_variables() for name in setting.variables}
    assert {name for name in names if subject_of(name)} == set()


def test_a_database_is_found_beside_the_file(tmp_path: Path) -> None:
    php = "$wgDBtype = 'sqlite'; $wgDBname = 'w'; $wgSQLiteDataDir = '/nowhere';"
    takeover = taken(tmp_path, php)
    assert takeover.settings["database"]["url"] == "sqlite:////nowhere/w.sqlite"
    assert "the database /nowhere/w.sqlite is not here" in takeover.missing[0]
    (tmp_path / "w.sqlite").touch()
    takeover = taken(tmp_path, php)
    assert takeover.settings["database"]["url"] == f"sqlite:///{tmp_path}/w.sqlite"
    assert takeover.missing == []


def test_facts_are_sorted_out(tmp_path: Path) -> None:
    report = "\n".join(taken(tmp_path, "$wgSMTP = [ 'password' => 's3cret' ];").lines())
    assert "Without a meaning here:\n  e-mail: $wgSMTP" in report
    assert json.dumps(ALWAYS["site"]["name"]) in report
