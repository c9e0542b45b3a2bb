from __future__ import annotations

import json
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.cli import main
from wikiapi.importing.importer import DumpImporter


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wikiapi.toml").write_text('[site]\nname = "Tests"\n')


def wikiapi(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


SUMMARY = """\
Wiki:       {} of Tests are in wikiapi.sqlite.
Pictures:   none are missing.
Extensions: plugins know every tag and parser function.
Next:       `wikiapi serve` shows the wiki at http://127.0.0.1:8080/.
"""


def rows(query: str) -> list[Any]:
    with closing(sqlite3.connect("wikiapi.sqlite")) as db:
        return db.execute(query).fetchall()


def test_dump_with_its_links(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page("A", 1, revision(1, "[[B]]")), page("B", 2)))
    result = wikiapi("import", "a.xml")
    assert result.exit_code == 0, result.output
    end = SUMMARY.format("2 pages and 2 revisions")
    assert result.output == f"Imported 2 pages from a.xml.\nDerived the links of 2 pages.\n{end}"
    assert rows("SELECT lt_title FROM pagelinks JOIN linktarget ON lt_id = pl_target_id") == [
        ("B",)
    ]
    assert rows("SELECT ss_total_pages, ss_good_articles FROM site_stats") == [(2, 1)]
    again = wikiapi("import", "a.xml")
    assert again.output == (
        f"a.xml has been imported already.\nDerived the links of 0 pages.\n{end}"
    )


def test_a_wiki_without_messages_in_its_language(tmp_path: Path) -> None:
    data = dump(page("A", 1)).replace(b'xml:lang="en"', b'xml:lang="fr"')
    (tmp_path / "a.xml").write_bytes(data)
    said = (
        "Messages:   none in 'fr', so sentences are in English;"
        " `wikiapi fetch-messages https://tests.example/wiki/Main_Page` gets them.\nNext: "
    )
    assert said in wikiapi("import", "a.xml").output
    (tmp_path / "i18n").mkdir()
    (tmp_path / "i18n" / "fr.json").write_text('{"about": "À propos"}')
    assert wikiapi("fetch-messages", "i18n").exit_code == 0
    assert "Messages:" not in wikiapi("import", "a.xml").output


def test_links_apart(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page("A", 1, revision(1, "[[B]]"))))
    output = wikiapi("import", "--no-links", "a.xml").output
    assert output.startswith("Imported 1 page from a.xml.\nWiki:       1 page and 1 revision of")
    assert output.count("known after `wikiapi links`") == 2
    assert rows("SELECT count(*) FROM pagelinks") == [(0,)]
    assert wikiapi("links").output == "Derived the links of 1 page.\n"
    assert wikiapi("links").output == "Derived the links of 0 pages.\n"
    assert wikiapi("links", "--all").output == "Derived the links of 1 page.\n"
    assert rows("SELECT count(*) FROM pagelinks") == [(1,)]


def test_folder_without_its_namespace_is_reported(tmp_path: Path) -> None:
    for name in ("main", "recipe"):
        (tmp_path / "pages" / name).mkdir(parents=True)
        (tmp_path / "pages" / name / "Tea.wikitext").write_text("hot")
    output = wikiapi("import", "--no-links", "pages").output
    assert output.startswith(
        "Warning: skipped 'recipe', which is not a namespace\nImported 1 page from pages.\n"
    )


def test_several_dumps_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page("A", 1)))
    (tmp_path / "b.xml").write_bytes(dump(page("B", 2)))
    (tmp_path / "pages" / "main").mkdir(parents=True)
    (tmp_path / "pages" / "main" / "C.wikitext").write_text("c")
    result = wikiapi("import", "a.xml", "b.xml", "pages")
    assert result.exit_code == 0, result.output
    assert rows("SELECT page_id, page_title FROM page") == [(1, "A"), (2, "B"), (3, "C")]


def test_store_is_private(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page("A", 1)))
    wikiapi("import", "a.xml")
    assert (tmp_path / "wikiapi.sqlite").stat().st_mode & 0o777 == 0o600


def test_malformed_dump(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(b"<mediawiki version='0.11'>\n<page></x></mediawiki>")
    result = wikiapi("import", "a.xml")
    assert result.exit_code == 1
    first, hint = result.output.splitlines()
    assert first == "Error: a.xml: line 2: not well-formed: mismatched tag; nothing was imported"
    assert hint.startswith("Hint: A dump is MediaWiki's XML export")
    assert not Path("wikiapi.sqlite").exists()


def test_title_that_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page("A|B", 1)))
    result = wikiapi("import", "a.xml")
    assert "Warning: skipped 'A|B', which is not a valid title\n" in result.output


def test_difference_from_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page("A", 1)).replace(b"Template", b"Vorlage"))
    (tmp_path / "wikiapi.toml").write_text('[[namespaces]]\nid = 10\nname = "Template"\n')
    result = wikiapi("import", "a.xml")
    assert "Warning: namespace 10 is 'Vorlage' in the dump, 'Template' here\n" in result.output


def test_configuration_is_written_and_used(tmp_path: Path) -> None:
    text = revision(1, "{{Kasten}}")
    data = dump(page("A", 1, text), page("Vorlage:Kasten", 2, revision(2, "[[B]]"), ns=10))
    (tmp_path / "a.xml").write_bytes(data.replace(b">Template<", b">Vorlage<"))
    result = wikiapi("import", "--write-config", "new.toml", "a.xml")
    assert result.exit_code == 0, result.output
    assert "Warning" not in result.output
    config = tomllib.loads((tmp_path / "new.toml").read_text())
    assert config["site"]["wiki_id"] == "testwiki"
    assert config["namespaces"] == [{"id": 10, "name": "Vorlage"}]
    assert (1, 10, "Kasten") in rows(
        "SELECT tl_from, lt_namespace, lt_title FROM templatelinks"
        " JOIN linktarget ON lt_id = tl_target_id"
    )
    again = wikiapi("import", "--write-config", "new.toml", "a.xml")
    assert again.output.startswith("a.xml has been imported already.\n")


def test_configuration_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "new.toml").write_text('[site]\nname = "Mine"\n')
    (tmp_path / "a.xml").write_bytes(dump(page("A", 1)))
    result = wikiapi("import", "--write-config", "new.toml", "a.xml")
    assert "Warning: the dump's wiki is called 'Tests', the configuration's 'Mine'" in result.output
    assert (tmp_path / "new.toml").read_text() == '[site]\nname = "Mine"\n'


def test_interwiki_map(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page("A", 1, revision(1, "[[xy:Page]]"))))
    entries = [{"prefix": "xy", "url": "https://xy.example/$1"}]
    (tmp_path / "map.json").write_text(json.dumps(entries))
    wikiapi("import", "--interwiki", "map.json", "a.xml")
    assert rows("SELECT iw_prefix FROM interwiki") == [("xy",)]
    assert rows("SELECT * FROM iwlinks") == [(1, "xy", "Page")]


def test_files(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "A.svg").write_text('<svg width="5" height="6"/>')
    (tmp_path / "files" / "B.svg").write_text("<html/>")
    result = wikiapi("import-files", "files")
    assert result.exit_code == 0, result.output
    assert "Warning: skipped 'B.svg': its root is <html>\n" in result.output
    assert result.output.endswith("Imported 1 file, 0 unchanged.\n")
    assert rows("SELECT img_name, img_width FROM image") == [("A.svg", 5)]
    assert rows("SELECT ss_images FROM site_stats") == [(1,)]


def test_missing_dump() -> None:
    result = wikiapi("import", "none.xml")
    assert result.exit_code == 1
    assert "cannot read none.xml: No such file or directory" in result.output
    assert not Path("wikiapi.sqlite").exists()


def test_interrupted_import_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(DumpImporter, "import_dump", interrupt)
    (tmp_path / "a.xml").write_bytes(dump(page("A", 1)))
    result = wikiapi("import", "a.xml")
    assert result.exit_code == 130
    assert result.output.endswith(
        "Error: interrupted\n"
        "Hint: The pages imported so far are saved: run the same command again to resume.\n"
    )


def test_pruning(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page("B", 1), page("A", 2)))
    (tmp_path / "b.xml").write_bytes(dump(page("A", 2)))
    wikiapi("import", "a.xml")
    result = wikiapi("import", "--prune", "b.xml")
    assert result.output.splitlines()[:3] == [
        "Imported 0 pages from b.xml.",
        "Removed 1 page that is not in the dumps.",
        "Derived the links of 0 pages.",
    ]
    assert rows("SELECT page_title FROM page") == [("A",)]
    assert rows("SELECT ss_total_pages FROM site_stats") == [(1,)]
    again = wikiapi("import", "--prune", "b.xml")
    assert "b.xml has been imported already.\nRemoved 0 pages" in again.output
