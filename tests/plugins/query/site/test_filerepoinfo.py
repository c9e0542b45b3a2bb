from __future__ import annotations

from typing import Any

from wikiapi.testing import ask

CONFIG = {
    "site": {"name": "Home wiki", "server": "https://home.example"},
    "files": {"url": "/files"},
    "repositories": [
        {"name": "commons", "api": "http://127.0.0.1:1/w/api.php", "display_name": "Commons"}
    ],
}


def repos(make_site: Any, **params: str) -> list[dict[str, Any]]:
    answer = ask(make_site(config=CONFIG), {"action": "query", "meta": "filerepoinfo"} | params)
    assert answer.codes == ""
    return answer.data["query"]["repos"]


def test_foreign_repositories_come_first(make_site: Any) -> None:
    assert [repo["name"] for repo in repos(make_site)] == ["commons", "local"]


def test_the_wikis_own(make_site: Any) -> None:
    assert repos(make_site)[1] == {
        "name": "local",
        "displayname": "Home wiki",
        "rootUrl": "/files",
        "local": True,
        "url": "/files",
        "thumbUrl": "/files/thumb",
        "initialCapital": True,
        "scriptDirUrl": "/w",
        "favicon": "https://home.example/favicon.ico",
        "canUpload": True,
    }


def test_the_wikis_own_without_uploads(make_site: Any) -> None:
    site = make_site(config={"files": {"uploads": False}})
    answer = ask(site, {"action": "query", "meta": "filerepoinfo"}).data["query"]
    assert [repo["canUpload"] for repo in answer["repos"]] == [False]


def test_one_that_is_down_is_reported_without_its_addresses(make_site: Any) -> None:
    [commons, _] = repos(make_site)
    assert commons["apiurl"] == "http://127.0.0.1:1/w/api.php"
    assert commons["displayname"] == "Commons"
    assert "server" not in commons


def test_chosen_props(make_site: Any) -> None:
    assert repos(make_site, friprop="name|local") == [
        {"name": "commons", "local": False},
        {"name": "local", "local": True},
    ]
