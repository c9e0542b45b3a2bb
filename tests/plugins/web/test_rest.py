"""``rest.php``: what its addresses answer, and in which form it refuses."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.plugins.web.readers import Browser
from wikiapi.errors import StoreUnavailable
from wikiapi.http import ApiCalls, ApiReply, cookie_prefix
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess, Received
from wikiapi.site import Site
from wikiapi.store import Database
from wikiapi.store.models import Revision
from wikiapi.testing import Edit, make_site
from wikiapi_plugins.web.rest import ROUTES

FIRST = "A ''tea''\n\n== Kinds ==\ngreen"
PAGES: dict[str, Any] = {
    "Tea": [
        Edit(FIRST, user="Ada", comment="begun", timestamp="20240101000000"),
        Edit(f"{FIRST} and black", user="192.0.2.7", timestamp="20240102000000"),
        Edit(f"{FIRST} and white", user="Ada", minor=True, timestamp="20240103000000"),
    ],
    "Tea/Green tea": "[[de:grüner_Tee#Sorten]]",
    "Leaf": "#REDIRECT [[Tea]]",
    "Itself": "#REDIRECT [[Itself]]",
    "Nowhere": "#REDIRECT [[Nothing here]]",
    "Cup": "for tea",
    "Links": (
        "[[Tea#Kinds]] [[No]] [[Links]] [[Special:Version]]\n== a ==\n== b ==\n== c ==\n== d =="
    ),
    "File:Cup": "a cup",
}  # fmt: skip
pytestmark = pytest.mark.wiki(
    PAGES, users=["Ada"], interwiki={"de": "https://de.example.org/wiki/$1"}
)


@pytest.fixture(scope="module")
def browser(site: Site) -> Browser:
    return Browser(site)


def data(reply: Received, status: int = 200) -> Any:
    assert reply.status == status, reply.text
    assert reply.headers["content-type"] == "application/json"
    return json.loads(reply.body)


def ask(browser: Browser, path: str, query: str = "", status: int = 200) -> Any:
    return data(browser.get(f"/w/rest.php/v1{path}", query), status)


def test_a_page_has_its_source_and_validators(browser: Browser) -> None:
    reply = browser.get("/w/rest.php/v1/page/Tea")
    page = data(reply)
    assert page["latest"]["timestamp"] == "2024-01-03T00:00:00Z"
    assert page["source"] == f"{FIRST} and white"
    assert (page["key"], page["content_model"]) == ("Tea", "wikitext")
    assert reply.headers["last-modified"] == "Wed, 03 Jan 2024 00:00:00 GMT"
    again = browser.get("/w/rest.php/v1/page/Tea", If_None_Match=reply.headers["etag"])
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    ("path", "number"), [("/page/Tea", 1), ("/revision/1", 1), ("/revision/1/compare/2", 4)]
)
def test_texts_are_asked_for_with_their_revisions(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, path: str, number: int
) -> None:
    post, requests = ApiCalls.post, []

    def counting(calls: ApiCalls, **params: str | int | bool | None) -> ApiReply:
        requests.append(params)
        return post(calls, **params)

    monkeypatch.setattr(ApiCalls, "post", counting)
    ask(browser, path)
    assert len(requests) == number


def test_a_slash_in_a_title_is_encoded(browser: Browser) -> None:
    path = f"/page/{quote('Tea/Green_tea', safe='')}"
    assert ask(browser, path)["title"] == "Tea/Green tea"
    assert ask(browser, "/page/Tea/Green_tea", status=404)["errorKey"] == "rest-no-match"


def test_forms_of_a_page(browser: Browser) -> None:
    bare = ask(browser, "/page/Tea/bare")
    assert "source" not in bare
    assert bare["html_url"].endswith("/w/rest.php/v1/page/Tea/html")
    html = browser.get("/w/rest.php/v1/page/Tea/html")
    specification = "https://www.mediawiki.org/wiki/Specs/HTML/2.8.0"
    assert html.headers["content-type"] == f'text/html; charset=utf-8; profile="{specification}"'
    assert html.headers["content-language"] == "en"
    assert html.headers["content-revision-id"] == str(ask(browser, "/page/Tea")["latest"]["id"])
    assert html.text.startswith("<!DOCTYPE html>\n<html ")
    assert "set-cookie" not in html.headers
    tree = LexborHTMLParser(html.text)
    body = tree.css_first("body")
    assert body is not None
    assert body.attributes["data-mw-parsoid-version"]
    assert [node.text() for node in body.css("section > p > i")] == ["tea"]
    assert [node.text() for node in tree.css("title")] == ["Tea"]
    assert html.text.count("<div") == html.text.count("</div>")
    assert ask(browser, "/page/Tea/with_html")["html"] == html.text


def test_documents_have_the_form_before_a_view(browser: Browser) -> None:
    tree = LexborHTMLParser(browser.get("/w/rest.php/v1/page/Links/html").text)
    base = tree.css_first("base")
    assert base is not None
    assert base.attributes["href"] == "http://127.0.0.1:8080/wiki/"
    assert [(link.attributes["href"], link.attributes["title"]) for link in tree.css("a")] == [
        ("./Tea#Kinds", "Tea"),
        ("./No?action=edit&redlink=1", "No"),
        ("./Links", "Links"),
        ("./Special:Version", "Special:Version"),
    ]
    assert len(tree.css("section > h2")) == 4
    assert not tree.css("div")
    assert [meta.attributes.get("property") for meta in tree.css("body meta")] == []
    (styles,) = tree.css("link[rel=stylesheet]")
    assert (styles.attributes["href"] or "").startswith("/w/load.php?lang=en&modules=mediawiki.")
    leaf = LexborHTMLParser(browser.get("/w/rest.php/v1/page/Leaf/html", "redirect=no").text)
    (link,) = leaf.css("body link")
    assert (link.attributes["rel"], link.attributes["href"]) == ("mw:PageProp/redirect", "./Tea")


def test_replies_about_hidden_parts_are_not_cached() -> None:
    site = make_site({"Tea": "x"})
    with closing(site.db):
        for hidden in (2, 4, 6):
            site.db.execute_write(Revision.update(rev_deleted=hidden))
            for form in ("", "/bare", "/html", "/with_html"):
                reply = Browser(site).get(f"/w/rest.php/v1/revision/1{form}")
                assert (reply.status, reply.headers.get("cache-control")) == (200, None)


def test_hidden_texts_have_no_html() -> None:
    site = make_site({"Tea": "x"})
    with closing(site.db):
        site.db.execute_write(Revision.update(rev_deleted=1))
        for path in ("/page/Tea", "/page/Tea/html", "/page/Tea/with_html", "/revision/1/html"):
            error = ask(Browser(site), path, status=403)
            assert error["errorKey"] == "rest-permission-denied-revision"


@pytest.mark.parametrize(
    ("path", "query", "location"),
    [
        ("/page/tea", "", "/w/rest.php/v1/page/Tea"),
        ("/page/tea/history", "filter=minor", "/w/rest.php/v1/page/Tea/history?filter=minor"),
        ("/page/Leaf/html", "", "/w/rest.php/v1/page/Tea/html?redirect=no"),
        ("/page/a%20b/html", "", "/w/rest.php/v1/page/A_b/html"),
        ("/page/Leaf/html", "redirect=YES", "/w/rest.php/v1/page/Tea/html?redirect=no"),
        ("/page/Media%3ACup", "", "/w/rest.php/v1/page/File%3ACup"),
    ],
)
def test_other_spellings_and_redirects_lead_on(
    browser: Browser, path: str, query: str, location: str
) -> None:
    reply = browser.get(f"/w/rest.php/v1{path}", query)
    assert reply.status in (301, 307)
    assert reply.headers["location"] == location


def test_redirects_name_their_target(browser: Browser) -> None:
    leaf = ask(browser, "/page/Leaf")
    assert leaf["redirect_target"] == "/w/rest.php/v1/page/Tea?redirect=no"
    assert "redirect_target" not in ask(browser, "/page/Itself")
    assert browser.get("/w/rest.php/v1/page/Itself/html").status == 200
    for value in ("no", "False", "0", "off", ""):
        assert browser.get("/w/rest.php/v1/page/Leaf/html", f"redirect={value}").status == 200


@pytest.mark.parametrize(
    ("path", "query", "status", "key"),
    [
        ("/page/Nothing", "", 404, "rest-nonexistent-title"),
        ("/page/Special%3AVersion", "", 404, "rest-invalid-title"),
        ("/page/a%5Bb", "", 404, "rest-invalid-title"),
        ("/page/de%3ATee/html", "", 403, "rest-permission-denied-title"),
        ("/page/", "", 400, "missingparam"),
        ("/page/Tea/nothing", "", 404, "rest-no-match"),
        ("/page/Tea/history", "filter=x", 400, "badvalue"),
        ("/page/Tea/history", "older_than=x", 400, "badinteger"),
        ("/page/Tea/history", "older_than=999", 404, "rest-nonexistent-title-revision"),
        ("/page/Tea/history", "older_than=1&newer_than=1", 400,
         "rest-pagehistory-incompatible-params"),
        ("/page/Tea/history", "older_than=0", 400, "rest-pagehistory-param-range-error"),
        ("/page/Tea/history", "older_than=9223372036854775807", 404,
         "rest-nonexistent-title-revision"),
        ("/page/Tea/history", "older_than=9223372036854775808", 400, "badinteger"),
        ("/page/Tea/html", "redirect=maybe", 400, "badbool"),
        ("/page/Tea/history/counts/x", "", 400, "badvalue"),
        ("/page/Tea/history/counts/", "", 400, "badvalue"),
        ("/page/Tea/history/counts/edits", "from=0&to=3", 400,
         "rest-pagehistorycount-parameters-invalid"),
        ("/page/Tea/history/counts/minor", "from=1&to=3", 400,
         "rest-pagehistorycount-parameters-invalid"),
        ("/page/Tea/history/counts/edits", "from=1", 400,
         "rest-pagehistorycount-parameters-invalid"),
        ("/revision/999", "", 404, "rest-nonexistent-revision"),
        ("/revision/x", "", 400, "badinteger"),
        ("/revision/1/compare/999", "", 404, "rest-compare-nonexistent"),
        ("/revision/1/compare/5", "", 400, "rest-compare-page-mismatch"),
        ("/search/page", "", 400, "missingparam"),
        ("/search/title", "q=a&limit=0", 400, "outofrange"),
        ("/file/Tea", "", 404, "rest-nonexistent-title"),
        ("/file/File%3ANo.png", "", 404, "rest-nonexistent-title"),
    ],
)  # fmt: skip
def test_errors(browser: Browser, path: str, query: str, status: int, key: str) -> None:
    error = ask(browser, path, query, status)
    assert (error["errorKey"], error["httpCode"]) == (key, status)
    assert error["messageTranslations"]["en"][0] not in "⧼("


def test_history(browser: Browser) -> None:
    history = ask(browser, "/page/Tea/history")
    newest, middle, oldest = history["revisions"]
    assert [newest["minor"], middle["minor"]] == [True, False]
    assert middle["user"] == {"id": None, "name": "192.0.2.7"}
    assert oldest["comment"] == "begun"
    assert [newest["delta"], middle["delta"], oldest["delta"]] == [0, len(" and black"), None]
    assert "older" not in history
    assert "newer" not in history
    older = ask(browser, "/page/Tea/history", f"older_than={newest['id']}")
    assert [row["id"] for row in older["revisions"]] == [middle["id"], oldest["id"]]
    assert older["newer"].endswith(f"history?newer_than={middle['id']}")
    newer = ask(browser, "/page/Tea/history", f"newer_than={oldest['id']}")
    assert newer["revisions"] == [newest, middle]
    assert newer["older"].endswith(f"history?older_than={middle['id']}")


@pytest.mark.parametrize(
    ("name", "number"),
    [("anonymous", 1), ("minor", 1), ("bot", 0), ("reverted", 0)],
)
def test_filters_and_counts_agree(browser: Browser, name: str, number: int) -> None:
    history = ask(browser, "/page/Tea/history", f"filter={name}")
    assert len(history["revisions"]) == number
    assert history["latest"].endswith(f"history?filter={name}")
    counted = ask(browser, f"/page/Tea/history/counts/{name}")
    assert counted == {"count": number, "limit": False}


def test_counts(browser: Browser) -> None:
    history = ask(browser, "/page/Tea/history")["revisions"]
    ends = f"from={history[-1]['id']}&to={history[0]['id']}"
    assert ask(browser, "/page/Tea/history/counts/edits")["count"] == 3
    assert ask(browser, "/page/Tea/history/counts/editors")["count"] == 2
    assert ask(browser, "/page/Tea/history/counts/edits", ends)["count"] == 1
    assert ask(browser, "/page/Tea/history/counts/edits", "from=0&to=0")["count"] == 3
    assert ask(browser, "/page/Tea/history/counts/temporary")["count"] == 0


@pytest.mark.parametrize(
    ("hidden", "numbers"),
    [
        (1, {"edits": 2, "editors": 2, "minor": 0}),
        (2, {"edits": 3, "editors": 2, "minor": 1}),
        (4, {"edits": 3, "editors": 2, "minor": 1}),
        (7, {"edits": 2, "editors": 2, "minor": 0}),
    ],
)
def test_hidden_revisions_do_not_count(hidden: int, numbers: dict[str, int]) -> None:
    site = make_site(PAGES, users=["Ada"])
    with closing(site.db):
        latest = ask(Browser(site), "/page/Tea/bare")["latest"]["id"]
        site.db.execute_write(Revision.update(rev_deleted=hidden).where(Revision.rev_id == latest))
        for kind, number in numbers.items():
            assert ask(Browser(site), f"/page/Tea/history/counts/{kind}")["count"] == number


def test_reverting_revisions(send: Send) -> None:
    new = data(send("POST", "/page", title="Cup", source="a", comment="", token="+\\"), 201)
    for source in ("vandal", "a"):
        latest = {"latest": new["latest"]}
        new = data(send("PUT", "/page/Cup", source=source, comment="", token="+\\", **latest))
    history = data(send("GET", "/page/Cup/history", query="filter=reverted"))
    assert [row["id"] for row in history["revisions"]] == [new["latest"]["id"]]
    assert data(send("GET", "/page/Cup/history/counts/reverted"))["count"] == 1


def test_old_names_of_counts_are_deprecated(browser: Browser) -> None:
    for name in ("anonedits", "botedits", "revertededits"):
        reply = browser.get(f"/w/rest.php/v1/page/Tea/history/counts/{name}")
        assert reply.headers["deprecation"] == 'version="v1"'
        assert 'rel="deprecation"' in reply.headers["link"]
    reply = browser.get("/w/rest.php/v1/page/Tea/history/counts/bot")
    assert "deprecation" not in reply.headers


def test_a_long_history_has_pages() -> None:
    texts = [Edit(f"{n}", timestamp=f"202401010000{n:02}") for n in range(45)]
    site = make_site({"Long": texts})
    with closing(site.db):
        browser, seen = Browser(site), []
        history = ask(browser, "/page/Long/history")
        seen += history["revisions"]
        while "older" in history:
            query = history["older"].partition("?")[2]
            history = ask(browser, "/page/Long/history", query)
            seen += history["revisions"]
        moments = [row["timestamp"] for row in seen]
        assert moments == [f"2024-01-01T00:00:{n:02}Z" for n in reversed(range(45))]


def test_revisions(browser: Browser) -> None:
    first = ask(browser, "/page/Tea/history")["revisions"][-1]["id"]
    revision = ask(browser, f"/revision/{first}")
    assert revision["source"] == FIRST
    assert revision["page"]["title"] == "Tea"
    assert revision["user"]["name"] == "Ada"
    assert ask(browser, f"/revision/{first}/bare")["html_url"].endswith(f"/revision/{first}/html")
    html = ask(browser, f"/revision/{first}/with_html")["html"]
    assert browser.get(f"/w/rest.php/v1/revision/{first}/html").text == html


def test_comparisons(browser: Browser) -> None:
    newest, _, oldest = ask(browser, "/page/Tea/history")["revisions"]
    compared = ask(browser, f"/revision/{oldest['id']}/compare/{newest['id']}")
    assert compared["from"]["sections"] == [
        {"level": 2, "heading": "Kinds", "offset": len("A ''tea''\n\n")}
    ]
    *_, changed = compared["diff"]
    assert changed["type"] == 3
    assert changed["lineNumber"] == 4
    (marked,) = changed["highlightRanges"]
    start, end = marked["start"], marked["start"] + marked["length"]
    assert marked["type"] == 0
    assert changed["text"].encode()[start:end].strip() == b"and white"


def test_links(browser: Browser) -> None:
    path = f"/page/{quote('Tea/Green_tea', safe='')}/links"
    (link,) = ask(browser, f"{path}/language")
    assert link == {
        "code": "de", "name": "Deutsch", "key": "Grüner_Tee", "title": "Grüner Tee",
    }  # fmt: skip
    assert ask(browser, f"{path}/media") == {"files": []}


def test_search(browser: Browser) -> None:
    pages = ask(browser, "/search/page", "q=tea")["pages"]
    assert pages[0]["title"] == "Tea"
    assert {"Tea", "Cup", "Tea/Green tea", "Links"} == {page["title"] for page in pages}
    cup = next(page for page in pages if page["title"] == "Cup")
    assert cup["excerpt"].strip() == 'for <span class="searchmatch">tea</span>'
    (leaf,) = ask(browser, "/search/page", "q=leaf")["pages"]
    assert (leaf["title"], leaf["matched_title"]) == ("Tea", "Leaf")
    assert ask(browser, "/search/page", "q=Help:") == {"pages": []}
    titles = ask(browser, "/search/title", "q=te")["pages"]
    assert [page["key"] for page in titles] == ["Tea", "Tea/Green_tea"]
    (leaf,) = ask(browser, "/search/title", "q=leaf")["pages"]
    assert (leaf["title"], leaf["matched_title"], leaf["excerpt"]) == ("Tea", "Leaf", "Leaf")
    (cup,) = ask(browser, "/search/title", "q=nowh")["pages"]
    assert (cup["id"], cup["key"], cup["matched_title"]) == (0, "Nothing_here", "Nowhere")
    version, _ = ask(browser, "/search/title", "q=Special:Versi")["pages"]
    assert (version["id"], version["key"]) == (0, "Special:Version")


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_other_methods_are_refused(browser: Browser, method: str) -> None:
    reply = browser.get("/w/rest.php/v1/page/Tea", method=method)
    assert data(reply, 405)["httpReason"] == "Method Not Allowed"
    assert reply.headers["allow"] == "HEAD, GET, PUT"


def test_head_and_options(browser: Browser) -> None:
    head = browser.get("/w/rest.php/v1/page/Tea", method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"]
    options = browser.get("/w/rest.php/v1/page/Tea", method="OPTIONS")
    assert (options.status, options.body) == (204, b"")
    assert options.headers["access-control-allow-methods"] == "HEAD, GET, PUT"
    assert "Content-Type" in options.headers["access-control-allow-headers"]


_LATER, _EARLIER = "Sat, 01 Jan 2050 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"If_Match": "*"}, 412),
        ({"If_Match": '"x"'}, 412),
        ({"If_Unmodified_Since": _LATER}, 200),
        ({"If_Unmodified_Since": _EARLIER}, 412),
        ({"If_Unmodified_Since": "soon"}, 200),
        ({"If_None_Match": '"x"'}, 200),
        ({"If_None_Match": "*"}, 304),
        ({"If_Modified_Since": _LATER}, 304),
        ({"If_Modified_Since": "Wed, 03 Jan 2024 00:00:00 GMT"}, 304),
        ({"If_Modified_Since": _EARLIER}, 200),
        ({"If_Modified_Since": _LATER, "If_None_Match": '"x"'}, 200),
        ({"If_Modified_Since": _LATER, "If_Match": '"x"'}, 412),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_conditions(browser: Browser, method: str, headers: dict[str, str], status: int) -> None:
    if headers.get("If_Match") == "*":
        status = 200
    reply = browser.get("/w/rest.php/v1/page/Tea", method=method, **headers)
    assert reply.status == status
    assert bool(reply.body) == (status == 200 and method == "GET")
    if status == 304:
        assert reply.headers["cache-control"] == "max-age=5"
        assert reply.headers["etag"]


def test_a_tag_is_a_condition(browser: Browser) -> None:
    tag = browser.get("/w/rest.php/v1/page/Tea").headers["etag"]
    assert browser.get("/w/rest.php/v1/page/Tea", If_Match=tag).status == 200
    # A search has no tag.
    reply = browser.get("/w/rest.php/v1/search/title", "q=tea", If_Match=tag)
    assert reply.status == 412


@pytest.mark.parametrize(
    ("cookie", "cache"),
    [
        ("", "max-age=5"),
        ("theme", "max-age=5"),
        ("{wiki}_session", "private,must-revalidate,s-maxage=0"),
    ],
)
def test_only_sessions_are_private(browser: Browser, site: Site, cookie: str, cache: str) -> None:
    wsgi = InProcess(browser.app, "192.0.2.1")
    wsgi.set_cookie("another", "1")
    if cookie:
        wsgi.set_cookie(cookie.format(wiki=cookie_prefix(site.config)), "1")
    reply = wsgi.send("GET", "/w/rest.php/v1/page/Tea")
    assert reply.headers["cache-control"] == cache


def test_answers_to_authorized_requests_are_private(browser: Browser) -> None:
    reply = browser.get("/w/rest.php/v1/page/Tea", Authorization="Bearer x")
    assert reply.headers["cache-control"].startswith("private")


def test_a_private_wiki_is_not_readable() -> None:
    site = make_site({"Tea": "x"}, config={"permissions": {"anonymous_rights": []}})
    with closing(site.db):
        for path in ("/page/Tea", "/page/Tea/html", "/revision/1", "/search/page?q=x"):
            reply = Browser(site).get(f"/w/rest.php/v1{path}".partition("?")[0], "q=x")
            assert data(reply, 403)["errorKey"] == "rest-read-denied"


Send = Callable[..., Received]


@pytest.fixture
def send() -> Iterator[Send]:
    site = make_site({"Tea": "old"}, writable=True)
    wsgi = InProcess(make_app(site), "192.0.2.1")

    def send(method: str, path: str, query: str = "", **body: object) -> Received:
        return wsgi.send(
            method, f"/w/rest.php/v1{path}", query, body=json.dumps(body).encode(),
            content_type="application/json",
        )  # fmt: skip

    with closing(site.db):
        yield send


def test_a_page_is_created(send: Send) -> None:
    new = data(send("POST", "/page", title="Cup", source="new", comment="c", token="+\\"), 201)
    assert (new["title"], new["source"]) == ("Cup", "new")
    slash = send("POST", "/page", title="Cup/Tall one", source="t", comment="c", token="+\\")
    assert slash.headers["location"] == "/w/rest.php/v1/page/Cup%2FTall_one"
    again = data(send("POST", "/page", title="Cup", source="x", comment="c", token="+\\"), 409)
    assert again["errorKey"] == "articleexists"
    assert data(send("PUT", "/page/Pot", source="p", comment="c", token="+\\"), 201)["id"]


def test_a_page_is_changed(send: Send) -> None:
    latest = data(send("GET", "/page/Tea"))["latest"]
    changed = send("PUT", "/page/Tea", source="new", comment="c", latest=latest, token="+\\")
    assert data(changed)["source"] == "new"
    conflict = send("PUT", "/page/Tea", source="other", comment="c", token="+\\")
    assert data(conflict, 409)["errorKey"] == "articleexists"


@pytest.mark.parametrize(
    ("body", "name"),
    [({}, "source"), ({"source": "x"}, "comment"), ({"source": 1, "comment": "c"}, "source")],
)
def test_bodies_are_checked(send: Send, body: dict[str, object], name: str) -> None:
    error = data(send("PUT", "/page/Tea", **body), 400)
    assert (error["errorKey"], error["name"]) == ("rest-body-validation-error", name)


@pytest.mark.parametrize(
    ("title", "options", "status", "key"),
    [
        ("MediaWiki:Cup", {}, 403, "protectednamespace-interface"),
        ("User:Ada/common.js", {}, 403, "customjsprotected"),
        ("User:Ada/common.css", {}, 403, "customcssprotected"),
        ("User:Ada/cups.json", {}, 403, "customjsonprotected"),
        ("Cup", {"content_model": "json"}, 403, "cantchangecontentmodel"),
        ("Cup", {"content_model": "tea"}, 400, "badvalue"),
        ("Cup", {"token": "x"}, 403, "badtoken"),
        ("Cup", {"latest": {"id": 1}}, 404, "missingtitle"),
        ("Special:Cup", {}, 400, "pagecannotexist"),
        ("[[", {}, 400, "invalidtitle"),
    ],
)
def test_changes_are_refused(
    send: Send, title: str, options: dict[str, object], status: int, key: str
) -> None:
    body = {"source": "x", "comment": "c", "token": "+\\", **options}
    error = data(send("PUT", f"/page/{quote(title, safe='')}", **body), status)
    assert error["errorKey"] == key


@pytest.mark.parametrize("method", ["PUT", "POST"])
@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 201),
        ("Application/JSON; charset=utf-8", 201),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        (None, 415),
    ],
)
def test_only_json_is_accepted(method: str, content_type: str | None, status: int) -> None:
    site = make_site({}, writable=True)
    body = {"title": "Cup", "source": "x", "comment": "c", "token": "+\\"}
    path = "/w/rest.php/v1/page" + ("/Cup" if method == "PUT" else "")
    with closing(site.db):
        wsgi = InProcess(make_app(site), "192.0.2.1")
        reply = wsgi.send(method, path, body=json.dumps(body).encode(), content_type=content_type)
        answer = data(reply, status)
        assert (status == 201) == ("errorKey" not in answer)
        assert answer.get("errorKey", "rest-unsupported-content-type").startswith("rest-unsup")


def test_a_read_only_wiki_refuses(browser: Browser) -> None:
    wsgi = InProcess(browser.app, "192.0.2.1")
    body = json.dumps({"source": "x", "comment": "c", "token": "+\\"}).encode()
    reply = wsgi.send(
        "PUT", "/w/rest.php/v1/page/Tea", body=body, content_type="application/json"
    )  # fmt: skip
    assert reply.status >= 400
    assert ask(browser, "/page/Tea")["source"] == f"{FIRST} and white"


def test_texts_are_rendered(send: Send) -> None:
    reply = send("POST", "/transform/wikitext/to/html", wikitext="''x''")
    assert "<i" in reply.text
    assert reply.text.startswith("<!DOCTYPE html>")
    assert reply.text.endswith("</body></html>")
    assert "NewPP" not in reply.text
    body = send("POST", "/transform/wikitext/to/html", wikitext="''x''", body_only=True)
    assert (
        body.text
        == '<section data-mw-section-id="0" id="mwAQ"><p id="mwAg"><i id="mwAw">x</i></p></section>'
    )
    titled = send("POST", "/transform/wikitext/to/html/Tea", wikitext="{{PAGENAME}}")
    assert ">Tea<" in titled.text
    for path in ("/transform/html/to/wikitext", "/transform/wikitext/to/lint"):
        refused = data(send("POST", path, html="<p>x"), 501)
        assert refused["errorKey"] == "rest-transform-unsupported"


HOSTILE = (
    "Tea", "tea", "Leaf", "Itself", "", " ", "_", "A|B", "A%7CB", "%1F", "%00", "%FF%FE",
    "%ED%A0%80", "..", "%2E%2E", "%2F", "Tea%2F..", "File%3A", "File%3ANo.png", "Media%3AX",
    "de%3A", "de%3ATee", "Special%3ARandom", ":", "%3ATea", "#x", "%23x", "%3C%3E", "{title}",
    "x" * 300, "%C4%B0", "1", "-1", "0", "2", "99999999999999999999", "%D9%A1", "1.5", "1_0",
    "path", "self", "minor",
)  # fmt: skip
NAMES = ("path", "self", "query", "older_than", "newer_than", "filter", "from", "to", "q", "limit",
         "redirect", "title", "id", "type", "x%00", "a[]")  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_no_address_breaks_the_api(browser: Browser, seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(60):
        route = draw.choice(ROUTES)
        path = re.sub(r"\{\w+\}", lambda _: draw.choice(HOSTILE), route.path)
        query = "&".join(f"{draw.choice(NAMES)}={draw.choice(HOSTILE)}" for _ in range(3))
        method = draw.choice(("GET", "GET", "GET", "HEAD", "OPTIONS", "DELETE"))
        reply = browser.get(f"/w/rest.php{path}", query, method)
        asked = f"{method} {path}?{query}"
        assert reply.status < 500, asked
        if reply.status >= 400 and method != "HEAD":
            assert json.loads(reply.body)["httpCode"] == reply.status, asked
        if reply.status in (301, 307):
            assert reply.headers["location"].startswith("/w/rest.php/v1/page/"), asked


def test_parameters_keep_their_names_in_redirects(browser: Browser) -> None:
    reply = browser.get("/w/rest.php/v1/page/tea", "path=x&self=y")
    assert reply.headers["location"] == "/w/rest.php/v1/page/Tea?path=x&self=y"


def test_a_bar_does_not_name_two_pages(browser: Browser) -> None:
    assert ask(browser, "/page/Tea%7CCup", status=404)["errorKey"] == "rest-invalid-title"


def test_no_body_breaks_the_api(send: Send) -> None:
    values: tuple[object, ...] = ("x", "", "\ud800", "A|B", 1, None, [], {}, True, "{{" * 50)
    draw = random.Random(5)
    for _ in range(60):
        names = draw.sample(("source", "comment", "title", "token", "content_model", "latest"), 4)
        body = {name: draw.choice(values) for name in names}
        method, path = draw.choice((("PUT", "/page/Cup"), ("POST", "/page")))
        reply = send(method, path, **body)
        assert reply.status < 500, body
        assert json.loads(reply.body)


def test_a_database_that_is_down_is_told(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> object:
        raise StoreUnavailable("connection refused")

    monkeypatch.setattr(Database, "_run", refused)
    for path in ("/page/Tea", "/revision/1", "/search/page?q=tea", "/page/Tea/history"):
        reply = browser.get(*f"/w/rest.php/v1{path}".partition("?")[::2])
        assert data(reply, 503)["errorKey"] == "rest-unavailable", path
        assert reply.headers["retry-after"] == "5"
