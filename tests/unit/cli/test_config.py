"""``wikiapi config from``: one command takes over a wiki."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from click.testing import Result

from tests.servers import running_or_skipped
from tests.unit.importing.xmldump import dump, page
from wikiapi.config import load_config
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.testing import Wiki, make_site
from wikiapi.testing.declaration import Declaration

Run = Callable[..., Result]

PHP = """<?php
$wgSitename = 'Attic';
$wgDBtype = 'mysql';
$wgDBname = 'attic';
$wgDBuser = 'grandma';
$wgDBpassword = 's3cret';
$wgServer = 'https://attic.example';
$wgExtraNamespaces[100] = "Evil\\u{1b}[2J";
"""


def write(text: str = PHP) -> Path:
    path = Path("LocalSettings.php")
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def parser() -> None:
    pytest.importorskip("tree_sitter_php")


def test_a_file_with_a_password_is_private_and_the_password_is_not_shown(wikiapi: Run) -> None:
    write()
    result = wikiapi("config", "from", "LocalSettings.php")
    assert result.exit_code == 0, result.output
    assert "s3cret" not in result.output
    assert 'database.url = "mysql://grandma:***@localhost/attic"' in result.output
    said = "Wrote wikiapi.toml, which only you can read, since it has the database's password.\n"
    assert result.output.endswith(said)
    path = Path("wikiapi.toml")
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_config(path).database.url == "mysql://grandma:s3cret@localhost/attic"
    assert "\x1b" not in result.output


def test_a_dry_run_writes_nothing(wikiapi: Run) -> None:
    write()
    result = wikiapi("config", "from", "LocalSettings.php", "--dry-run")
    assert result.exit_code == 0
    assert not Path("wikiapi.toml").exists()
    assert "s3cret" not in result.output
    values = tomllib.loads(result.stdout)
    assert values["site"]["name"] == "Attic"
    assert values["database"]["url"] == "mysql://grandma:***@localhost/attic"


def test_a_file_is_completed(wikiapi: Run) -> None:
    write()
    before = '# Mine\n[site]\nname = "Loft"\n\n[http]\nlisten = "127.0.0.1:9"\n'
    Path("other.toml").write_text(before)
    result = wikiapi("config", "from", "LocalSettings.php", "--output", "other.toml")
    assert result.exit_code == 0, result.output
    assert 'site.name = "Attic"  ($wgSitename, line 2); the file says something else' in (
        result.output
    )
    assert "Completed other.toml" in result.output
    text = Path("other.toml").read_text()
    assert text.startswith('# Mine\n[site]\nname = "Loft"\n')
    config = load_config("other.toml")
    assert config.site.name == "Loft"
    assert config.site.server == "https://attic.example"
    assert config.http.listen == "127.0.0.1:9"
    again = wikiapi("config", "from", "LocalSettings.php", "--output", "other.toml")
    assert again.exit_code == 0
    assert Path("other.toml").read_text() == text


@pytest.mark.parametrize(
    ("php", "toml", "said"),
    [
        ("", "", "LocalSettings.php is not a file of PHP"),
        (PHP, "[site", "wikiapi.toml cannot be completed: it is not valid TOML"),
        (PHP, "[site]\nnmae = 1\n", "unknown setting site.nmae (did you mean site.name?)"),
        ("<?php $wgSitename = '[';", '[site]\nmain_page = "["\n', "site.main_page is '['"),
    ],
)
def test_what_cannot_be_done(wikiapi: Run, php: str, toml: str, said: str) -> None:
    write(php)
    if toml:
        Path("wikiapi.toml").write_text(toml)
    result = wikiapi("config", "from", "LocalSettings.php")
    assert result.exit_code == 1
    assert said in result.output
    assert "Traceback" not in result.output
    assert not Path("wikiapi.toml").exists() or Path("wikiapi.toml").read_text() == toml


def test_no_file(wikiapi: Run) -> None:
    result = wikiapi("config", "from", "none.php")
    assert result.exit_code == 1
    assert "cannot read none.php: No such file or directory" in result.output


def test_a_database_is_attached_and_served(wikiapi: Run, tmp_path: Path) -> None:
    make_site({"Main Page": "[[Tea]]", "tea": "hot"}, path=tmp_path / "attic.sqlite").db.close()
    with closing(sqlite3.connect(tmp_path / "attic.sqlite")) as database:
        database.execute("DELETE FROM updatelog WHERE ul_key LIKE 'wikiapi%'")
        database.execute("PRAGMA application_id = 0")
        database.commit()
    write("<?php $wgDBtype = 'sqlite'; $wgDBname = 'attic'; $wgSQLiteDataDir = __DIR__;")
    assert wikiapi("config", "from", "LocalSettings.php").exit_code == 0
    result = wikiapi("get", "action=query", "titles=Tea", "prop=info")
    assert '"pageid"' in result.output


def test_settings_of_a_live_wiki_complete_those_of_its_dump(wikiapi: Run) -> None:
    config = {"site": {"timezone": "Europe/Paris", "name": "Tests"}, "limits": {"miser": True}}
    pages = {"Main Page": "x", "Other": "y", "Third": "z"}
    with Wiki(Declaration(pages=pages, config=config)) as live:
        base = f"{live.url}/wiki/Main_Page"
        text = dump(page("Main Page", 1)).decode()
        text = text.replace("https://tests.example/wiki/Main_Page", base)
        Path("tests.xml").write_text(text)
        imported = wikiapi("import", "tests.xml")
        command = f"wikiapi config from {base}"
        assert f"Settings:   those in the dump; `{command}` gets" in imported.output
        result = wikiapi(*command.split()[1:])
        assert result.exit_code == 0, result.output
    assert "the live wiki has 3 pages, the store 1" in result.output
    assert "Completed wikiapi.toml." in result.output
    completed = load_config("wikiapi.toml")
    assert completed.site.timezone == "Europe/Paris"
    assert completed.limits.miser is True
    assert completed.site.source == base
    assert wikiapi("doctor").exit_code == 0


def test_a_live_wiki_that_is_gone(wikiapi: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikiapi.cli.config.time.sleep", lambda _: None)
    result = wikiapi("config", "from", "http://127.0.0.1:9/wiki/Main_Page")
    assert result.exit_code == 1
    assert "found no API of http://127.0.0.1:9/wiki/Main_Page" in result.output
    assert not Path("wikiapi.toml").exists()


def test_the_contact_is_one_line(wikiapi: Run) -> None:
    result = wikiapi("config", "from", "http://127.0.0.1:9/", "--contact", "a\nb")
    assert result.exit_code == 2


@pytest.mark.slow
def test_a_database_on_a_server_with_a_prefix_is_attached_and_copied(wikiapi: Run) -> None:
    with running_or_skipped("mariadb") as server:
        url = server.create("attic")
        source = make_site({"Main Page": "[[Tea]] {{Box}}", "Template:Box": "x", "Tea": "hot"})
        with closing(Database(url)) as target:
            list(copy_store(source.db, target))
            for name in sorted(target.catalog.tables()):
                target.execute_sql(f"RENAME TABLE {name} TO mw_{name}")
            target.execute_sql("DELETE FROM mw_updatelog WHERE ul_key LIKE 'wikiapi%%'")
        parts = urlsplit(url)
        write(
            f"<?php $wgDBtype = 'mysql'; $wgDBname = 'attic'; $wgDBuser = '{parts.username}';"
            f"$wgDBserver = 'localhost:{dict(parse_qsl(parts.query))['socket']}';"
            "$wgDBprefix = 'mw_'; $wgSitename = 'Attic';"
        )
        assert wikiapi("config", "from", "LocalSettings.php").exit_code == 0
        for words in (
            ("action=query", "titles=Tea", "prop=info|linkshere"),
            ("action=query", "list=embeddedin", "eititle=Template:Box"),
            ("action=query", "list=alllinks", "alunique=1"),
            ("action=parse", "page=Main Page"),
        ):
            result = wikiapi("get", *words)
            assert result.exit_code == 0, result.output
            assert "Main" in result.output or "Tea" in result.output
        assert wikiapi("doctor").exit_code == 0
        config = load_config("wikiapi.toml")
        copied = wikiapi("db", "copy", config.database.url, "copy.sqlite")
        assert copied.exit_code == 0, copied.output
    result = wikiapi("get", "--database", "copy.sqlite", "action=query", "titles=Tea")
    assert '"pageid"' in result.output
