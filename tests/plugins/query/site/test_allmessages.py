from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask, make_site
from wikiapi_plugins.interface.words import InterfaceWords, with_spaces


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = make_site(
        {
            "MediaWiki:Sidebar": "* mine",
            "MediaWiki:August/de": "Erntemonat",
            "MediaWiki:Own message": "{{PAGENAME}} $1",
        },
        config={"site": {"main_page": "Start"}},
    )
    yield made
    made.db.close()


def told(site: Site, **params: str) -> Any:
    answer = ask(site, {"action": "query", "meta": "allmessages", **params})
    assert answer.codes == ""
    return answer.data["query"]["allmessages"]


def test_texts(site: Site) -> None:
    assert told(site, ammessages="mainpage|sidebar|And|no such") == [
        {"name": "mainpage", "normalizedname": "mainpage", "content": "Start"},
        {"name": "sidebar", "normalizedname": "sidebar", "content": "* mine"},
        {"name": "And", "normalizedname": "and", "content": " and"},
        {"name": "no such", "normalizedname": "no_such", "missing": True},
    ]


def test_languages(site: Site) -> None:
    names = {"ammessages": "august|september", "amlang": "de"}
    assert [entry["content"] for entry in told(site, **names)] == ["Erntemonat", "September"]
    names["amlang"] = "he"
    assert told(site, **names)[0]["content"] == "אוגוסט"


def test_default_of_a_customised_text(site: Site) -> None:
    (sidebar, own, main) = told(
        site, ammessages="sidebar|own message|mainpage", amprop="default", amnocontent="1"
    )
    assert sidebar["default"].startswith("\n* navigation")
    assert own["defaultmissing"] is True
    assert main == {"name": "mainpage", "normalizedname": "mainpage"}


def test_arguments_and_parsing(site: Site) -> None:
    name = {"ammessages": "own message", "amargs": "x|y"}
    assert told(site, **name)[0]["content"] == "{{PAGENAME}} x"
    assert told(site, **name, amenableparser="1", amtitle="A B")[0]["content"] == "A B x"
    assert told(site, **name, amenableparser="1", amtitle="bad[title")[0]["content"] == "API x"


def names(site: Site, **params: str) -> list[str]:
    return [entry["name"] for entry in told(site, **params)]


def test_all_messages(site: Site) -> None:
    every = names(site)
    assert every == list(site.api.derived(InterfaceWords).keys)
    assert {"january", "nstab-main", "mainpage"} < set(every)
    assert names(site, amincludelocal="1") == sorted([*every, "own_message"])


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"amprefix": "nstab-m"}, ["nstab-main", "nstab-mainpage", "nstab-media",
                                   "nstab-mediawiki", "nstab-module"]),
        ({"amprefix": "nstab", "amfilter": "talk"}, ["nstab-talk"]),
        ({"ammessages": "sidebar|mainpage", "amcustomised": "modified"}, ["sidebar"]),
        ({"ammessages": "sidebar|mainpage", "amcustomised": "unmodified"}, ["mainpage"]),
        ({"ammessages": "a|b|c", "amfrom": "b"}, ["b", "c"]),
        ({"ammessages": "a|b|c", "amto": "b"}, ["a", "b"]),
        ({"ammessages": "a|b|c", "amfrom": "B"}, []),
    ],
)  # fmt: skip
def test_choice(site: Site, params: dict[str, str], expected: list[str]) -> None:
    assert names(site, **params) == expected


def test_invalid_language(site: Site) -> None:
    params = {"action": "query", "meta": "allmessages", "ammessages": "x", "amlang": "x[y"}
    assert ask(site, params).codes == "invalidlang"


def test_references_stand_for_spaces() -> None:
    assert with_spaces("&#32;a&nbsp;b&#160;c&shy;&amp;") == " a\u00a0b\u00a0c\u00ad&amp;"
