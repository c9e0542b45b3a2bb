"""The examples work: the demo wiki is whole, the mounted site answers, the plugin is a plugin."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from examples import demo_store, serve_demo, wsgi
from wikiapi.cli import group
from wikiapi.cli.root import main
from wikiapi.factory import open_site
from wikiapi.http import inprocess
from wikiapi.http.app import make_app
from wikiapi.plugins import make_plugin_manager

if TYPE_CHECKING:
    from types import ModuleType
    from wsgiref.types import WSGIApplication

    from wikiapi.config import Config

PLUGIN = Path(demo_store.__file__).parent / "third_party_plugin" / "src"


def ask(app: WSGIApplication, url: str = "http://127.0.0.1:8080/w/api.php", **params: str) -> Any:
    query = urlencode({"action": "query", "format": "json", "formatversion": "2", **params})
    reply = inprocess.get(app, url, query)
    assert reply.status == 200
    return json.loads(reply.body)


@pytest.fixture(scope="session")
def demo(demo_config: Config) -> WSGIApplication:
    return make_app(open_site(demo_config))


@pytest.fixture
def wordcount(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PLUGIN))
    import wikiapi_wordcount

    assert Path(wikiapi_wordcount.__file__).is_relative_to(PLUGIN)
    return sys.modules["wikiapi_wordcount"]


def test_every_file_of_the_demo_wiki_is_a_page(demo_config: Config) -> None:
    site = open_site(demo_config)
    files = [
        path
        for folder in demo_store.PAGES.iterdir()
        if folder.is_dir() and folder.name != "files"
        for path in folder.iterdir()
    ]
    assert site.db.raw("SELECT COUNT(*) FROM page") == [(len(files),)]


def test_no_link_of_the_demo_wiki_is_broken_by_accident(demo: WSGIApplication) -> None:
    answer = ask(demo, generator="alllinks", galunique="1", gallimit="max", galnamespace="0")
    missing = {page["title"] for page in answer["query"]["pages"] if "missing" in page}
    assert missing == {"A page to be written"}


def test_pictures_of_the_demo_wiki_are_known(demo: WSGIApplication) -> None:
    answer = ask(demo, titles="File:Wikiapi logo.png", prop="imageinfo", iiprop="size|mime")
    (page,) = answer["query"]["pages"]
    assert page["imageinfo"][0] | {"size": 0} == {
        "size": 0,
        "width": 256,
        "height": 256,
        "mime": "image/png",
    }


def test_redirect_chain_of_the_demo_wiki(demo: WSGIApplication) -> None:
    answer = ask(demo, titles="Api.php", redirects="1")
    steps = [(step["from"], step["to"]) for step in answer["query"]["redirects"]]
    assert steps == [("Api.php", "API"), ("API", "Action API")]


def test_a_store_is_made_once(demo_config: Config) -> None:
    file = Path(demo_config.database.url.removeprefix("sqlite:///"))
    assert demo_store.store(file.parents[1]) == file


def test_mounted_site_answers_under_its_prefix(demo_config: Config) -> None:
    app = wsgi.mounted(demo_config)
    answer = ask(app, "http://127.0.0.1:8000/wiki-api/w/api.php", titles="Main Page")
    assert answer["query"]["pages"][0]["title"] == "Main Page"
    shop = inprocess.get(app, "http://127.0.0.1:8000/tea", "")
    assert shop.body == b"The shop, at /tea\n"


def test_taken_port_leads_to_a_free_one(demo_server: str) -> None:
    taken = demo_server.removeprefix("http://")
    address = serve_demo.free_address(taken)
    assert address != taken
    assert address.startswith("127.0.0.1:")


def test_plugin_answers_through_its_module(demo_config: Config, wordcount: ModuleType) -> None:
    app = make_app(open_site(demo_config, plugins=[wordcount]))
    answer = ask(app, prop="wordcount", titles="Main Page|Nothing", wcshortest="3")
    counts = {page["title"]: page.get("wordcount") for page in answer["query"]["pages"]}
    assert counts["Main Page"] > 20
    assert counts["Nothing"] is None


def test_plugin_goes_on_where_it_stopped(demo_config: Config, wordcount: ModuleType) -> None:
    app = make_app(open_site(demo_config, plugins=[wordcount]))
    titles = "Main Page|Help:Contents"
    whole = ask(app, prop="wordcount", titles=titles)["query"]["pages"]
    last = max(page["pageid"] for page in whole)
    rest = ask(app, prop="wordcount", titles=titles, wccontinue=str(last))["query"]["pages"]
    assert [page["pageid"] for page in rest if "wordcount" in page] == [last]


def test_plugin_adds_its_command(
    wordcount: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    manager = make_plugin_manager(extra=[wordcount])
    monkeypatch.setattr(group, "make_plugin_manager", lambda: manager)
    text = tmp_path / "text"
    text.write_text("It's a well-known word.", encoding="utf-8")
    assert CliRunner().invoke(main, ["wordcount", str(text)]).output == "4\n"
