"""``wikiapi db copy`` copies the tables that only a writable wiki uses."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main
from wikiapi.store import Database
from wikiapi.store.models.writing import TABLES, BotPasswords, WatchlistExpiry
from wikiapi.store.schema import migrate
from wikiapi.store.schema.migrate import create_missing
from wikiapi_plugins.extensions.geodata.tags import GeoTags


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.sqlite"
    with closing(Database(f"sqlite:///{path}")) as db:
        migrate.upgrade(db)
        create_missing(db, [*TABLES, GeoTags])
        db.insert_many(BotPasswords, [(1, "bot", "secret", "", "{}", "[]")])
        db.insert_many(WatchlistExpiry, [(7, "20300101000000")])
        columns = ("gt_page_id", "gt_globe", "gt_primary", "gt_lat", "gt_lon")
        db.insert_many(GeoTags, [(1, "earth", 1, "1.5", "2.5")], columns)
    return path


def copy(store: Path, settings: str) -> tuple[Result, Path]:
    config = store.with_name("wikiapi.toml")
    config.write_text(settings, encoding="utf-8")
    target = store.with_name("copy.sqlite")
    urls = [f"sqlite:///{path}" for path in (store, target)]
    result = CliRunner().invoke(main, ["db", "copy", "--config", str(config), *urls])
    assert result.exit_code == 0, result.output
    return result, target


@pytest.mark.parametrize(
    "settings",
    [
        "",
        "[site]\nwritable = true\n",
        '[plugins]\ndisabled = ["editing", "extensions.geodata"]\n',
    ],
    ids=["read-only", "writable", "disabled"],
)
def test_bots_can_log_in_to_the_copy(store: Path, settings: str) -> None:
    result, target = copy(store, settings)
    assert "Left out" not in result.output
    with closing(Database(f"sqlite:///{target}", read_only=True)) as db:
        assert db.execute(BotPasswords.select(BotPasswords.bp_user, BotPasswords.bp_app_id)) == [
            (1, "bot")
        ]
        assert db.execute(WatchlistExpiry.select()) == [(7, "20300101000000")]
        assert db.execute(GeoTags.select(GeoTags.gt_page_id)) == [(1,)]


def test_what_is_left_out_is_named(store: Path) -> None:
    with closing(Database(f"sqlite:///{store}")) as db:
        db.execute_sql("CREATE VIRTUAL TABLE words USING fts5(word)")
        db.execute_sql("ALTER TABLE page ADD COLUMN page_mood BLOB")
    result, _ = copy(store, "")
    assert "Left out page.page_mood: the target has no such column." in result.output
    assert "Left out words: it is a virtual table." in result.output
