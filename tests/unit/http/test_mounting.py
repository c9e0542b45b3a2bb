from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from wikiapi.config import parse_config
from wikiapi.errors import ConfigError, StoreUnavailable
from wikiapi.http import mount, wiki_at
from wikiapi.http.mounting import below
from wikiapi.testing import ApiClient, make_site

SERVER = "https://shop.example"


def shop(_: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    start("200 OK", [("Content-Type", "text/plain")])
    return [b"shop"]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "wiki.sqlite"
    with closing(make_site({"Tea": "hot"}, path=path).db):
        return path


def test_wiki_answers_below_its_mount_point(database: Path) -> None:
    settings = {"site": {"server": SERVER}, "database": {"url": f"sqlite:///{database}"}}
    app = mount(shop, {"/docs": parse_config(settings)})
    client = ApiClient(app, path="/docs/w/api.php")
    (page,) = client.get(action="query", titles="Tea", prop="info", inprop="url")["query"]["pages"]
    assert page["fullurl"] == f"{SERVER}/docs/wiki/Tea"
    assert client.raw("GET", path="/w/api.php").text == "shop"


def test_wikis_are_named_by_files(database: Path, tmp_path: Path) -> None:
    settings = tmp_path / "de.toml"
    settings.write_text(f'[database]\nurl = "sqlite:///{database}"\n', encoding="utf-8")
    app = mount(shop, {"/en": database, "/de": str(settings)})
    for point in ("/en", "/de"):
        client = ApiClient(app, path=f"{point}/w/api.php")
        general = client.get(action="query", meta="siteinfo")["query"]["general"]
        assert general["scriptpath"] == f"{point}/w"


def test_missing_database_is_not_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wikiapi.toml").write_text("")
    place = tmp_path / "none.sqlite"
    for source in ("none.sqlite", place):
        with pytest.raises(StoreUnavailable, match=f"no database file at {place}"):
            mount(shop, {"/en": source})
    with pytest.raises(StoreUnavailable, match=f"no database file at {tmp_path}/wikiapi.sqlite"):
        wiki_at("/en", tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["wikiapi.toml"]


def test_wiki_is_mounted_from_any_folder(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "wikiapi.toml"
    settings.write_text('[database]\nurl = "sqlite:///wiki.sqlite"\n[site]\nname = "Kettle"\n')
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for source in (settings, str(settings), tmp_path, database, "..", "../wiki.sqlite"):
        client = ApiClient(mount(shop, {"/en": source}), path="/en/w/api.php")
        general = client.get(action="query", meta="siteinfo")["query"]["general"]
        assert general["sitename"] == "Kettle"


@pytest.mark.parametrize("point", ["docs", "/docs/", "/", ""])
def test_mount_point_is_a_path(database: Path, point: str) -> None:
    with pytest.raises(ConfigError, match="mount point"):
        mount(shop, {point: database})
    with pytest.raises(ConfigError, match="mount point"):
        wiki_at(point, database)


def test_files_elsewhere_stay_where_they_are() -> None:
    config = parse_config({"files": {"url": "https://files.example/"}})
    assert below(config, "/docs").files.url == "https://files.example/"
    assert below(parse_config({"files": {"url": "/images"}}), "/docs").files.url == "/docs/images"
