"""Commands that fail before they have stored anything leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.unit.importing.tables.sqldump import sql_dump

TARGETS = sql_dump("linktarget", "lt_id lt_namespace lt_title", "(1,0,'A'),(2,0,'B')")
LINKS = sql_dump("pagelinks", "pl_from pl_from_namespace pl_target_id", "(1,0,1)")
BROKEN = '[cache]\nurl = "nonsense://"\n'


def files() -> set[str]:
    return {path.name for path in Path().iterdir()}


@pytest.mark.parametrize("command", [["import-files", "media"], ["import-tables", "t.sql"]])
def test_a_wiki_that_cannot_be_opened(wikiapi: Callable[..., Result], command: list[str]) -> None:
    Path("media").mkdir()
    Path("t.sql").write_bytes(TARGETS)
    Path("wikiapi.toml").write_text(BROKEN)
    before = files()
    result = wikiapi(*command)
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert files() == before


def test_a_table_that_is_damaged_at_its_beginning(wikiapi: Callable[..., Result]) -> None:
    Path("t.sql").write_bytes(TARGETS.replace(b"(1,0,'A')", b"(1,0,'A'"))
    assert wikiapi("import-tables", "t.sql").exit_code == 1
    assert files() == {"t.sql"}


def test_a_table_that_was_loaded_is_kept(wikiapi: Callable[..., Result]) -> None:
    Path("t.sql").write_bytes(TARGETS)
    Path("l.sql").write_bytes(LINKS.replace(b"(1,0,1)", b"(1,0,1"))
    assert wikiapi("import-tables", "t.sql", "l.sql").exit_code == 1
    assert "wikiapi.sqlite" in files()
    Path("l.sql").write_bytes(LINKS)
    again = wikiapi("import-tables", "t.sql", "l.sql")
    assert "t.sql has been loaded already.\n" in again.output
