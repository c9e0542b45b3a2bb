from __future__ import annotations

from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

pytestmark = pytest.mark.wiki(
    {
        "MediaWiki:Sidebar": "* mine",
        "MediaWiki:August/de": "Erntemonat",
        "MediaWiki:Own message": "{{PAGENAME}} $1",
    },
    config={"site": {"main_page": "Start"}},
)


def messages(site: Site, **params: str) -> Any:
    answer = ask(site, {"action": "query", "meta": "allmessages", **params})
    assert answer.codes == ""
    return answer.data["query"]["allmessages"]


def test_texts(site: Site) -> None:
    assert messages(site, ammessages="mainpage|sidebar|And|no such") == [
        {"name": "mainpage", "normalizedname": "mainpage", "content": "Start"},
        {"name": "sidebar", "normalizedname": "sidebar", "content": "* mine"},
        {"name": "And", "normalizedname": "and", "content": " and"},
        {"name": "no such", "normalizedname": "no_such", "missing": True},
    ]


def test_languages(site: Site) -> None:
    names = {"ammessages": "august|september", "amlang": "de"}
    assert [entry["content"] for entry in messages(site, **names)] == ["Erntemonat", "September"]
    names["amlang"] = "he"
    assert messages(site, **names)[0]["content"] == "אוגוסט"


def test_default_of_a_customised_text(site: Site) -> None:
    (sidebar, own, main) = messages(
        site, ammessages="sidebar|own message|mainpage", amprop="default", amnocontent="1"
    )
    assert sidebar["default"].startswith("\n* navigation")
    assert own["defaultmissing"] is True
    assert main == {"name": "mainpage", "normalizedname": "mainpage"}


def test_customised_texts_are_marked_where_they_are_asked_for(site: Site) -> None:
    names = {"ammessages": "sidebar|mainpage", "amnocontent": "1"}
    assert messages(site, **names, amcustomised="modified") == [
        {"name": "sidebar", "normalizedname": "sidebar", "customised": True}
    ]
    assert not any("customised" in entry for entry in messages(site, **names))


def test_default_of_a_filled_text(site: Site) -> None:
    (minutes, parentheses) = messages(
        site, ammessages="minutes|and", amargs="5", amprop="default", amnocontent="1"
    )
    assert minutes["default"] == "{{PLURAL:$1|$1 minute|$1 minutes}}"
    assert "default" not in parentheses


def test_customised_texts_say_so_where_they_alone_are_listed(site: Site) -> None:
    names = {"ammessages": "sidebar|mainpage"}
    assert messages(site, **names, amcustomised="modified")[0]["customised"] is True
    for listed in ("all", "unmodified"):
        entries = messages(site, **names, amcustomised=listed)
        assert all("customised" not in entry for entry in entries)


# What clients ask for by name: they join lists, write dates and find pages by these.
@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", {
            "and": " and", "comma-separator": ", ", "word-separator": " ",
            "semicolon-separator": "; ", "colon-separator": ": ", "pipe-separator": " | ",
            "parentheses": "($1)", "brackets": "[$1]", "ellipsis": "...", "mainpage": "Start",
            "aboutpage": "Project:About", "redirectedfrom": "(Redirected from $1)",
            "red-link-title": "$1 (page does not exist)", "editsection": "edit",
            "showtoc": "show", "hidetoc": "hide", "january": "January", "jan": "Jan",
            "may_long": "May", "january-gen": "January", "monday": "Monday", "mon": "Mon",
            "minutes-ago": "{{PLURAL:$1|$1 minute ago|$1 minutes ago}}",
            "autocomment-prefix": "", "size-kilobytes": "$1 KB"}),
        ("de", {"and": " und", "comma-separator": ", ", "march": "März", "monday": "Montag",
                "days": "{{PLURAL:$1|$1 Tag|$1 Tage}}"}),
        ("fr", {"and": " et", "colon-separator": "\u00a0: ", "june": "juin"}),
        ("ar", {"and": " و", "comma-separator": "، ", "semicolon-separator": "؛ "}),
        ("ru", {"may-gen": "мая", "may_long": "май",
                "hours": "{{PLURAL:$1|$1 час|$1 часа|$1 часов|$1 часа}}"}),
        ("zh-hans", {"and": "和", "comma-separator": "、", "word-separator": "",
                     "colon-separator": "："}),
        ("pfl", {"and": " und", "march": "März"}),  # CLDR knows German, its fallback
        ("th", {"minutes": "{{PLURAL:$1|$1 นาที|$1 นาที}}"}),
    ],
)  # fmt: skip
def test_texts_that_clients_ask_for(site: Site, language: str, texts: dict[str, str]) -> None:
    entries = messages(site, ammessages="|".join(texts), amlang=language)
    assert {entry["name"]: entry.get("content") for entry in entries} == texts


def test_forms_of_numbers_follow_the_language_of_the_text(site: Site) -> None:
    params = {"ammessages": "minutes", "amargs": "5", "amenableparser": "1"}
    assert messages(site, **params, amlang="ru")[0]["content"] == "5 минут"
    assert messages(site, **params, amlang="en")[0]["content"] == "5 minutes"


def test_arguments_and_parsing(site: Site) -> None:
    name = {"ammessages": "own message", "amargs": "x|y"}
    assert messages(site, **name)[0]["content"] == "{{PAGENAME}} x"
    assert messages(site, **name, amenableparser="1", amtitle="A B")[0]["content"] == "A B x"
    assert messages(site, **name, amenableparser="1", amtitle="bad[title")[0]["content"] == "API x"


def names(site: Site, **params: str) -> list[str]:
    return [entry["name"] for entry in messages(site, **params)]


def test_all_messages(site: Site) -> None:
    every = names(site)
    assert every == sorted(site.messages.catalog.keys())
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
