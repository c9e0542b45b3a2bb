"""Logging in and editing in the reader, by forms, as a browser without JavaScript sends them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import urlencode
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from selectolax.lexbor import LexborHTMLParser
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from tests.plugins.web.readers import attribute, links, parsed, texts
from tests.sites import SHARED
from wikiapi.http.wsgiclient import InProcess, Received
from wikiapi.testing import Declaration, DeclaredUser, Wiki

PAGES = {
    "Main Page": "Welcome.",
    "Tea": "Hot.\n\n== Green ==\nLeaves.\n\n== Black ==\nMore leaves.",
    "Chai": "#REDIRECT [[Tea]]",
    "MediaWiki:Sidebar": "Menu",
}
DECLARED = Declaration(
    pages=PAGES,
    users=[DeclaredUser("Ada", groups=("sysop",)), "Bob"],
    config={"site": {"name": "Teahouse"}},
)


def _nothing(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    start_response("404 Not Found", [])
    return ()


class Browser:
    """Follows links and sends forms, with cookies; it runs no JavaScript."""

    def __init__(self, wiki: Wiki, mount: str = "") -> None:
        app = DispatcherMiddleware(_nothing, {mount: wiki.wsgi}) if mount else wiki.wsgi
        self._wsgi = InProcess(app, "192.0.2.7")
        self.prefix = wiki.site.config.site.wiki_id

    def get(self, address: str) -> Received:
        path, _, query = address.partition("?")
        return self._wsgi.send("GET", path, query)

    def page(self, address: str) -> LexborHTMLParser:
        reply = self.get(address)
        assert reply.status == 200, reply.text
        return parsed(reply)

    def send(self, tree: LexborHTMLParser, button: str = "", **typed: str) -> Received:
        """Send the form of a page that posts, with what is typed into it."""
        form = tree.css_first("form[method=post]")
        assert form is not None, tree.html
        fields = {
            str(node.attributes["name"]): node.attributes.get("value") or ""
            for node in form.css("input:not([type=checkbox])")
        }
        for area in form.css("textarea"):
            fields[str(area.attributes["name"])] = area.text().removeprefix("\n")
        if button:
            fields[button] = "1"
        path, _, query = str(form.attributes["action"]).partition("?")
        return self._wsgi.send("POST", path, query, form=fields | typed)

    def log_in(self, name: str = "Ada", password: str = "", mount: str = "") -> Received:
        tree = self.page(f"{mount}/w/index.php?title=Special:UserLogin&returnto=Tea")
        return self.send(tree, wpName=name, wpPassword=password or f"{name}-password")

    def cookie(self, name: str) -> str | None:
        return self._wsgi.cookie(self.prefix + name)


def edit_form(**query: str | int) -> str:
    return f"/w/index.php?{urlencode({'title': 'Tea', 'action': 'edit', **query})}"


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    with Wiki(DECLARED, SHARED) as made:
        yield made


@pytest.fixture
def browser(wiki: Wiki) -> Browser:
    return Browser(wiki)


@pytest.fixture
def ada(browser: Browser) -> Browser:
    assert browser.log_in().status == 303
    return browser


# Accounts


def test_a_visitor_logs_in_and_returns_to_the_page(browser: Browser) -> None:
    (link,) = links(browser.page("/wiki/Tea"), "a.account")
    assert link == "/w/index.php?title=Special:UserLogin&returnto=Tea"
    reply = browser.log_in()
    assert (reply.status, reply.headers["location"]) == (303, "/wiki/Tea")
    assert texts(browser.page("/wiki/Tea"), ".account bdi") == ["Ada"]


def test_pages_of_an_account_are_not_kept_by_caches(browser: Browser) -> None:
    assert browser.get("/wiki/Tea").headers["cache-control"].startswith("public")
    browser.log_in()
    reply = browser.get("/wiki/Tea")
    assert reply.headers["cache-control"] == "private, no-store"
    assert "etag" not in reply.headers


def test_a_wrong_password_is_refused(browser: Browser) -> None:
    reply = browser.log_in(password="guess")
    assert reply.status == 200
    assert texts(parsed(reply), ".wrong p") != []
    assert attribute(parsed(reply), "#name", "value") == "Ada"
    assert browser.cookie("UserID") is None


def test_a_login_without_the_token_of_the_form_is_refused(browser: Browser) -> None:
    tree = browser.page("/wiki/Special:UserLogin")
    reply = browser.send(tree, wpName="Ada", wpPassword="Ada-password", wpLoginToken="x")
    assert texts(parsed(reply), ".wrong p") == ["Your session has ended. Please try again."]


@pytest.mark.parametrize("page", ["https://evil.example/", "//evil.example", "Special:UserLogout"])
def test_a_login_leads_to_pages_of_the_wiki_alone(browser: Browser, page: str) -> None:
    tree = browser.page(f"/w/index.php?title=Special:UserLogin&returnto={page}")
    reply = browser.send(tree, wpName="Ada", wpPassword="Ada-password")
    assert reply.headers["location"].startswith("/wiki/")
    assert not reply.headers["location"].startswith("/wiki/Special")


def test_logging_out_takes_a_button(ada: Browser) -> None:
    tree = ada.page("/w/index.php?title=Special:UserLogout&returnto=Tea")
    assert texts(ada.page("/wiki/Tea"), ".account bdi") == ["Ada"]
    reply = ada.send(tree, wpEditToken="+\\")
    assert texts(parsed(reply), ".wrong p") != []
    reply = ada.send(tree)
    assert (reply.status, reply.headers["location"]) == (303, "/wiki/Tea")
    assert texts(ada.page("/wiki/Tea"), "a.account") == ["Log in"]
    assert ada.get("/wiki/Special:UserLogout").status == 302


# Editing


def test_a_page_is_edited(wiki: Wiki, ada: Browser) -> None:
    tree = ada.page("/wiki/Tea")
    assert "/w/index.php?title=Tea&action=edit" in links(tree, ".tabs a")
    reply = ada.send(
        ada.page(edit_form()), "wpSave", wpTextbox1="Cold.\r\nVery.", wpSummary="s", wpMinoredit="1"
    )
    assert (reply.status, reply.headers["location"]) == (303, "/w/index.php?title=Tea&redirect=no")
    assert wiki.text("Tea") == "Cold.\nVery."
    (write,) = wiki.writes
    assert (write.user, write.params["summary"], "minor" in write.params) == ("Ada", "s", True)
    assert "Very." in texts(ada.page("/wiki/Tea"), ".reading")[0]


def test_a_section_is_edited(wiki: Wiki, ada: Browser) -> None:
    sections = links(ada.page("/wiki/Tea"), ".mw-editsection a")
    assert sections == [f"/w/index.php?title=Tea&action=edit&section={n}" for n in (1, 2)]
    tree = ada.page(str(sections[0]))
    assert texts(tree, "textarea") == ["== Green == Leaves."]
    ada.send(tree, "wpSave", wpTextbox1="== Green ==\nFew.")
    assert wiki.text("Tea") == "Hot.\n\n== Green ==\nFew.\n\n== Black ==\nMore leaves."


def test_a_section_is_added(wiki: Wiki, ada: Browser) -> None:
    tree = ada.page(edit_form(section="new"))
    assert texts(tree, "textarea") == [""]
    reply = ada.send(tree, "wpSave", wpTextbox1="Odd.", wpSectionTitle="White tea")
    assert reply.headers["location"].endswith("#White_tea")
    assert str(wiki.text("Tea")).endswith("\n\n== White tea ==\n\nOdd.")


def test_a_section_that_does_not_exist(ada: Browser) -> None:
    reply = ada.get(edit_form(section=9))
    assert reply.status == 404
    assert "no such section" in reply.text


def test_a_page_is_created(wiki: Wiki, ada: Browser) -> None:
    reply = ada.get("/wiki/Water")
    assert reply.status == 404
    assert "/w/index.php?title=Water&action=edit" in links(parsed(reply))
    tree = ada.page("/w/index.php?title=Water&action=edit")
    assert texts(tree, "h1") == ["Creating “Water”"]
    ada.send(tree, "wpSave", wpTextbox1="Wet.")
    assert wiki.text("Water") == "Wet."


def test_a_preview_shows_the_text_and_saves_nothing(wiki: Wiki, ada: Browser) -> None:
    reply = ada.send(
        ada.page(edit_form()), "wpPreview", wpTextbox1="'''Iced''' ~~~", wpSummary="better"
    )
    tree = parsed(reply)
    assert texts(tree, ".preview b") == ["Iced"]
    assert "User:Ada" in str(links(tree, ".preview .reading a")[0])
    assert texts(tree, "textarea") == ["'''Iced''' ~~~"]
    assert attribute(tree, "#summary", "value") == "better"
    assert wiki.text("Tea") == PAGES["Tea"]
    ada.send(tree, "wpSave", wpTextbox1="Iced.")
    assert wiki.text("Tea") == "Iced."


def test_changes_are_shown(wiki: Wiki, ada: Browser) -> None:
    tree = parsed(ada.send(ada.page(edit_form()), "wpDiff", wpTextbox1="Cold."))
    assert texts(tree, ".diff-deletedline")[0] == "Hot."
    assert texts(tree, ".diff-addedline")[0] == "Cold."
    tree = parsed(ada.send(ada.page(edit_form(section=1)), "wpDiff", wpTextbox1="== Green =="))
    assert texts(tree, ".diff-deletedline") == ["Leaves."]
    tree = parsed(
        ada.send(ada.page("/w/index.php?title=Water&action=edit"), "wpDiff", wpTextbox1="Wet.")
    )
    assert texts(tree, ".diff-addedline") == ["Wet."]
    assert wiki.text("Water") is None


def test_a_conflict_shows_both_texts_and_can_be_resolved(wiki: Wiki, ada: Browser) -> None:
    form = ada.page(edit_form())
    wiki.edit("Tea", "Cold.", user="Bob")
    tree = parsed(ada.send(form, "wpSave", wpTextbox1="Lukewarm.", wpSummary="mine"))
    assert texts(tree, ".wrong p")[0].startswith("Somebody else has changed this page")
    assert texts(tree, "textarea") == ["Cold.", "Lukewarm."]
    assert texts(tree, ".diff-addedline") == ["Lukewarm."]
    assert wiki.text("Tea") == "Cold."
    ada.send(tree, "wpSave", wpTextbox1="Cold and lukewarm.")
    assert wiki.text("Tea") == "Cold and lukewarm."


def test_a_page_that_somebody_else_created_meanwhile(wiki: Wiki, ada: Browser) -> None:
    form = ada.page("/w/index.php?title=Water&action=edit")
    wiki.edit("Water", "Wet.", user="Bob")
    tree = parsed(ada.send(form, "wpSave", wpTextbox1="Dry."))
    assert texts(tree, ".wrong p")
    assert wiki.text("Water") == "Wet."


def test_a_form_without_its_token_is_shown_again(wiki: Wiki, ada: Browser) -> None:
    reply = ada.send(ada.page(edit_form()), "wpSave", wpTextbox1="Mine.", wpEditToken="+\\")
    assert texts(parsed(reply), ".wrong p")
    assert texts(parsed(reply), "textarea") == ["Mine."]
    assert wiki.text("Tea") == PAGES["Tea"]
    ada.send(parsed(reply), "wpSave")
    assert wiki.text("Tea") == "Mine."


def test_a_visitor_edits_under_the_address(wiki: Wiki, browser: Browser) -> None:
    tree = browser.page(edit_form())
    assert "your address will be shown" in texts(tree, ".notice p")[0]
    browser.send(tree, "wpSave", wpTextbox1="Cold.")
    assert [write.user for write in wiki.writes] == ["192.0.2.7"]


def test_what_may_not_be_edited_shows_its_source_and_the_reasons(browser: Browser) -> None:
    tree = browser.page("/w/index.php?title=MediaWiki:Sidebar&action=edit")
    assert texts(tree, "textarea[readonly]") == ["Menu"]
    assert texts(tree, ".notice p") != []
    assert tree.css_first("form[method=post]") is None


def test_what_is_typed_is_escaped(ada: Browser) -> None:
    evil = "</textarea><script>alert(1)</script>"
    reply = ada.send(ada.page(edit_form()), "wpPreview", wpTextbox1=evil, wpSummary=f'">{evil}')
    assert "<script>alert" not in reply.text
    assert texts(parsed(reply), "textarea") == [evil]


def test_a_redirect_is_shown_after_it_was_edited(ada: Browser) -> None:
    tree = ada.page("/w/index.php?title=Chai&action=edit")
    reply = ada.send(tree, "wpSave", wpTextbox1="#REDIRECT [[Main Page]]")
    assert reply.headers["location"] == "/w/index.php?title=Chai&redirect=no"


def test_a_read_only_wiki_has_no_forms() -> None:
    with Wiki(DECLARED.with_more(writable=False), SHARED) as closed:
        browser = Browser(closed)
        tree = browser.page("/wiki/Tea")
        assert tree.css(".account, .mw-editsection") == []
        assert texts(tree, ".tabs a")[-2:] == ["View source", "History"]
        tree = browser.page(edit_form())
        assert tree.css_first("form[method=post]") is None
        for name in ("UserLogin", "UserLogout"):
            assert browser.get(f"/wiki/Special:{name}").status == 404


def test_reading_takes_no_more_statements_than_on_a_read_only_wiki(wiki: Wiki) -> None:
    counts = []
    with Wiki(DECLARED.with_more(writable=False), SHARED) as closed:
        for site in (closed, wiki):
            browser = Browser(site)
            browser.get("/wiki/Tea")
            with site.site.db.recording() as log:
                browser.get("/wiki/Tea")
            counts.append(len(list(log)))
    assert counts[0] == counts[1]


def test_a_wiki_below_a_mount_point_is_edited(wiki: Wiki) -> None:
    browser = Browser(wiki, "/tea house")
    assert browser.log_in(mount="/tea%20house").headers["location"] == "/tea%20house/wiki/Tea"
    tree = browser.page("/tea%20house/w/index.php?title=Tea&action=edit")
    reply = browser.send(tree, "wpSave", wpTextbox1="Cold.")
    assert reply.headers["location"].startswith("/tea%20house/w/index.php?title=Tea")
    assert wiki.text("Tea") == "Cold."


# Private wikis


def test_a_private_wiki_is_shown_to_those_who_may_read_it() -> None:
    private = Declaration(
        pages={**PAGES, "User:Bob": "Me."},
        users=[DeclaredUser("Ada", groups=("sysop",))],
        config={"permissions": {"anonymous_rights": []}},
    )
    with Wiki(private, SHARED) as wiki:
        browser = Browser(wiki)
        reply = browser.get("/wiki/Tea")
        assert reply.status == 403
        (link,) = links(parsed(reply), "main a")
        form = browser.page(str(link))
        assert "Teahouse" not in str(form.html)
        assert browser.send(form, wpName="Ada", wpPassword="wrong").status == 200
        assert browser.get("/wiki/Tea").status == 403
        assert browser.send(form, wpName="Ada", wpPassword="Ada-password").status == 303
        reply = browser.get("/wiki/Tea")
        assert "Leaves." in texts(parsed(reply), "main p")
        assert reply.headers["cache-control"] == "private, no-store"
        assert browser.get("/images/a/ab/Nothing.png").status == 404
        assert Browser(wiki).get("/images/a/ab/Nothing.png").status == 403
        assert Browser(wiki).get("/w/index.php?title=Special:RecentChanges").status == 403


def test_a_private_wiki_gives_its_scripts_to_those_who_may_read_it() -> None:
    private = Declaration(
        pages={"Tea": "Leaves.", "MediaWiki:Common.css": ".tea { color: green }"},
        users=[DeclaredUser("Ada", groups=("sysop",))],
        config={"permissions": {"anonymous_rights": []}},
    )
    with Wiki(private, SHARED) as wiki:
        browser, sheet = Browser(wiki), "/w/load.php?only=styles&modules=site.styles"
        reply = browser.get(sheet)
        assert "missing" in reply.text
        assert reply.headers["cache-control"].startswith("private")
        browser.log_in()
        page = browser.page("/wiki/Tea")
        linked = [link for link in links(page, "head link") if "load.php" in link]
        assert [browser.get(link).text for link in linked] == [".tea { color: green }\n"]
        reply = browser.get(sheet)
        assert reply.text == ".tea { color: green }\n"
        assert reply.headers["cache-control"] == "private, no-cache, must-revalidate"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in reply.headers
        startup = browser.get("/w/load.php?only=scripts&modules=startup").text
        assert '"site.styles"' in startup
        assert "missing" in Browser(wiki).get(sheet).text
