from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import COPY, Site
from wikiapi.testing import DeclaredUser, ask
from wikiapi.title.interwiki import Interwiki

EVERYTHING = (
    "general|namespaces|namespacealiases|specialpagealiases|magicwords|interwikimap|dbrepllag"
    "|statistics|usergroups|autocreatetempuser|clientlibraries|libraries|extensions"
    "|fileextensions|rightsinfo|restrictions|languages|languagevariants|skins|extensiontags"
    "|functionhooks|showhooks|variables|protocols|defaultoptions|uploaddialog|autopromote"
    "|autopromoteonce|copyuploaddomains"
)
CONFIG = {
    "site": {
        "name": "Test",
        "wiki_id": "testwiki",
        "server": "https://wiki.example:8443",
        "language": "he",
        "main_page": "Main Page",
        "timezone": "Asia/Kolkata",
        "read_only": "A copy",
        "logo": "/logo.png",
        "rights_url": "https://creativecommons.org/licenses/by/4.0/",
        "rights_text": "CC BY",
    }
}

pytestmark = pytest.mark.wiki(
    {"Main Page": "Hello [[World]]", "World": "x"},
    config=CONFIG,
    users=[DeclaredUser("Ada", groups=("sysop",))],
    interwiki=[
        Interwiki("de", "https://de.example/wiki/$1", local=True),
        Interwiki("mw", "//mw.example/$1", "https://mw.example/api.php", "mw", trans=True),
    ],
    writable=False,
)


def info(site: Site, prop: str, **params: str) -> Any:
    answer = ask(site, {"action": "query", "meta": "siteinfo", "siprop": prop, **params})
    assert not answer.codes
    return answer


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, COPY),
        ({"read_only": "Closed."}, "Closed."),
        ({"announce_read_only": False}, None),
        ({"announce_read_only": False, "read_only": "Closed."}, "Closed."),
    ],
)
def test_read_only(
    make_site: Callable[..., Site], settings: dict[str, Any], reason: str | None
) -> None:
    site = make_site({}, config={"site": settings})
    general = info(site, "general").data["query"]["general"]
    assert general["readonly"] is (reason is not None)
    assert general.get("readonlyreason") == reason


@pytest.mark.parametrize(
    ("language", "codes"), [("en", []), ("he", ["en"]), ("nds-nl", ["nl", "en"])]
)
def test_fallback_languages(
    make_site: Callable[..., Site], language: str, codes: list[str]
) -> None:
    site = make_site({}, config={"site": {"language": language}})
    general = info(site, "general").data["query"]["general"]
    assert [entry["code"] for entry in general["fallback"]] == codes


@pytest.mark.parametrize(
    ("language", "trail", "encoding"),
    [
        ("en", "/^([a-z]+)(.*)$/sD", "windows-1252"),
        ("de", "/^([äöüßa-z]+)(.*)$/sDu", "windows-1252"),
        ("zh", "/^()(.*)$/sD", "windows-936"),
    ],
)
def test_writing_of_the_language(
    make_site: Callable[..., Site], language: str, trail: str, encoding: str
) -> None:
    site = make_site({}, config={"site": {"language": language}})
    general = info(site, "general").data["query"]["general"]
    assert general["linktrail"] == trail
    assert general["fallback8bitEncoding"] == encoding


def test_general_says_what_is_configured(site: Site) -> None:
    general = info(site, "general").data["query"]["general"]
    expected = {
        "mainpage": "Main Page",
        "base": "https://wiki.example:8443/wiki/Main_Page",
        "sitename": "Test",
        "wikiid": "testwiki",
        "server": "https://wiki.example:8443",
        "servername": "wiki.example",
        "lang": "he",
        "rtl": True,
        "fallback": [{"code": "en"}],
        "timezone": "Asia/Kolkata",
        "timeoffset": 330,
        "readonly": True,
        "readonlyreason": "A copy",
        "logo": "https://wiki.example:8443/logo.png",
        "time": "2026-01-01T12:00:00Z",
    }
    assert general | expected == general
    assert general["generator"].startswith("MediaWiki 1.45.")


def test_general_in_both_versions(site: Site) -> None:
    answer = info(site, "general")
    first, second = answer.version1["query"]["general"], answer.data["query"]["general"]
    assert first["thumblimits"] == [120, 150, 180, 200, 250, 300]
    assert second["thumblimits"]["5"] == 300
    assert second["imagelimits"]["0"] == {"width": 320, "height": 240}
    assert first["magiclinks"] == []
    assert second["magiclinks"] == {"ISBN": False, "PMID": False, "RFC": False}
    assert first["variantarticlepath"] is False
    assert "misermode" not in first


def test_namespaces(site: Site) -> None:
    answer = info(site, "namespaces|namespacealiases")
    namespaces = answer.data["query"]["namespaces"]
    assert list(namespaces) == [str(namespace.id) for namespace in site.namespaces]
    assert "canonical" not in namespaces["0"]
    assert namespaces["4"]["name"] == "Test"
    assert namespaces["4"]["canonical"] == "Project"
    assert namespaces["8"]["namespaceprotection"] == "editinterface"
    assert answer.version1["query"]["namespaces"]["10"]["*"] == "תבנית"
    assert {"id": 6, "alias": "Image"} in answer.data["query"]["namespacealiases"]


@pytest.mark.parametrize(
    ("params", "prefixes"), [({}, ["de", "mw"]), ({"sifilteriw": "local"}, ["de"])]
)
def test_interwiki_map(params: dict[str, str], prefixes: list[str], site: Site) -> None:
    entries = info(site, "interwikimap", **params).data["query"]["interwikimap"]
    assert [entry["prefix"] for entry in entries] == prefixes
    assert entries[0]["language"] == "Deutsch"


def test_interwiki_entries_have_the_known_properties(site: Site) -> None:
    (entry,) = info(site, "interwikimap", sifilteriw="!local").data["query"]["interwikimap"]
    assert entry == {
        "prefix": "mw",
        "trans": True,
        "url": "//mw.example/$1",
        "protorel": True,
        "wikiid": "mw",
        "api": "https://mw.example/api.php",
    }


def test_statistics_are_counted(site: Site) -> None:
    statistics = info(site, "statistics").data["query"]["statistics"]
    assert (statistics["pages"], statistics["edits"], statistics["admins"]) == (2, 2, 1)


def test_groups(site: Site) -> None:
    plain = info(site, "usergroups").data["query"]["usergroups"]
    assert all("number" not in group for group in plain)
    counted = info(site, "usergroups", sinumberingroup="").data["query"]["usergroups"]
    assert {g["name"]: g["number"] for g in counted if "number" in g} == {
        "user": 1,
        "bot": 0,
        "sysop": 1,
        "interface-admin": 0,
        "bureaucrat": 0,
        "suppress": 0,
    }
    assert "read" in counted[0]["rights"]


def test_configured_rights_and_promotion_are_told(make_site: Callable[..., Site]) -> None:
    permissions = {
        "groups": {"helper": ["patrol"], "bot": ["bot"]},
        "autoconfirm_days": 4,
        "autoconfirm_edits": 10,
    }
    site = make_site(config={"permissions": permissions})
    query = info(site, "usergroups|autopromote").data["query"]
    rights = {group["name"]: group["rights"] for group in query["usergroups"]}
    assert (rights["helper"], rights["bot"]) == (["patrol"], ["bot"])
    rule = query["autopromote"]["autoconfirmed"]
    assert rule["0"] == {"condname": "APCOND_EDITCOUNT", "params": [10]}
    assert rule["1"] == {"condname": "APCOND_AGE", "params": [4 * 24 * 60 * 60]}


def test_words_are_those_of_the_parser(site: Site) -> None:
    query = info(site, "variables|extensiontags|magicwords|functionhooks").data["query"]
    assert "pagename" in query["variables"]
    assert "<nowiki>" in query["extensiontags"]
    assert "lc" in query["functionhooks"]
    (toc,) = [word for word in query["magicwords"] if word["name"] == "notoc"]
    assert "__NOTOC__" in toc["aliases"]


def test_every_part_at_once_takes_few_queries(site: Site) -> None:
    assert not site.is_miser, "this is found out once for each wiki"
    with site.db.recording() as log:
        query = info(site, EVERYTHING).data["query"]
    assert list(query) == EVERYTHING.split("|")
    assert len(log) == 2


def test_too_large_an_answer_goes_on(make_site: Callable[..., Site]) -> None:
    small = make_site(config={"http": {"result_size_limit": 3000}})
    data = info(small, "general|languages|protocols").data
    assert data["continue"] == {"siprop": "languages|protocols", "continue": "-||"}
    assert list(data["query"]) == ["general"]


@pytest.mark.parametrize(
    ("pages", "main_page", "title"),
    [
        ({}, "", "Main Page"),
        ({"MediaWiki:Mainpage": "start"}, "", "Start"),
        ({"MediaWiki:Mainpage": "Project:{{ucfirst:start}}"}, "", "Wiki:Start"),
        ({"MediaWiki:Mainpage": "a[b"}, "", "Main Page"),
        ({"MediaWiki:Mainpage": "Start"}, "Home", "Home"),
    ],
)
def test_main_page_is_named_by_a_page_unless_it_is_set(
    make_site: Callable[..., Site], pages: dict[str, str], main_page: str, title: str
) -> None:
    site = make_site(pages, config={"site": {"main_page": main_page}})
    general = ask(site, {"action": "query", "meta": "siteinfo"}).data["query"]["general"]
    assert general["mainpage"] == title
    assert general["base"].endswith(f"/wiki/{title.replace(' ', '_')}")


def test_default_options_follow_the_settings(make_site: Callable[..., Site]) -> None:
    made = make_site(
        {},
        config={
            "site": {"timezone": "Asia/Kolkata"},
            "namespaces": [{"id": 100, "name": "Portal"}, {"id": 101, "name": "Portal talk"}],
        },
    )
    params = {"action": "query", "meta": "siteinfo", "siprop": "defaultoptions"}
    options = ask(made, params).data["query"]["defaultoptions"]
    assert options["timecorrection"] == "System|330"
    assert {name for name in options if name.startswith("searchNs1")} == {
        *(f"searchNs1{number}" for number in ("", *range(6), "00", "01"))
    }
    assert [options["searchNs0"], options["searchNs100"]] == [1, 0]


def test_prefixes_besides_languages_are_listed_with_them(make_site: Callable[..., Site]) -> None:
    made = make_site(
        {"A": "[[mw:X|y]] [[:mw:Z]] [[other:Q]]"},
        config={"wikitext": {"language_prefixes": ["mw"]}},
        interwiki={"mw": "https://mw.example/$1", "other": "https://other.example/$1"},
    )
    info = ask(made, {"action": "query", "meta": "siteinfo", "siprop": "interwikimap"}).data
    prefixes = {each["prefix"]: "extralanglink" in each for each in info["query"]["interwikimap"]}
    assert prefixes == {"mw": True, "other": False}
    params = {"action": "parse", "page": "A", "prop": "langlinks|iwlinks"}
    answer = ask(made, params).data["parse"]
    assert [(each["lang"], each["title"]) for each in answer["langlinks"]] == [("mw", "X")]
    assert [each["title"] for each in answer["iwlinks"]] == ["mw:Z", "other:Q"]
