"""``wikiapi import`` of the archives that WikiTeam's tools leave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import py7zr
import pytest
from click.testing import Result

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.config import load_config
from wikiapi.factory import open_site
from wikiapi.site import Site
from wikiapi.testing.asking import ask

NAME = "testswiki-20260101"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="6"/>'
Run = Callable[..., Result]


@pytest.fixture
def folder(wikiapi: Run) -> Path:
    """Write an archive into the current folder, in which ``wikiapi`` runs."""
    folder = Path(f"{NAME}-wikidump")
    (folder / "images").mkdir(parents=True)
    main_page = page("Main Page", 1, revision(1, "[[File:A b.svg]] [[wp:Tea]]"))
    described = page("File:A b.svg", 2, revision(2, "A picture"), ns=6)
    (folder / f"{NAME}-history.xml").write_bytes(dump(main_page, described))
    write_lists(folder, ["Main Page", "File:A b.svg"], ["A_b.svg", "C.svg"])
    for width, name in enumerate(("A_b.svg", "C.svg"), start=1):
        (folder / "images" / name).write_text(SVG.format(width), "utf-8")
    export = dump(page("File:C.svg", 3, revision(3, "Described ''outside''"), ns=6))
    (folder / "images" / "C.svg.desc").write_bytes(export)
    interwiki = [{"prefix": "wp", "url": "https://en.wikipedia.org/wiki/$1"}]
    siteinfo = {"query": {"interwikimap": interwiki, "general": {"sitename": "Tests"}}}
    (folder / "siteinfo.json").write_text(json.dumps(siteinfo), "utf-8")
    (folder / "SpecialVersion.html").write_text("<html></html>", "utf-8")
    (folder / "config.json").write_text("{}", "utf-8")
    return folder


def write_lists(folder: Path, titles: list[str], images: list[str]) -> None:
    lines = [
        f"{name}\thttps://tests.example/images/{name}\tAda\t60\tnull\t2020-02-03T04:05:06Z"
        for name in images
    ]
    for kind, entries in (("titles", titles), ("images", lines)):
        text = "\n".join((*entries, "--END--", ""))
        (folder / f"{NAME}-{kind}.txt").write_text(text, "utf-8")


def packed(folder: Path) -> Path:
    target = Path(f"{folder}.7z")
    with py7zr.SevenZipFile(target, "w") as archive:
        archive.writeall(folder, folder.name)
    return target


@pytest.fixture
def opened() -> Iterator[Callable[[], Site]]:
    sites: list[Site] = []

    def opened() -> Site:
        sites.append(open_site(load_config(Path("wikiapi.toml"))))
        return sites[-1]

    yield opened
    for site in sites:
        site.db.close()


@pytest.mark.parametrize("kind", ["folder", "7z"])
def test_pages_files_and_interwikis_are_imported(
    wikiapi: Run, folder: Path, opened: Callable[[], Site], kind: str
) -> None:
    result = wikiapi("import", str(folder if kind == "folder" else packed(folder)))
    assert result.exit_code == 0, result.output
    assert "Imported 2 pages from" in result.output
    assert "Imported 2 files." in result.output
    assert "The archive lists 2 pages, and has them all.\n" in result.output
    assert "The archive lists 2 files, and has them all.\n" in result.output
    assert "Warning" not in result.output
    site = opened()
    assert site.interwiki.get("wp")
    query = {"action": "query", "prop": "imageinfo|revisions", "titles": "File:A b.svg|File:C.svg",
             "iiprop": "size|user|timestamp", "rvprop": "content", "rvslots": "main"}  # fmt: skip
    first, second = ask(site, query).data["query"]["pages"]
    info = {"timestamp": "2020-02-03T04:05:06Z", "user": "Ada", "size": 62, "width": 1,
            "height": 6}  # fmt: skip
    assert first["imageinfo"] == [info]
    assert first["revisions"][0]["slots"]["main"]["content"] == "A picture"
    assert second["revisions"][0]["slots"]["main"]["content"] == "Described ''outside''"
    stored = {path.name for path in Path("images").rglob("*.svg")}
    assert stored == {"A_b.svg", "C.svg"}
    assert not list(Path().glob(".*unpacked"))
    assert (folder / "images" / "A_b.svg").exists()


def test_the_same_command_changes_nothing(wikiapi: Run, folder: Path) -> None:
    archive = str(packed(folder))
    assert wikiapi("import", archive).exit_code == 0
    result = wikiapi("import", archive)
    assert result.exit_code == 0, result.output
    assert "has been imported already" in result.output
    assert "Imported 0 files, 2 unchanged.\n" in result.output


def test_what_an_archive_lacks_is_told(wikiapi: Run, folder: Path) -> None:
    titles = ["Main Page", "File:A b.svg", *(f"Lost {number}" for number in range(5))]
    write_lists(folder, titles, ["A b.svg", "C.svg", "Gone.png"])
    result = wikiapi("import", str(folder))
    assert result.exit_code == 0, result.output
    lost = "'Lost 0', 'Lost 1', 'Lost 2', …"
    assert f"Warning: the archive lists 7 pages, and lacks 5: {lost}\n" in result.output
    assert "Warning: the archive lists 3 files, and lacks 1: 'File:Gone.png'\n" in result.output


def test_the_whole_history_is_preferred(
    wikiapi: Run, folder: Path, opened: Callable[[], Site]
) -> None:
    (folder / f"{NAME}-current.xml").write_bytes(dump(page("Other", 9)))
    assert wikiapi("import", str(folder)).exit_code == 0
    with closing(opened().db) as db:
        assert db.execute_sql("SELECT COUNT(*) FROM page WHERE page_title = 'Other'") == [(0,)]


@pytest.mark.parametrize("kind", ["folder", "7z"])
def test_the_only_dump_may_have_any_name(wikiapi: Run, folder: Path, kind: str) -> None:
    (folder / f"{NAME}-history.xml").rename(folder / "tests_2026.xml")
    result = wikiapi("import", str(folder if kind == "folder" else packed(folder)))
    assert result.exit_code == 0, result.output
    assert "Imported 2 pages from" in result.output
    assert "Imported 2 files." in result.output


@pytest.mark.parametrize("other", ["second.xml", "main/Tea.wikitext"])
def test_a_dump_of_any_name_must_be_alone(wikiapi: Run, folder: Path, other: str) -> None:
    (folder / f"{NAME}-history.xml").rename(folder / "tests_2026.xml")
    (folder / other).parent.mkdir(exist_ok=True)
    (folder / other).write_bytes(dump(page("Tea", 9)))
    assert "Imported 2 pages" not in wikiapi("import", str(folder)).output


def test_a_member_cannot_be_written_elsewhere(
    wikiapi: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = packed(folder)
    with monkeypatch.context() as patched, py7zr.SevenZipFile(archive, "a") as file:
        patched.setattr("py7zr.py7zr.check_archive_path", lambda _: True)
        file.writestr("outside", "images/../../escaped-titles.txt")
    wikiapi("import", str(archive))
    assert not list(Path().resolve().parent.rglob("escaped*"))


def test_a_damaged_archive_is_refused(wikiapi: Run, folder: Path) -> None:
    archive = packed(folder)
    content = archive.read_bytes()
    archive.write_bytes(content[: len(content) // 2])
    result = wikiapi("import", str(archive))
    assert result.exit_code == 1
    assert f"{archive} cannot be read" in result.output
    assert not Path("wikiapi.sqlite").exists()


def test_an_archive_without_pages_is_refused(wikiapi: Run, folder: Path) -> None:
    (folder / f"{NAME}-history.xml").unlink()
    result = wikiapi("import", str(packed(folder)))
    assert result.exit_code == 1
    assert "is an archive without a dump in XML" in result.output
