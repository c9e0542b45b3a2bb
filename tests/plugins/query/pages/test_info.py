from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.accounts.user import User
from wikiapi.site import Site
from wikiapi.store.models import Page, Watchlist
from wikiapi.testing import ask

ADMIN = User("Ada", frozenset({"read", "edit", "move", "editprotected", "unwatchedpages"}), id=1)


@pytest.fixture
def site(query_site: Site) -> Site:
    return query_site


def info(site: Site, titles: str, *, user: User | None = None, **params: str) -> dict[str, Any]:
    answer = ask(site, {"action": "query", "prop": "info", "titles": titles, **params}, user=user)
    assert not answer.codes
    return {page["title"]: page for page in answer.data["query"]["pages"]}


def test_protection_in_force(site: Site) -> None:
    pages = info(site, "Alpha|Beta|Never|Template:Infobox|File:Photo.png", inprop="protection")
    assert pages["Beta"]["protection"] == [{"type": "edit", "level": "sysop", "expiry": "infinity"}]
    assert pages["Alpha"]["protection"] == [
        {
            "type": "edit",
            "level": "autoconfirmed",
            "expiry": "2030-01-01T00:00:00Z",
            "cascade": True,
        }
    ]
    assert pages["Never"]["protection"] == [
        {"type": "create", "level": "sysop", "expiry": "infinity"}
    ]


@pytest.mark.parametrize("title", ["Template:Infobox", "File:Photo.png"])
def test_protection_by_cascade(title: str, site: Site) -> None:
    assert info(site, title, inprop="protection")[title]["protection"] == [
        {
            "type": "edit",
            "level": "autoconfirmed",
            "expiry": "2030-01-01T00:00:00Z",
            "source": "Alpha",
        }
    ]


def test_what_can_be_protected(site: Site) -> None:
    pages = info(site, "Alpha|Nope|File:Photo.png|File:Nope.png", inprop="protection")
    assert {title: page["restrictiontypes"] for title, page in pages.items()} == {
        "Alpha": ["edit", "move"],
        "Nope": ["create"],
        "File:Photo.png": ["edit", "move", "upload"],
        "File:Nope.png": ["create", "upload"],
    }


def test_titles_and_addresses(site: Site) -> None:
    props = "displaytitle|talkid|subjectid|associatedpage|url|varianttitles|linkclasses"
    pages = info(site, "Alpha|Talk:Alpha|Gamma|No & where", inprop=props)
    alpha, talk = pages["Alpha"], pages["Talk:Alpha"]
    assert alpha["displaytitle"] == "<i>Alpha</i>"
    assert pages["No & where"]["displaytitle"] == "No &amp; where"
    assert (alpha["talkid"], talk["subjectid"]) == (talk["pageid"], alpha["pageid"])
    assert (alpha["associatedpage"], talk["associatedpage"]) == ("Talk:Alpha", "Alpha")
    assert alpha["fullurl"] == alpha["canonicalurl"] == "http://127.0.0.1:8080/wiki/Alpha"
    assert alpha["editurl"] == "http://127.0.0.1:8080/w/index.php?title=Alpha&action=edit"
    assert alpha["varianttitles"] == {"en": "Alpha"}
    assert pages["Gamma"]["linkclasses"] == ["mw-redirect"]
    assert alpha["linkclasses"] == []
    assert "linkclasses" not in pages["No & where"]


def test_redirect_is_not_a_property_of_the_target(site: Site) -> None:
    assert "redirect" in info(site, "Gamma")["Gamma"]
    assert "redirect" not in info(site, "Gamma", redirects="")["Alpha"]


@pytest.mark.parametrize(
    ("title", "model"),
    [
        ("Module:X", "Scribunto"),
        ("Module:X/doc", "wikitext"),
        ("Template:X/styles.css", "sanitized-css"),
        ("Template:X.css", "wikitext"),
        ("User:Ada/common.js", "javascript"),
        ("User:Ada.js", "wikitext"),
        ("MediaWiki:Common.css", "css"),
        ("MediaWiki:Data.json", "json"),
        ("X.css", "wikitext"),
    ],
)
def test_content_model_of_what_is_missing(title: str, model: str, site: Site) -> None:
    assert info(site, title)[title]["contentmodel"] == model


def test_language_of_pages(make_site: Callable[..., Site]) -> None:
    site = make_site({"Seite": "a", "Page": "b"}, config={"site": {"language": "he"}})
    site.db.execute_write(Page.update(page_lang="de").where(Page.page_title == "Page"))
    pages = info(site, "Seite|Page|MediaWiki:Foo/fr|MediaWiki:Foo/bar|User:A/b.js")
    assert {title: page["pagelanguage"] for title, page in pages.items()} == {
        "Seite": "he",
        "Page": "de",
        "מדיה ויקי:Foo/fr": "fr",
        "מדיה ויקי:Foo/bar": "he",
        "משתמש:A/b.js": "en",
    }
    assert pages["Seite"]["pagelanguagedir"] == "rtl"
    assert pages["Page"]["pagelanguagedir"] == "ltr"


def test_actions_as_yes_or_no(site: Site) -> None:
    pages = info(site, "Alpha|Beta|Delta|Nope", intestactions="read|edit|move|nonsense")
    allowed = {
        title: [name for name, yes in page["actions"].items() if yes]
        for title, page in pages.items()
    }
    assert allowed == {
        "Alpha": ["read"],
        "Beta": ["read"],
        "Delta": ["read", "edit"],
        "Nope": ["read", "edit"],
    }


def test_actions_of_users_with_more_rights(site: Site) -> None:
    pages = info(site, "Beta", intestactions="edit|move|delete", user=ADMIN)
    assert pages["Beta"]["actions"] == {"edit": True, "move": True, "delete": False}


def test_actions_with_reasons(site: Site) -> None:
    full = info(site, "Beta", intestactions="edit|delete", intestactionsdetail="full")
    [reason] = full["Beta"]["actions"]["edit"]
    assert reason == {"code": "protectedpage", "text": "This page is protected."}
    assert [reason["code"] for reason in full["Beta"]["actions"]["delete"]] == [
        "permissiondenied",
        "cantedit",
    ]


@pytest.mark.parametrize("detail", ["quick", "full"])
def test_all_reasons_are_told(site: Site, detail: str) -> None:
    asked = {"intestactions": "delete|edit", "intestactionsdetail": detail}
    page = info(site, "MediaWiki:Common.css", **asked)["MediaWiki:Common.css"]
    codes = {
        name: [error["code"] for error in page["actions"][name]] for name in ("delete", "edit")
    }
    interface = ["protectednamespace-interface", "sitecssprotected"]
    assert codes == {"delete": ["permissiondenied", *interface], "edit": interface}


def test_an_answer_ends_after_fifty_tested_actions(site: Site) -> None:
    titles = "|".join(f"Missing {number:02}" for number in range(9))
    actions = "edit|move|delete|create|protect|upload|undelete|read"
    params = {"action": "query", "titles": titles, "prop": "info", "intestactions": actions}
    answer = ask(site, params).data
    tested = [page["title"] for page in answer["query"]["pages"] if "actions" in page]
    assert (len(tested), answer["continue"]["incontinue"]) == (7, "0|Missing 07")
    rest = ask(site, params | {"incontinue": "0|Missing 07"}).data
    assert sum("actions" in page for page in rest["query"]["pages"]) == 2
    assert "continue" not in rest


def test_accounts_never_make_themselves(site: Site) -> None:
    page = info(site, "Alpha", intestactions="edit", intestactionsautocreate="")["Alpha"]
    assert page["wouldautocreate"] == {"edit": False}


def test_cascading_protection_forbids(site: Site) -> None:
    asked = {"intestactions": "edit|move|upload"}
    pages = info(site, "Template:Infobox|File:Photo.png", **asked)
    assert pages["Template:Infobox"]["actions"] == {"edit": False, "move": False, "upload": False}
    rights = frozenset({"read", "edit", "move", "movefile", "upload", "editsemiprotected"})
    pages = info(site, "Template:Infobox|File:Photo.png", user=User("Ada", rights, 2), **asked)
    # Who may edit but not protect the source may not edit what it transcludes.
    assert pages["Template:Infobox"]["actions"] == {"edit": False, "move": True, "upload": True}
    assert pages["File:Photo.png"]["actions"] == {"edit": True, "move": False, "upload": False}
    guard = User("Guard", rights | {"protect"}, 2)
    pages = info(site, "Template:Infobox|File:Photo.png", user=guard, **asked)
    for page in pages.values():
        assert all(page["actions"].values())


def test_cascading_protection_of_the_page_requires_the_right_to_protect(site: Site) -> None:
    rights = frozenset({"read", "edit", "editsemiprotected"})
    for user, may in ((User("Ada", rights, 2), False), (User("G", rights | {"protect"}, 2), True)):
        page = info(site, "Alpha", user=user, intestactions="edit")["Alpha"]
        assert page["actions"] == {"edit": may}


def test_watchers_are_shown_to_users_with_the_right(make_query_site: Callable[..., Site]) -> None:
    site = make_query_site()
    rows = [(1, 0, "Alpha", None), (2, 0, "Alpha", "20200101000000"), (2, 0, "Nope", None)]
    names = ("wl_user", "wl_namespace", "wl_title", "wl_notificationtimestamp")
    site.db.insert_many(Watchlist, rows, names)
    asked = {"inprop": "watchers|visitingwatchers|watched"}
    pages = info(site, "Alpha|Beta|Nope", user=ADMIN, **asked)
    counts = {title: (p["watchers"], p["visitingwatchers"]) for title, p in pages.items()}
    assert counts == {"Alpha": (2, 1), "Beta": (0, 0), "Nope": (1, 1)}
    visitor = info(site, "Alpha", **asked)["Alpha"]
    assert visitor.keys().isdisjoint({"watchers", "visitingwatchers"})
    assert visitor["watched"] is False


def test_text_to_begin_with(make_site: Callable[..., Site]) -> None:
    pattern = "<!-- c -->Hello $1, <noinclude>not </noinclude><includeonly>me</includeonly> $9"
    site = make_site({"Pattern": pattern, "There": "x"})
    asked = {"inprop": "preloadcontent", "inpreloadcustom": "Pattern", "inpreloadparams": "Ada"}
    page = info(site, "New", **asked)["New"]
    assert page["preloadcontent"]["content"] == "Hello Ada, me $9"
    assert page["preloadisdefault"] is False
    assert "preloadcontent" not in info(site, "There", **asked)["There"]
    assert "preloadcontent" in info(site, "There", **asked, inpreloadnewsection="")["There"]
    assert info(site, "New", inprop="preloadcontent")["New"]["preloadisdefault"] is True


def test_introductions(make_site: Callable[..., Site]) -> None:
    site = make_site(
        {
            "MediaWiki:Editnotice-0": "Be ''kind''",
            "MediaWiki:Editnotice-0-New": "For you",
            "Intro": "Custom",
        }
    )
    plain = info(site, "New", inprop="editintro")["New"]["editintro"]
    assert list(plain) == ["editnotice-0", "editnotice-0-New", "newarticletextanon"]
    assert "<i>kind</i>" in plain["editnotice-0"]
    asked = {"inprop": "editintro", "ineditintrocustom": "Intro", "ineditintroskip": "editnotice-0"}
    custom = info(site, "New", **asked)["New"]["editintro"]
    assert list(custom) == ["editnotice-0-New", "editintro"]
    bare = info(site, "New", **asked, ineditintrostyle="lessframes")["New"]["editintro"]
    assert custom["editintro"] == f'<div class="mw-editintro">{bare["editintro"]}</div>'


def test_facts_of_watchlists_for_visitors(site: Site) -> None:
    page = info(site, "Nope", inprop="notificationtimestamp|readable|preload")["Nope"]
    assert page["notificationtimestamp"] == ""
    assert page["readable"] is True
    assert page["preload"] is None


def test_many_pages_continue_by_title(site: Site) -> None:
    from wikiapi.api import dispatch
    from wikiapi.api.request import ApiRequest
    from wikiapi.testing import make_context

    params = {"action": "query", "prop": "info", "titles": "Talk:Alpha|Beta|Alpha"}
    context = make_context(site, ApiRequest(params=params))
    context.result.limit = 60
    dispatch.perform(context)
    assert context.result.root["continue"] == {"incontinue": "0|Beta", "continue": "||"}
    rest = info(site, "Talk:Alpha|Beta|Alpha", **{"continue": "||", "incontinue": "0|Beta"})
    assert [title for title, page in rest.items() if "lastrevid" in page] == ["Beta", "Talk:Alpha"]


def test_creating_is_refused_for_other_reasons_than_editing(site: Site) -> None:
    page = info(site, "MediaWiki:Nope", intestactions="edit|create")["MediaWiki:Nope"]
    assert page["actions"] == {"edit": False, "create": True}


def test_all_facts_at_once(make_site: Callable[..., Site]) -> None:
    site = make_site({"Alone": "x"})
    everything = (
        "associatedpage|displaytitle|editintro|linkclasses|notificationtimestamp|preloadcontent"
        "|protection|subjectid|talkid|url|varianttitles|visitingwatchers|watched|watchers"
        "|preload|readable"
    )
    assert info(site, "Alone", inprop=everything)["Alone"]["readable"] is True
