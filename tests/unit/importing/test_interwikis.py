from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wikiapi.errors import ConfigError
from wikiapi.importing.siteinfo import default_interwiki, fill_interwiki, read_interwiki
from wikiapi.site import Site
from wikiapi.store.queries.interwiki import InterwikiRow, all_rows

ENTRY = {
    "prefix": "De",
    "url": "https://de.example/$1",
    "local": "",
    "api": "https://de.example/api",
}
ROW = InterwikiRow("de", "https://de.example/$1", "https://de.example/api", "", 1, 0)


@pytest.mark.parametrize(
    "data",
    [
        [ENTRY],
        {"query": {"interwikimap": [ENTRY]}},
        [ENTRY | {"local": True, "trans": False}],
    ],
)
def test_file(tmp_path: Path, data: Any) -> None:
    path = tmp_path / "map.json"
    path.write_text(json.dumps(data))
    assert read_interwiki(path) == [ROW]


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '[{"prefix": "a b", "url": ""}]', '[{"prefix": 1, "url": ""}]', "3"]
)
def test_file_without_a_map(tmp_path: Path, text: str) -> None:
    path = tmp_path / "map.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"map\.json"):
        read_interwiki(path)


def test_default_of_any_wiki() -> None:
    rows = {row.prefix: row for row in default_interwiki("https://wiki.example/Main_Page")}
    assert rows["mw"].url == "https://www.mediawiki.org/wiki/$1"
    assert "de" not in rows


@pytest.mark.parametrize("project", ["wikipedia", "wiktionary", "wikivoyage"])
def test_default_of_a_wikimedia_project_has_its_languages(project: str) -> None:
    rows = {row.prefix: row for row in default_interwiki(f"https://fr.{project}.org/wiki/A")}
    assert rows["de"].url == f"https://de.{project}.org/wiki/$1"
    assert rows["de"].local


def test_every_default_has_a_place_for_the_page() -> None:
    rows = default_interwiki("https://en.wikipedia.org/wiki/Main_Page")
    assert all("$1" in row.url and row.url.startswith("https://") for row in rows)
    assert len({row.prefix for row in rows}) == len(rows)


def test_map_of_a_store_is_cached(site: Site) -> None:
    fill_interwiki(site.db, [ROW])
    fill_interwiki(site.db, default_interwiki(""))
    assert all_rows(site.db) == [ROW]
