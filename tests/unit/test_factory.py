from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from wikiapi.api import Action
from wikiapi.api.registries import registries
from wikiapi.config import Config, NamespaceConfig, parse_config
from wikiapi.errors import InvalidSetting, PluginError, StoreError
from wikiapi.factory import existing_site, open_site, reading_workers
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import make_plugin_manager
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.testing import NOW, make_site
from wikiapi.title.interwiki import Interwiki
from wikiapi.title.title import Title


class OwnMessages:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @hookimpl
    def register_messages(self) -> Iterable[Path]:
        return [self.folder]


class TakesQuery:
    @hookimpl
    def register_actions(self) -> object:
        return [NamedQuery]


class NamedQuery(Action):
    """Take the name of another action."""

    name = "query"

    def execute(self) -> None:
        """Do nothing."""


def test_site_of_defaults(make_site: Callable[..., Site]) -> None:
    site = make_site()
    assert site.clock() == NOW
    assert site.language == "en"
    assert "query" in registries(site).actions
    assert site.namespaces[4].name == "Wiki"
    assert site.script_url == "http://127.0.0.1:8080/w/api.php"


def test_project_namespace(make_site: Callable[..., Site]) -> None:
    named = make_site(config={"site": {"name": "My Wiki"}})
    assert named.namespaces[4].name == "My Wiki"
    assert named.namespaces[5].name == "My Wiki talk"
    apart = make_site(config={"site": {"name": "My Wiki", "project_namespace": "Our_Project"}})
    assert apart.namespaces[4].name == "Our Project"


def test_namespaces_of_the_settings(make_site: Callable[..., Site]) -> None:
    site = make_site(
        namespaces=[
            NamespaceConfig(100, "Portal", aliases=("P",), subpages=True, content=True),
            NamespaceConfig(6, "Datei", aliases=("D",), first_letter=False),
        ]
    )
    portal, file = site.namespaces[100], site.namespaces[6]
    assert (portal.canonical, portal.subpages, portal.content) == ("Portal", True, True)
    assert (file.name, file.canonical, file.first_letter) == ("Datei", "File", False)
    for name in ("Datei", "D", "File", "Image"):
        assert site.namespaces.find(name) is file


def test_titles_of_media_have_the_case_of_files(make_site: Callable[..., Site]) -> None:
    site = make_site(namespaces=[NamespaceConfig(6, first_letter=False)])
    for text in ("media:a.png", "file:a.png", "file talk:a.png"):
        assert site.titles.parse(text).text == "a.png"
    assert site.titles.parse("talk:a").text == "A"


def test_case_sensitive_wiki(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"site": {"capital_links": False}})
    assert site.titles.parse("alpha").text == "alpha"
    assert site.titles.parse("template:nav").text == "nav"
    for text in ("user:ada", "user talk:ada", "mediawiki:foo", "special:version"):
        assert site.titles.parse(text).text[0].isupper()


def test_main_subpages(make_site: Callable[..., Site]) -> None:
    assert make_site(config={"site": {"main_subpages": True}}).namespaces[0].subpages


def test_interwiki_map_of_the_store(make_site: Callable[..., Site]) -> None:
    site = make_site(
        interwiki=[
            Interwiki("De", "https://de.example/$1", "https://de.example/api", "de", trans=True)
        ]
    )
    entry = site.interwiki.get("de")
    assert entry is not None
    assert (entry.api, entry.wiki_id, entry.local, entry.trans) == (
        "https://de.example/api",
        "de",
        False,
        True,
    )
    assert site.titles.parse("de:Foo").interwiki == "de"


def test_messages_of_plugins_override_ours(make_site: Callable[..., Site], tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text('{"apierror-show": "Ours.", "own-key": "New."}')
    site = make_site(plugins=[OwnMessages(tmp_path)])
    assert site.messages.catalog.template("apierror-show", "en") == "Ours."
    assert site.messages.catalog.template("own-key", "de") == "New."
    assert site.messages.catalog.template("apierror-badcontinue", "en")


def test_name_taken_twice_names_both_plugins(make_site: Callable[..., Site]) -> None:
    with pytest.raises(PluginError, match="register_actions: 'query' is registered by builtin and"):
        make_site(plugins=[TakesQuery()])


def test_unusable_database(make_site: Callable[..., Site], tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'none.sqlite'}"
    with pytest.raises(StoreError):
        open_site(parse_config({"database": {"url": url, "read_only": True}}))


def test_sites_share_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not as in all other tests, whose sites share their plugins.
    monkeypatch.setattr("wikiapi.factory.make_plugin_manager", make_plugin_manager)
    one = make_site({"A": "a"}, interwiki={"de": "https://de.example/$1"})
    other = make_site({"B": "b"}, config={"site": {"name": "Other"}})
    assert one.titles.parse("de:x").is_external
    assert not other.titles.parse("de:x").is_external
    assert other.namespaces[4].name == "Other"
    assert registries(one).actions["query"] is registries(other).actions["query"]
    assert one.plugins is not other.plugins


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Alpha beta", "/wiki/Alpha_beta"),
        ("Talk:A/b", "/wiki/Talk:A/b"),
        ("a?b&c", "/wiki/A%3Fb%26c"),
        ("é", "/wiki/%C3%89"),
        ("A#b c", "/wiki/A#b_c"),
        ("A#50%", "/wiki/A#50%"),
        ("A#50%ab", "/wiki/A#50%25ab"),
        ("de:A b#c é", "https://de.example/A_b#c_.C3.A9"),
    ],
)
def test_page_path(make_site: Callable[..., Site], text: str, path: str) -> None:
    site = make_site(interwiki={"de": "https://de.example/$1"})
    assert site.page_path(site.titles.parse(text)) == path


def test_page_url(make_site: Callable[..., Site]) -> None:
    site = make_site(interwiki={"de": "https://de.example/$1"})
    title = site.titles.parse("A b")
    assert site.page_url(title) == "http://127.0.0.1:8080/wiki/A_b"
    edit = "http://127.0.0.1:8080/w/index.php?title=A_b&action=edit"
    assert site.page_url(title, "action=edit") == edit
    elsewhere = site.titles.parse("de:A")
    assert site.page_url(elsewhere, "action=edit") == "https://de.example/A?action=edit"
    assert site.page_url(site.titles.parse("A b#é"), "action=edit") == f"{edit}#é"
    assert site.page_path(Title(title.namespace, "X", "", "gone")) == ""


def test_main_page(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"site": {"main_page": "project:start"}})
    assert site.main_page.prefixed_text == "Wiki:Start"


@pytest.mark.parametrize("name", ["<>", "#x", "Talk:", "de:Start"])
def test_main_page_that_is_no_page(make_site: Callable[..., Site], name: str) -> None:
    with pytest.raises(InvalidSetting, match=f"site.main_page is {name!r}, which is not the title"):
        make_site(config={"site": {"main_page": name}}, interwiki={"de": "https://de.example/$1"})


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """Return the configuration of a store that is there."""
    url = f"sqlite:///{tmp_path / 'wiki.sqlite'}"
    with closing(Database(url)) as db:
        migrate.upgrade(db)
    return parse_config({"database": {"url": url}})


def test_own_store_may_be_written(config: Config) -> None:
    with existing_site(config) as site:
        assert not site.db.read_only


def test_database_of_mediawiki_is_never_written(config: Config, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "wiki.sqlite")) as connection, connection:
        connection.execute("DELETE FROM updatelog")
    with existing_site(config) as site:
        assert site.db.read_only


def test_workers_elsewhere_get_absolute_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_site({"A": "a"}, path=tmp_path / "wiki.sqlite").db.close()
    monkeypatch.chdir(tmp_path)
    settings = {"database": {"url": "sqlite:///wiki.sqlite"}, "files": {"folder": "images"}}
    workers = reading_workers(parse_config(settings), 1, "tcp://host:8786")
    assert workers is not None
    monkeypatch.chdir("/")
    site = workers.open_shared()
    with closing(site.db):
        assert site.config.files.folder == str(tmp_path / "images")


def test_worker_elsewhere_has_another_copy(tmp_path: Path) -> None:
    path = tmp_path / "wiki.sqlite"
    make_site({"A": "a"}, path=path).db.close()
    workers = reading_workers(
        parse_config({"database": {"url": f"sqlite:///{path}"}}), 1, "tcp://host:8786"
    )
    assert workers is not None
    path.unlink()
    make_site({"A": "a", "B": "b"}, path=path).db.close()
    with pytest.raises(StoreError, match=f"another copy of sqlite:///{path}"):
        workers.open_shared()
