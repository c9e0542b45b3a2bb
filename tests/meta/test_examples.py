"""The examples work: the demo wiki is whole, the mounted site answers, the plugin is a plugin."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from examples import demo_store, serve_demo, wsgi
from wikiapi.cli import main
from wikiapi.cli.support import group
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.plugins import make_plugin_manager
from wikiapi.testing.client import ApiClient
from wikiapi.testing.sites import make_site

pytestmark = pytest.mark.slow

PLUGIN = Path(demo_store.__file__).parent / "third_party_plugin" / "src"


@pytest.fixture(scope="session")
def demo(demo_config: Config) -> Iterator[ApiClient]:
    site = open_site(demo_config)
    with closing(site.db):
        yield ApiClient(make_app(site))


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
    assert site.db.execute_sql("SELECT COUNT(*) FROM page") == [(len(files),)]


def test_no_link_of_the_demo_wiki_is_broken_by_accident(demo: ApiClient) -> None:
    answer = demo.get(
        action="query", generator="alllinks", galunique="1", gallimit="max", galnamespace="0"
    )
    missing = {page["title"] for page in answer["query"]["pages"] if "missing" in page}
    assert missing == {"A page to be written"}


def test_pictures_of_the_demo_wiki_are_known(demo: ApiClient) -> None:
    answer = demo.get(
        action="query", titles="File:Wikiapi logo.png", prop="imageinfo", iiprop="size|mime"
    )
    (page,) = answer["query"]["pages"]
    assert page["imageinfo"][0] | {"size": 0} == {
        "size": 0,
        "width": 256,
        "height": 256,
        "mime": "image/png",
    }


def test_redirect_chain_of_the_demo_wiki(demo: ApiClient) -> None:
    answer = demo.get(action="query", titles="Api.php", redirects="1")
    steps = [(step["from"], step["to"]) for step in answer["query"]["redirects"]]
    assert steps == [("Api.php", "API"), ("API", "Action API")]


def test_a_store_is_made_once(demo_config: Config) -> None:
    file = Path(demo_config.database.url.removeprefix("sqlite:///"))
    assert demo_store.store(file.parents[1]) == file


def test_a_copy_of_the_demo_wiki_can_be_edited(
    demo_config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(demo_config.database.url.removeprefix("sqlite:///"))
    for text in ("A cup.", "Two cups."):
        config = demo_store.configure_writable(file.parents[1], "http://wiki.test")
        site = open_site(config)
        with closing(site.db):
            client = ApiClient(make_app(site), raises=True)
            client.login(demo_store.USER, demo_store.PASSWORD)
            client.write(action="edit", title="Cup", text=text)
            answer = client.get(action="parse", page="Cup", prop="wikitext", formatversion=2)
            assert answer["parse"]["wikitext"] == text
    serve_demo.announce(config)
    assert "Log in as Demo with the password" in capsys.readouterr().out
    assert config.files.folder != demo_config.files.folder
    with closing(open_site(demo_config).db) as unchanged:
        assert unchanged.execute_sql("SELECT 1 FROM page WHERE page_title = 'Cup'") == []


def test_mounted_site_answers_under_its_prefix(demo_config: Config) -> None:
    client = ApiClient(wsgi.with_wiki(demo_config), path="/wiki-api/w/api.php")
    answer = client.get(action="query", titles="Main Page")
    assert answer["query"]["pages"][0]["title"] == "Main Page"
    assert client.raw("GET", path="/tea").text == "The shop, at /tea\n"


def test_taken_port_leads_to_a_free_one(demo_server: str) -> None:
    taken = demo_server.removeprefix("http://")
    address = serve_demo.free_address(taken)
    assert address != taken
    assert address.startswith("127.0.0.1:")


@pytest.fixture
def counting(wordcount: ModuleType) -> Iterator[ApiClient]:
    pages = {"Tea": "It is hot.", "Coffee": "It is black and hot.", "Nothing": ""}
    site = make_site(pages, plugins=[wordcount])
    with closing(site.db):
        yield ApiClient(make_app(site), defaults={"format": "json", "formatversion": 2})


def counts(answer: dict[str, Any]) -> dict[str, int | None]:
    return {page["title"]: page.get("wordcount") for page in answer["query"]["pages"]}


def test_plugin_answers_through_its_module(counting: ApiClient) -> None:
    titles = ["Tea", "Coffee", "Nothing", "Missing"]
    answer = counting.get(action="query", prop="wordcount", titles=titles, wcshortest=3)
    assert counts(answer) == {"Tea": 1, "Coffee": 3, "Nothing": 0, "Missing": None}


def test_plugin_goes_on_where_it_stopped(counting: ApiClient) -> None:
    answer = counting.get(
        action="query", prop="wordcount", titles=["Tea", "Coffee"], wccontinue="2"
    )
    assert counts(answer) == {"Tea": None, "Coffee": 5}


def test_plugin_adds_its_command(
    wordcount: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    manager = make_plugin_manager(extra=[wordcount])
    monkeypatch.setattr(group, "make_plugin_manager", lambda **_: manager)
    text = tmp_path / "text"
    text.write_text("It's a well-known word.", encoding="utf-8")
    assert CliRunner().invoke(main, ["wordcount", str(text)]).output == "4\n"


def test_plugin_passes_its_own_tests() -> None:
    folder = PLUGIN.parent
    command = [sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "tests"]
    environment = os.environ | {"PYTHONPATH": str(PLUGIN), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-p", "no:cacheprovider"]
    done = subprocess.run(
        command + options, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_what_is_announced_can_be_pasted_into_a_shell(
    demo_config: Config, demo: ApiClient, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_demo.announce(demo_config)
    output = capsys.readouterr().out
    assert f"{demo_config.site.server}/explore, " in output
    assert demo.raw("GET", path="/explore").status == 200
    lines = [line for line in output.splitlines() if line.startswith("  ")]
    urls = [shlex.split(line)[1] for line in lines]
    assert len(urls) == len(serve_demo.TRY)
    for url in urls:
        # curl would take these for a list of addresses.
        assert not set(url) & set("{}[]")
        assert demo.raw("GET", urlsplit(url).query).status == 200
