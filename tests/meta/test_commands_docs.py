"""docs/commands.md says what the commands say, and its examples run."""

from __future__ import annotations

import gzip
import shutil
import zipfile
from pathlib import Path
from types import SimpleNamespace

import click
import py7zr
import pytest

from docs import commands
from examples.demo_store import EXAMPLES
from tests.docs.fences import fences_of, sessions
from tests.meta.shell import output_matches, run
from tests.unit.importing.tables.sqldump import PAGE as PAGE_COLUMNS
from tests.unit.importing.tables.sqldump import sql_dump
from tests.unit.importing.xmldump import dump, page
from wikiapi.cli import config, fetch_files, fetch_messages
from wikiapi.cli.support.options import Command
from wikiapi.config import Config
from wikiapi.importing.files.fetch import FetchReport
from wikiapi.importing.live.update import LiveUpdate, UpdateReport
from wikiapi.workers import ProcessExecutor, batchworkers
from wikiapi_plugins.mcp import serving as mcp

DOCUMENTED = list(commands.documented())
PAGE = commands.COMMANDS_PAGE.read_text(encoding="utf-8")
LINES = [
    example.line
    for entry in DOCUMENTED
    if isinstance(entry.command, Command)
    for example in entry.command.examples
]
TABLES = {
    "linktarget": "lt_id lt_namespace lt_title",
    "pagelinks": "pl_from pl_from_namespace pl_target_id",
}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="6"/>'


def test_page_is_up_to_date() -> None:
    assert commands.page() == PAGE, "run `make docs`"


@pytest.mark.parametrize("entry", DOCUMENTED, ids=lambda entry: entry.name)
def test_every_command_and_option_is_documented(entry: commands.Documented) -> None:
    section = PAGE.partition(f"\n### `{entry.name}`\n")[2].partition("\n### ")[0]
    assert entry.command.help
    options = [p for p in entry.command.params if isinstance(p, click.Option)]
    assert all(f"`{option.opts[0]}" in section for option in options)
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("entry", DOCUMENTED, ids=lambda entry: entry.name)
def test_every_command_has_examples_of_its_own(entry: commands.Documented) -> None:
    if isinstance(entry.command, click.Group):
        return
    assert isinstance(entry.command, Command)
    assert entry.command.examples
    assert all(entry.name in example.line for example in entry.command.examples)


@pytest.fixture(scope="module")
def filled(demo_config: Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with everything in it that the examples of the commands name."""
    folder = tmp_path_factory.mktemp("commands")
    settings = (EXAMPLES / "demo.toml").read_text(encoding="utf-8")
    (folder / "wikiapi.toml").write_text(f'{settings}\n[http]\nlisten = "127.0.0.1:0"\n')
    store = demo_config.database.url.removeprefix("sqlite:///")
    for name in ("wikiapi.sqlite", "wiki.sqlite"):
        shutil.copy(store, folder / name)
    pages = dump(page("From a dump", 1001), wiki_id="demo").replace(b">Tests<", b">Demo<")
    (folder / "pages.xml.gz").write_bytes(gzip.compress(pages))
    (folder / "page.sql.gz").write_bytes(gzip.compress(sql_dump("page", PAGE_COLUMNS)))
    for name, columns in TABLES.items():
        (folder / f"{name}.sql.gz").write_bytes(gzip.compress(sql_dump(name, columns)))
    (folder / "page.wikitext").write_text("A ''text''.")
    (folder / "password.txt").write_text("correct horse battery staple")
    (folder / "images").mkdir()
    (folder / "images" / "Shape.svg").write_text(SVG)
    with py7zr.SevenZipFile(folder / "examplewiki-20260101-wikidump.7z", "w") as archive:
        archive.writestr(pages, "examplewiki-20260101-wikidump/examplewiki-20260101-history.xml")
        archive.writestr(SVG, "examplewiki-20260101-wikidump/images/Shape.svg")
    with zipfile.ZipFile(folder / "images.zip", "w") as archive:
        archive.writestr("Shape.svg", SVG)
    for place in (folder, folder / "mediawiki"):
        place.mkdir(exist_ok=True)
        (place / "LocalSettings.php").write_text("<?php $wgDBtype = 'sqlite'; $wgDBname = 'w';")
    (folder / ".config" / "fish" / "completions").mkdir(parents=True)
    return folder


@pytest.fixture
def not_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikiapi.http.serving.server.serve", lambda *_, **__: None)
    monkeypatch.setattr("wikiapi.http.serving.workers.serve_by_workers", lambda *_, **__: None)
    monkeypatch.setattr(batchworkers, "ClusterExecutor", lambda _: ProcessExecutor(1))
    silent = SimpleNamespace(run=lambda *_, **__: None)
    monkeypatch.setattr(mcp, "make_server", lambda *_: silent)
    monkeypatch.setattr(fetch_files, "_from_wikis", lambda *_: FetchReport())
    for name in ("_from_wiki", "_from_folder"):
        monkeypatch.setattr(fetch_messages, name, lambda *_: {"en": (1, 0)})
    answer = {"query": {"general": {"sitename": "Live"}}}
    monkeypatch.setattr(config, "_api", lambda *_: SimpleNamespace(ask=lambda _: answer))
    monkeypatch.setattr(LiveUpdate, "run", lambda *_: UpdateReport("2026", "2026"))


@pytest.mark.usefixtures("not_served")
@pytest.mark.parametrize("line", LINES)
def test_example_of_the_help_runs(
    line: str, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(filled, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    if " check " in line:
        assert run("wikiapi import pages.xml.gz").status == 0
    if " merge " in line:
        for number in range(1, 5):
            assert run(f"wikiapi export --html site --shard {number}/4").status == 0
    if " fetch-files " in line:
        with (folder / "wikiapi.toml").open("a", encoding="utf-8") as settings:
            settings.write('[files]\nfolder = "pictures"\n')
    if " bot-password " in line:
        file = folder / "wikiapi.toml"
        file.write_text(
            file.read_text("utf-8").replace("[site]", "[site]\nwritable = true"), "utf-8"
        )
    if " user password " in line or " bot-password " in line:
        assert run("wikiapi user add Ada < password.txt").status == 0
    outcome = run(line)
    assert outcome.status == 0, outcome.output


def test_sessions_of_the_page_print_the_shown_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(EXAMPLES / "demo", tmp_path / "demo")
    shutil.copy(EXAMPLES / "demo.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    written = PAGE.partition(commands.MARK)[0]
    seen = list(sessions(fences_of(written, "commands.md")))
    assert len(seen) > 12
    for session in seen:
        outcome = run(session.line)
        assert output_matches(session.output, outcome.output), f"$ {session.line}\n{outcome.output}"
