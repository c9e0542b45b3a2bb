from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main
from wikiapi.importing.messages import copy_messages
from wikiapi.store.messagesfolder import stored_messages_folder
from wikiapi.store.schema import migrate


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "store.sqlite"


def run(command: str, file: Path) -> Result:
    return CliRunner().invoke(main, ["db", command, "--database", f"sqlite:///{file}"])


def test_init_makes_a_store_that_check_accepts(file: Path) -> None:
    assert run("init", file).output == f"The store was created: layout {migrate.LATEST}.\n"
    assert run("check", file).output == f"A store of layout {migrate.LATEST}.\n"


def test_init_leaves_a_store_as_it_is(file: Path) -> None:
    run("init", file)
    assert "existed already" in run("init", file).output


def test_upgrade_of_a_current_store_applies_nothing(file: Path) -> None:
    run("init", file)
    result = run("upgrade", file)
    assert result.exit_code == 0
    assert result.output == f"The store has layout {migrate.LATEST}.\n"


def test_upgrade_refuses_an_empty_database(file: Path) -> None:
    result = run("upgrade", file)
    assert result.exit_code == 1
    assert "wikiapi db init" in result.output


def test_check_refuses_a_missing_file(file: Path) -> None:
    result = run("check", file)
    assert result.exit_code == 1
    assert not file.exists()


def test_check_knows_a_database_of_mediawiki(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE page (page_id INTEGER PRIMARY KEY)")
        connection.commit()
    assert run("check", file).output == "A MediaWiki database.\n"
    assert run("init", file).exit_code == 1


def test_configured_database_is_used(file: Path) -> None:
    config = file.parent / "wikiapi.toml"
    config.write_text(f'[database]\nurl = "sqlite:///{file}"\n', encoding="utf-8")
    assert CliRunner().invoke(main, ["db", "init"]).exit_code == 0
    assert file.exists()


def test_bad_configuration_is_refused_by_name(file: Path) -> None:
    (file.parent / "wikiapi.toml").write_text("[database]\nuri = 'x'\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["db", "init"])
    assert result.exit_code == 1
    assert "database.uri" in result.output


def test_copy_prints_how_much_it_copied(file: Path) -> None:
    run("init", file)
    target = file.with_name("copy.sqlite")
    urls = [f"sqlite:///{path}" for path in (file, target)]
    result = CliRunner().invoke(main, ["db", "copy", *urls])
    assert result.exit_code == 0, result.output
    assert f"updatelog: {migrate.LATEST}\n" in result.output
    assert f"Copied {migrate.LATEST + 2} rows of " in result.output
    assert run("check", target).exit_code == 0


def test_copy_takes_the_messages_along(file: Path) -> None:
    source, target = f"sqlite:///{file}", f"sqlite:///{file.with_name('copy.sqlite')}"
    CliRunner().invoke(main, ["db", "init", "--database", source])
    messages = stored_messages_folder(source)
    assert messages is not None
    messages.mkdir()
    (messages / "fr.json").write_text('{"about": "À propos"}', "utf-8")
    (messages / "fetching.partial").write_text("{}")
    result = CliRunner().invoke(main, ["db", "copy", source, target])
    copied = stored_messages_folder(target)
    assert copied is not None
    assert f"Copied 1 file of messages to {copied}.\n" in result.output
    assert [path.name for path in copied.iterdir()] == ["fr.json"]
    assert (copied / "fr.json").read_text("utf-8") == '{"about": "À propos"}'


def test_messages_that_no_folder_can_take_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite.messages").mkdir()
    said = copy_messages(f"sqlite:///{tmp_path}/a.sqlite", "postgresql://host/wiki")
    assert said.endswith(f'write folders = ["{tmp_path}/a.sqlite.messages"] in [messages].')
    assert copy_messages("postgresql://host/wiki", f"sqlite:///{tmp_path}/a.sqlite") == ""
