"""Stores of earlier releases are upgraded, and lose nothing."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

import wikiapi
from tests.releases import STORES, write
from wikiapi.cli import main
from wikiapi.version import __version__

RELEASES = sorted(STORES.glob("*.sqlite.gz"), key=lambda file: file.name)


@pytest.fixture(params=[*RELEASES, __version__], ids=lambda file: Path(file).name)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A store of a release after ``wikiapi db upgrade``, and one of the present version."""
    path = tmp_path / "wiki.sqlite"
    if isinstance(request.param, Path):
        path.write_bytes(gzip.decompress(request.param.read_bytes()))
        assert CliRunner().invoke(main, ["db", "upgrade", "--database", str(path)]).exit_code == 0
    else:
        write(path)
    return path


def test_nothing_is_lost(store: Path) -> None:
    with wikiapi.open(store) as wiki:
        pages = wiki.query(list="allpages", aplimit="max")["query"]["allpages"]
        logged = wiki.query(list="logevents")["query"]["logevents"]
        [box] = wiki.query(titles="Template:Box", prop="info", inprop="protection")["query"][
            "pages"
        ]
        members = wiki.query(list="categorymembers", cmtitle="Category:Drinks")
        [history] = wiki.query(titles="Main Page", prop="revisions", rvlimit=10)["query"]["pages"]
        hits = wiki.search("öl")
    assert {page["title"] for page in pages} >= {"Main Page", "Tea", "New name"}
    kinds = {entry["type"] for entry in logged}
    assert kinds >= {"move", "protect", "delete", "block"}
    assert box["protection"][0]["level"] == "sysop"
    assert [page["title"] for page in members["query"]["categorymembers"]] == ["Main Page"]
    assert [row["comment"] for row in history["revisions"]][:2] == ["by hand", "more"]
    assert [hit.title for hit in hits] == ["Main Page"]


def test_nothing_is_wrong(store: Path) -> None:
    result = CliRunner().invoke(main, ["check", "--database", str(store)])
    assert (result.exit_code, "Nothing is wrong" in result.output) == (0, True), result.output


def test_there_is_a_store_of_each_release() -> None:
    assert f"{__version__}.sqlite.gz" in {file.name for file in RELEASES}
