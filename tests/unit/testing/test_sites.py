from __future__ import annotations

import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from wikiapi.accounts.user import User
from wikiapi.config import Config, NamespaceConfig, SiteConfig
from wikiapi.errors import ConfigError, InvalidTitle
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.queries import revisions, sitestats, texts, users
from wikiapi.store.schema.migrate import LATEST, version
from wikiapi.testing import NOW, DeclaredFile, DeclaredUser, Edit, ask
from wikiapi.testing.declaration import VISITOR, edits_of

PAGES = {
    "Main Page": "See [[Beta]], {{Nav|x}} and [[File:A.png]]. [[Category:Things]]",
    "Beta": [
        Edit("one", user="Ada", comment="begin"),
        "two",
        Edit("three", user="Bob", minor=True),
    ],
    "Template:Nav": "nav {{{1}}} [[Gamma]]",
    "Away": "#REDIRECT [[Beta#Part]]",
}


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    return make_site(
        PAGES,
        users=[DeclaredUser("Ada", groups=("sysop", "bot")), "Bob"],
        files=["A.png", DeclaredFile("B c.jpg", 10, 20, mime="image/jpeg", user="Ada")],
        interwiki={"de": "https://de.example/$1"},
        namespaces=[NamespaceConfig(100, "Portal")],
    )


def query(site: Site, **params: str) -> dict[str, object]:
    data = ask(site, {"action": "query", **params}).data
    assert "error" not in data
    return data["query"]


def test_store_is_current(site: Site) -> None:
    assert version(site.db) == LATEST


def test_ids_count_in_the_order_of_declaration(site: Site) -> None:
    (beta,) = texts.current(site.db, [(0, "Beta")]).values()
    assert (beta.page_id, beta.revision_id, beta.text) == (2, 4, "three")
    (nav,) = texts.current(site.db, [(10, "Nav")]).values()
    assert (nav.page_id, nav.revision_id) == (3, 5)


def test_edits(site: Site) -> None:
    rows = revisions.by_ids(site.db, [2, 3, 4])
    first, second, third = (rows[number] for number in (2, 3, 4))
    assert (first.user_name, first.user_id, first.comment) == ("Ada", 1, "begin")
    assert (second.user_name, second.user_id) == (VISITOR, 0)
    assert (third.user_id, third.minor, third.parent_id) == (2, 1, 3)
    assert first.timestamp < second.timestamp < third.timestamp


def test_accounts(site: Site) -> None:
    rows = users.by_names(site.db, ["Ada", "Bob", VISITOR])
    assert {name: row.user_id for name, row in rows.items()} == {"Ada": 1, "Bob": 2}
    assert [row.group for row in users.groups(site.db, [1])[1]] == ["bot", "sysop"]


def test_links_are_derived_from_the_texts(site: Site) -> None:
    assert query(site, list="alltransclusions", atprop="title")["alltransclusions"] == [
        {"ns": 10, "title": "Template:Nav"}
    ]
    assert query(site, list="alllinks", alprop="title")["alllinks"] == [
        {"ns": 0, "title": "Beta"},
        {"ns": 0, "title": "Beta"},
        {"ns": 0, "title": "Gamma"},
        {"ns": 0, "title": "Gamma"},
    ]
    (page,) = query(site, titles="File:A.png", prop="fileusage")["pages"]  # type: ignore[misc]
    assert [user["title"] for user in page["fileusage"]] == ["Main Page"]
    (page,) = query(site, titles="Main Page", prop="categories")["pages"]  # type: ignore[misc]
    assert page["categories"] == [{"ns": 14, "title": "Category:Things"}]


def test_redirects(site: Site) -> None:
    answer = query(site, titles="Away", redirects="")
    assert answer["redirects"] == [{"from": "Away", "to": "Beta", "tofragment": "Part"}]


def test_files(site: Site) -> None:
    (page,) = query(
        site, titles="File:B c.jpg", prop="imageinfo", iiprop="user|size|mime|timestamp"
    )["pages"]  # type: ignore[misc]
    (info,) = page["imageinfo"]
    assert {k: info[k] for k in ("user", "width", "height", "size", "mime", "timestamp")} == {
        "user": "Ada",
        "width": 10,
        "height": 20,
        "size": 1234,
        "mime": "image/jpeg",
        "timestamp": "2024-01-01T00:00:00Z",
    }


def test_everything_is_counted(site: Site) -> None:
    counted = sitestats.statistics(site.db)
    assert (counted.pages, counted.edits, counted.users, counted.images) == (4, 6, 2, 2)
    assert counted.articles == 1


def test_interwiki_and_namespaces(site: Site) -> None:
    assert site.titles.parse("de:Foo").interwiki == "de"
    assert site.titles.parse("Portal:Foo").ns == 100


def test_clock_stands_still(site: Site, make_site: Callable[..., Site]) -> None:
    assert site.clock() == site.clock() == NOW
    moment = datetime(2000, 1, 1, tzinfo=UTC)
    data = ask(make_site(clock=lambda: moment), {"action": "query", "curtimestamp": ""}).data
    assert data["curtimestamp"] == "2000-01-01T00:00:00Z"


def test_settings(make_site: Callable[..., Site]) -> None:
    assert make_site(config={"site": {"name": "X"}}).config.site.name == "X"
    assert make_site(config=Config(site=SiteConfig(name="Y"))).config.site.name == "Y"
    with pytest.raises(ConfigError, match="unknown setting sites"):
        make_site(config={"sites": {}})


def test_bad_title_is_refused(make_site: Callable[..., Site]) -> None:
    with pytest.raises(InvalidTitle):
        make_site({"<": "x"})


def test_store_in_a_file(make_site: Callable[..., Site], tmp_path: Path) -> None:
    path = tmp_path / "wiki.sqlite"
    make_site({"A": "a"}, path=path).db.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = Database(f"sqlite:///{path}", read_only=True)
    assert len(texts.current(again, [(0, "A")])) == 1
    again.close()


def test_same_declaration_makes_the_same_store(make_site: Callable[..., Site]) -> None:
    one, other = make_site(PAGES, users=["Ada"]), make_site(PAGES, users=["Ada"])
    for table in ("page", "revision", "pagelinks", "templatelinks", "linktarget", "user", "text"):
        sql = f"SELECT * FROM {table} ORDER BY 1, 2"
        assert one.db.execute_sql(sql) == other.db.execute_sql(sql)


class Witness:
    def __init__(self) -> None:
        self.events: list[str] = []

    @hookimpl
    def on_import_page(self, site: Site) -> None:
        self.events.append("page")

    @hookimpl
    def on_import_finished(self) -> None:
        self.events.append("finished")


def test_plugins_are_notified_of_pages(make_site: Callable[..., Site]) -> None:
    witness = Witness()
    make_site({"A": "a", "B": "b"}, plugins=[witness])
    assert witness.events == ["page", "page", "finished"]


def test_edits_of_a_declaration() -> None:
    assert edits_of("x") == [Edit("x")]
    assert edits_of(Edit("x")) == [Edit("x")]
    assert edits_of(["x", Edit("y")]) == [Edit("x"), Edit("y")]


def test_answer(site: Site) -> None:
    answer = ask(site, {"action": "query", "titles": "Main Page|x", "foo": ""})
    assert answer.codes == ""
    assert answer.warned == ["apierror-unrecognizedparams"]
    assert answer.data["batchcomplete"] is True
    assert answer.version1["batchcomplete"] == ""
    assert ask(site, {"action": "nope"}).codes == "badvalue"


def test_the_requesting_user(site: Site) -> None:
    params = {"action": "query", "assert": "user"}
    assert ask(site, params).codes == "assertuserfailed"
    assert ask(site, params, user=User("Ada", frozenset(["read"]), 1)).codes == ""


def test_the_language_brings_its_names(make_site: Callable[..., Site]) -> None:
    site = make_site({"Modèle:X": "x"}, language="fr")
    assert site.language == "fr"
    assert site.titles.parse("Template:X").prefixed_text == "Modèle:X"
