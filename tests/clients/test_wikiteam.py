"""WikiTeam's dumpgenerator makes a complete dump: all pages, their histories, and the files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tests.clients.environments import ROOT, python_with, run
from wikiapi.cli import main
from wikiapi.config import load_config
from wikiapi.factory import open_site

pytestmark = pytest.mark.slow

EXPORT = "{http://www.mediawiki.org/xml/export-0.11/}"
FILES = ROOT / "examples" / "demo" / "files"


def dump(wiki: str, folder: Path, *options: str) -> Path:
    """Archive a wiki; returns the folder of the dump."""
    python = python_with("wikiteam3")
    program = [python, "-c", "from wikiteam3.dumpgenerator import main; main()"]
    # Without --force it asks the Internet Archive first.
    run([*program, *options, "--delay", "0", "--force"], folder)
    (made,) = folder.glob("*-wikidump")
    assert not (made / "errors.log").exists()
    return made


def exported(folder: Path) -> dict[str, set[str]]:
    """The ids of the revisions of each page in a dump."""
    (file,) = folder.glob("*.xml")
    revisions: dict[str, set[str]] = {}
    for page in ElementTree.parse(file).getroot().iter(f"{EXPORT}page"):
        ids = {node.findtext(f"{EXPORT}id", "") for node in page.iter(f"{EXPORT}revision")}
        revisions.setdefault(page.findtext(f"{EXPORT}title", ""), set()).update(ids)
    return revisions


def stored(wiki: str) -> Iterator[tuple[str, str]]:
    """Title and id of every revision that the API knows."""
    query = "action=query&list=allrevisions&arvprop=ids&arvlimit=max&format=json&formatversion=2"
    following: dict[str, str] = {}
    while True:
        more = "".join(f"&{name}={value}" for name, value in following.items())
        with urlopen(f"{wiki}/w/api.php?{query}{more}") as reply:
            answer = json.load(reply)
        for page in answer["query"]["allrevisions"]:
            for revision in page["revisions"]:
                yield page["title"], str(revision["revid"])
        if "continue" not in answer:
            return
        following = answer["continue"]


def histories(wiki: str) -> dict[str, set[str]]:
    revisions: dict[str, set[str]] = {}
    for title, revision in stored(wiki):
        revisions.setdefault(title, set()).add(revision)
    return revisions


def test_a_dump_by_special_export_is_complete(demo_wiki: str, tmp_path: Path) -> None:
    made = dump(
        demo_wiki, tmp_path, "--api", f"{demo_wiki}/w/api.php", "--xml", "--images",
        "--bypass-cdn-image-compression",
    )  # fmt: skip
    assert exported(made) == histories(demo_wiki)
    pictures = {path.name: path.read_bytes() for path in (made / "images").iterdir()}
    assert pictures == {path.name.replace(" ", "_"): path.read_bytes() for path in FILES.iterdir()}
    for name in ("all_dumped.mark", "SpecialVersion.html", "index.html", "siteinfo.json"):
        assert (made / name).exists(), name


def test_a_dump_of_current_revisions(demo_wiki: str, tmp_path: Path) -> None:
    made = dump(demo_wiki, tmp_path, "--api", f"{demo_wiki}/w/api.php", "--xml", "--curonly")
    pages = exported(made)
    assert pages.keys() == histories(demo_wiki).keys()
    assert all(len(revisions) == 1 for revisions in pages.values())


def test_the_api_is_found_from_a_page(demo_wiki: str, tmp_path: Path) -> None:
    made = dump(demo_wiki, tmp_path, f"{demo_wiki}/wiki/Main_Page", "--xml", "--xmlrevisions")
    assert exported(made) == histories(demo_wiki)


def test_a_dump_is_imported_whole(demo_wiki: str, tmp_path: Path) -> None:
    made = dump(
        demo_wiki, tmp_path, "--api", f"{demo_wiki}/w/api.php", "--xml", "--images",
        "--bypass-cdn-image-compression",
    )  # fmt: skip
    config, store = tmp_path / "wikiapi.toml", tmp_path / "wiki.sqlite"
    options = ("--write-config", str(config), "--database", f"sqlite:///{store}")
    result = CliRunner().invoke(main, ["import", *options, str(made)])
    assert result.exit_code == 0, result.output
    for noun in ("page", "file"):
        assert re.search(f"The archive lists [0-9]+ {noun}s, and has them all.", result.output)
    with closing(open_site(load_config(config)).db) as db:
        assert {name for (name,) in db.execute_sql("SELECT img_name FROM image")} == {
            path.name.replace(" ", "_") for path in FILES.iterdir()
        }
        numbers = db.execute_sql("SELECT rev_id FROM revision")
    assert {str(number) for (number,) in numbers} == {
        number for revisions in histories(demo_wiki).values() for number in revisions
    }
