"""``action=sitematrix``: the wikis of a farm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.errors import ConfigError, PluginError
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi.title.interwiki import Interwiki

WIKIS: list[dict[str, Any]] = [
    {
        "url": "https://de.example",
        "dbname": "dewiki",
        "language": "de",
        "sitename": "Wiki",
    },
    {
        "url": "https://he.example",
        "dbname": "hewiki",
        "language": "he",
        "closed": True,
    },
    {
        "url": "https://de.words.example",
        "dbname": "dewords",
        "code": "words",
        "language": "de",
    },
    {"url": "https://files.example", "dbname": "files", "code": "files", "lang": "en"},
    {"url": "https://board.example", "dbname": "board", "code": "board", "private": True},
]


@pytest.fixture
def farm(make_site: Callable[..., Site]) -> Site:
    site = {"site": {"wiki_id": "enwiki", "server": "https://en.example", "name": "Own"}}
    return make_site({}, config={**site, "extensions": {"sitematrix": {"wikis": WIKIS}}})


def matrix(site: Site, **params: str) -> dict[str, Any]:
    answer = ask(site, {"action": "sitematrix", **params})
    assert not answer.codes
    return answer.data["sitematrix"]


def test_languages_and_special_wikis(farm: Site) -> None:
    sitematrix = matrix(farm)
    assert sitematrix["count"] == 6
    assert [sitematrix[str(number)]["code"] for number in range(3)] == ["de", "en", "he"]
    assert sitematrix["0"] == {
        "code": "de",
        "name": "Deutsch",
        "site": [
            {
                "url": "https://de.example",
                "dbname": "dewiki",
                "code": "wiki",
                "sitename": "Wiki",
            },
            {
                "url": "https://de.words.example",
                "dbname": "dewords",
                "code": "words",
                "sitename": "",
            },
        ],
        "dir": "ltr",
        "localname": "German",
    }
    assert sitematrix["1"]["site"][0]["sitename"] == "Own"
    assert sitematrix["2"]["dir"] == "rtl"
    assert sitematrix["2"]["site"][0]["closed"] is True
    assert [wiki["dbname"] for wiki in sitematrix["specials"]] == ["board", "files"]
    assert sitematrix["specials"][1]["lang"] == "en"


def test_version_1_has_empty_texts_for_states(farm: Site) -> None:
    sitematrix = ask(farm, {"action": "sitematrix"}).version1["sitematrix"]
    assert sitematrix["2"]["site"][0]["closed"] == ""
    assert sitematrix["specials"][0]["private"] == ""


@pytest.mark.parametrize(
    ("params", "keys"),
    [
        ({"smtype": "language"}, ["count", "0", "1", "2"]),
        ({"smtype": "special"}, ["count", "specials"]),
        ({"smstate": "closed"}, ["count", "2"]),
        ({"smstate": "closed|private"}, ["count", "2", "specials"]),
        ({"smstate": "fishbowl"}, ["count"]),
        ({"smstate": "all|closed"}, ["count", "0", "1", "2", "specials"]),
    ],
)
def test_choice(farm: Site, params: dict[str, str], keys: list[str]) -> None:
    assert list(matrix(farm, **params)) == keys


def test_properties(farm: Site) -> None:
    sitematrix = matrix(farm, smlangprop="site|code", smsiteprop="dbname")
    assert sitematrix["1"] == {"code": "en", "site": [{"dbname": "enwiki"}]}
    assert sitematrix["specials"] == [{"dbname": "board", "private": True}, {"dbname": "files"}]


def test_names_in_the_readers_language(farm: Site) -> None:
    assert matrix(farm, uselang="fr")["0"]["localname"] == "allemand"


def test_walk_one_by_one(farm: Site) -> None:
    walked: list[str] = []
    params = {"smlimit": "1"}
    while params:
        answer = ask(farm, {"action": "sitematrix", **params}).data
        sitematrix = answer["sitematrix"]
        walked += [value["code"] for key, value in sitematrix.items() if key.isdigit()]
        walked += [wiki["code"] for wiki in sitematrix.get("specials", ())]
        params = {"smlimit": "1", **answer["continue"]} if "continue" in answer else {}
    assert walked == ["de", "en", "he", "board", "files"]


@pytest.mark.parametrize(
    "where", ["x", "language|", "other|1", "special|1_0", "special|٥", "language|" + "9" * 30]
)
def test_bad_continuation(farm: Site, where: str) -> None:
    assert ask(farm, {"action": "sitematrix", "smcontinue": where}).codes == "badcontinue"


def test_wikis_of_the_interwiki_map(make_site: Callable[..., Site]) -> None:
    site = make_site(
        {},
        config={"extensions": {"sitematrix": {}}},
        interwiki=[
            Interwiki("fr", "https://fr.example/wiki/$1", wiki_id="frwiki", local=True),
            Interwiki("es", "https://es.example/wiki/$1", wiki_id="eswiki"),
            Interwiki("it", "https://it.example/wiki/$1", local=True),
            Interwiki("commons", "https://c.example/wiki/$1", wiki_id="commons", local=True),
        ],
    )
    sitematrix = matrix(site)
    assert sitematrix["count"] == 2
    assert sitematrix["1"]["site"][0]["url"] == "https://fr.example"


def test_off_unless_the_configuration_has_it(make_site: Callable[..., Site]) -> None:
    assert ask(make_site({}), {"action": "sitematrix"}).codes == "badvalue"


@pytest.mark.parametrize(
    "wiki", [{"url": "x"}, {"url": "x", "dbname": 1}, {"url": "x", "dbname": "y", "name": "z"}]
)
def test_bad_configuration(make_site: Callable[..., Site], wiki: dict[str, Any]) -> None:
    with pytest.raises((ConfigError, PluginError), match="sitematrix"):
        make_site({}, config={"extensions": {"sitematrix": {"wikis": [wiki]}}})
