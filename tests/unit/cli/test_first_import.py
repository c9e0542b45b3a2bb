"""``wikiapi import`` as somebody runs it first: in an empty folder, with any file."""

from __future__ import annotations

import gzip
import re
import sqlite3
import tomllib
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.cli import main
from wikiapi.config import load_config
from wikiapi.hookspecs import hookimpl
from wikiapi.importing.importer import DumpImporter
from wikiapi.plugins import make_plugin_manager
from wikiapi.wikitext import ExtensionTag, TagCall


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def wikiapi(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def write(*pages: str) -> None:
    Path("a.xml").write_bytes(dump(*pages))


def site() -> dict[str, object]:
    return tomllib.loads(Path("wikiapi.toml").read_text())["site"]


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def test_the_configuration_is_written() -> None:
    write(page("Main Page", 1))
    result = wikiapi("import", "a.xml")
    assert result.exit_code == 0, result.output
    assert "Wrote wikiapi.toml: name, language and namespaces of Tests.\n" in result.output
    assert "Warning" not in result.output
    assert site()["name"] == "Tests"
    assert site()["main_page"] == "Main Page"
    assert site()["source"] == "https://tests.example/wiki/Main_Page"
    assert "server" not in site()
    before = Path("wikiapi.toml").read_text()
    assert "Wrote" not in wikiapi("import", "a.xml").output
    assert Path("wikiapi.toml").read_text() == before


def test_files_can_be_fetched_without_editing_the_configuration() -> None:
    write(page("Main Page", 1, revision(1, "[[File:A.svg]]")))
    Path("media").mkdir()
    Path("media/A.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="6"/>')
    assert wikiapi("import", "a.xml").exit_code == 0
    assert not Path("images").exists()
    result = wikiapi("fetch-files", "--from", "media")
    assert result.exit_code == 0, result.output
    assert [path.name for path in Path("images").rglob("*.svg")] == ["A.svg"]


def test_two_configurations_in_a_folder_share_no_files() -> None:
    write(page("A", 1))
    assert wikiapi("import", "--write-config", "tea.toml", "a.xml").exit_code == 0
    assert tomllib.loads(Path("tea.toml").read_text())["files"] == {"folder": "tea-images"}


def test_configuration_in_another_folder_names_the_store_from_there(tmp_path: Path) -> None:
    write(page("A", 1))
    Path("etc").mkdir()
    assert wikiapi("import", "--write-config", "etc/tea.toml", "a.xml").exit_code == 0
    read = load_config("etc/tea.toml")
    assert read.database.url == f"sqlite:///{tmp_path}/wikiapi.sqlite"
    assert read.files.folder == "etc/tea-images"
    result = wikiapi("get", "--config", "etc/tea.toml", "titles=A", "action=query")
    assert '"pageid": 1' in result.output


def test_the_wiki_is_used_from_other_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(page("A", 1))
    Path("data").mkdir()
    options = ("--write-config", "wikiapi.toml", "--database", "data/wiki.sqlite")
    assert wikiapi("import", *options, "a.xml").exit_code == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for path in (f"{tmp_path}/wikiapi.toml", "../wikiapi.toml", str(tmp_path), ".."):
        option = f"--config={path}"
        assert '"pageid": 1' in wikiapi("get", option, "titles=A", "action=query").output
        assert wikiapi("doctor", option).exit_code == 0
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("command", ["get", "doctor", "export"])
def test_a_folder_without_a_configuration_is_refused(tmp_path: Path, command: str) -> None:
    result = wikiapi(command, "--config", str(tmp_path))
    assert result.exit_code == 2
    assert f"the folder {tmp_path} has no wikiapi.toml" in result.output


def test_the_configuration_beside_the_store_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(page("A", 1))
    assert wikiapi("import", "a.xml").exit_code == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    result = wikiapi("get", "--database", "../wikiapi.sqlite", "action=query", "meta=siteinfo")
    assert '"sitename": "Tests"' in result.output


def test_a_configuration_of_ones_own_stays_alone() -> None:
    write(page("A", 1))
    Path("own.toml").write_text('[site]\nname = "Tests"\n')
    result = wikiapi("import", "--config", "own.toml", "a.xml")
    assert result.exit_code == 0, result.output
    assert "`wikiapi serve --config own.toml`" in result.output
    assert not Path("wikiapi.toml").exists()


def test_a_store_is_named_by_its_path() -> None:
    write(page("A", 1))
    result = wikiapi("import", "--database", "wiki.sqlite", "a.xml")
    assert result.exit_code == 0, result.output
    assert "are in wiki.sqlite." in result.output
    assert "`wikiapi serve --database wiki.sqlite`" in result.output
    assert names() == ["a.xml", "wiki.sqlite", "wikiapi.toml"]
    assert (
        "Tests"
        in wikiapi("get", "--database", "wiki.sqlite", "action=query", "meta=siteinfo").output
    )


def test_a_missing_main_page_is_guessed() -> None:
    pages = [page(f"P{n}", n, revision(n, "[[Hub]]")) for n in range(1, 5)]
    write(*pages, page("Hub", 9, revision(9, "x")))
    result = wikiapi("import", "a.xml")
    assert "There is no page 'Main Page': 'Hub' is the main page now (see wikiapi.toml).\n" in (
        result.output
    )
    assert site()["main_page"] == "Hub"
    assert "is the main page now" not in wikiapi("import", "a.xml").output


def test_a_resumed_import_guesses_as_well() -> None:
    pages = [page(f"P{n}", n, revision(n, "[[Hub]]")) for n in range(1, 5)]
    write(*pages, page("Hub", 9, revision(9, "x")))
    assert wikiapi("import", "--no-links", "a.xml").exit_code == 0
    assert site()["main_page"] == "Main Page"
    assert "'Hub' is the main page now" in wikiapi("import", "a.xml").output
    assert site()["main_page"] == "Hub"


@pytest.mark.parametrize("name", [b"%3C%3E", b"de:Start"])
def test_a_dump_whose_main_page_is_no_page_of_the_wiki(name: bytes) -> None:
    data = dump(page("A", 1, revision(1, "x")))
    base = b"<base>https://en.wikipedia.org/wiki/%s</base>" % name
    Path("a.xml").write_bytes(re.sub(b"<base>.*?</base>", lambda _: base, data))
    assert wikiapi("import", "a.xml").exit_code == 0
    assert site()["main_page"] == "Main Page"


def test_a_configuration_that_was_written_by_hand_is_not_changed() -> None:
    pages = [page(f"P{n}", n, revision(n, "[[Hub]]")) for n in range(1, 5)]
    write(*pages, page("Hub", 9, revision(9, "x")))
    own = '[site]\nname = "Tests"\nmain_page = "Start"\n'
    Path("wikiapi.toml").write_text(own)
    result = wikiapi("import", "a.xml")
    assert "There is no page 'Start': set main_page = 'Hub' in [site].\n" in result.output
    assert Path("wikiapi.toml").read_text() == own


def test_the_end_says_what_is_missing() -> None:
    text = "[[File:A.png]] [[File:B.png]] <quiz>x</quiz> {{#ask:a|b}} {{#nobody:x}} {{Box}} {{B}}"
    write(page("Main Page", 1, revision(1, text)), page("B", 2, revision(2, "{{#ask:a|b}}")))
    lines = wikiapi("import", "a.xml").output.splitlines()[-6:]
    assert lines[0] == "Wiki:       2 pages and 2 revisions of Tests are in wikiapi.sqlite."
    assert lines[1].startswith("Pictures:   2 of 2 that pages show are missing; ")
    assert lines[2] == "Templates:  2 of 2 that pages call are missing."
    assert lines[3] == (
        "Extensions: no plugin knows {{#ask:}} (Semantic MediaWiki, 2 pages), <quiz> (Quiz,"
        " 1 page), {{#nobody:}} (1 page); `wikiapi doctor` lists all."
    )
    assert lines[4] == (
        "Settings:   those in the dump; `wikiapi config from https://tests.example/wiki/Main_Page`"
        " gets the others from the live wiki."
    )
    assert lines[5].startswith("Next:       `wikiapi serve` ")
    # The second time there is a configuration, which may have been completed meanwhile.
    assert "Settings:" not in wikiapi("import", "a.xml").output


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{{#invoke:A|a}}", ""),
        ("{{#invoke:A|a}} {{#invoke:B|a}}", "1 of 2 that pages call is missing."),
        ("{{#invoke:A|a}} {{#invoke:A/doc|a}}", "1 of 2 that pages call is missing."),
    ],
)
def test_modules_need_no_documentation(text: str, sentence: str) -> None:
    pytest.importorskip("lupa")
    code = revision(2, "return {a = function() return 'x' end}", model="Scribunto")
    data = dump(page("Main Page", 1, revision(1, text)), page("Module:A", 2, code, ns=828))
    namespace = b'<namespace key="828" case="first-letter">Module</namespace></namespaces>'
    Path("a.xml").write_bytes(data.replace(b"</namespaces>", namespace))
    output = wikiapi("import", "a.xml").output
    assert "Lua:        installed for 1 module." in output
    assert [line[12:] for line in output.splitlines() if line.startswith("Templates:")] == (
        [sentence] if sentence else []
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<!DOCTYPE html><html></html>", "a.xml is an HTML page"),
        (b"", "a.xml is empty"),
        (gzip.compress(dump(page("A", 1)))[:-12], "a.xml: the compressed data ends too early"),
        (dump(page("A", 1))[:-20], "a.xml: line "),
        (dump(page("A", 1))[:-20], "the dump ends too early: it is incomplete"),
        (b"<mediawiki version='0.11'>\n<page></x></mediawiki>", "a.xml: line 2: not well-formed"),
        (b"<rss/>", "a.xml: line 1"),
    ],
)
def test_a_failed_import_leaves_nothing_behind(data: bytes, said: str) -> None:
    Path("a.xml").write_bytes(data)
    result = wikiapi("import", "a.xml")
    assert result.exit_code == 1
    assert said in result.output
    assert names() == ["a.xml"]


def test_what_was_there_before_stays() -> None:
    assert wikiapi("db", "init").exit_code == 0
    Path("a.xml").write_bytes(dump(page("A", 1))[:-20])
    assert wikiapi("import", "a.xml").exit_code == 1
    assert "wikiapi.sqlite" in names()


def test_pages_before_a_failure_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    _commit_each_page(monkeypatch)
    write(page("A", 1), page("B", 2))
    Path("b.xml").write_bytes(Path("a.xml").read_bytes()[:-20])
    result = wikiapi("import", "b.xml")
    assert result.exit_code == 1
    assert "1 page was imported" in result.output
    assert {"wikiapi.sqlite", "wikiapi.toml"} <= set(names())


def test_an_interrupted_import_is_resumed_and_says_what_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(*(page(f"Page {n}", n, revision(n, "x" * 100_000)) for n in range(1, 6)))
    stop: Callable[..., None] = _interrupted_after(3)
    with monkeypatch.context() as patched:
        _commit_each_page(patched)
        patched.setattr(DumpImporter, "_call_plugins", stop)
        result = wikiapi("import", "a.xml")
    assert result.exit_code == 130
    assert {"wikiapi.sqlite", "wikiapi.toml"} <= set(names())
    resumed = wikiapi("import", "a.xml")
    assert resumed.exit_code == 0, resumed.output
    first = resumed.output.splitlines()[0]
    assert first.startswith("Resuming after 3 pages of a.xml; ")
    assert 10 <= int(first.split("; ")[1].split()[0]) <= 60
    with closing(sqlite3.connect("wikiapi.sqlite")) as db:
        assert db.execute("SELECT COUNT(*) FROM page").fetchone() == (5,)


def _commit_each_page(monkeypatch: pytest.MonkeyPatch) -> None:
    often = partial(DumpImporter, items_per_transaction=1)
    monkeypatch.setattr("wikiapi.importing.importer.DumpImporter", often)


def _interrupted_after(times: int) -> Callable[..., None]:
    calls = iter(range(times))

    def fire(*_: object) -> None:
        if next(calls) == times - 1:
            raise KeyboardInterrupt

    return fire


def test_an_address_is_to_be_downloaded() -> None:
    result = wikiapi("import", "https://dumps.example/pages.xml.gz")
    assert result.exit_code == 1
    assert "is a URL: download the file first" in result.output
    assert "`curl -LO https://dumps.example/pages.xml.gz`" in result.output
    assert "`wikiapi import pages.xml.gz`" in result.output
    assert names() == []


class Brittle:
    """A plugin with a tag that fails."""

    @hookimpl
    def register_extension_tags(self) -> list[ExtensionTag]:
        def fail(call: TagCall) -> str:
            raise ZeroDivisionError("nothing divides")

        return [ExtensionTag("brittle", fail)]


def test_an_exception_of_a_plugin_does_not_end_the_import(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def manager(**options: object) -> object:
        return make_plugin_manager(extra=[Brittle()])

    monkeypatch.setattr("wikiapi.factory.make_plugin_manager", manager)
    pages = [page(f"P{n}", n, revision(n, "<brittle /> [[B]]")) for n in range(1, 6)]
    write(*pages)
    result = wikiapi("import", "--jobs", "1", "a.xml")
    assert result.exit_code == 0, result.output
    said = "failed: ZeroDivisionError: nothing divides\n"
    assert f"Warning: page 'P1': <brittle> of plugin Brittle {said}" in result.output
    assert "Warning: <brittle> of plugin Brittle failed 5 times\n" in result.output
    assert result.output.count(said) == 3
    assert "Traceback" not in result.output
