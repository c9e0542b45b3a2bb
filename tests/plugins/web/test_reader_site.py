"""Private wikis, mount points, settings, and the texts of the interface."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from tests.plugins.web.readers import Browser, links, parsed, texts
from tests.plugins.web.readerwiki import reader_wiki
from wikiapi.errors import ConfigError, DeadlineExceeded, PluginError, StoreUnavailable
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.languages.equivalents import FILE
from wikiapi.site import Site
from wikiapi.store import Database
from wikiapi_plugins.query.authorship import RESTRICTED_LOGS
from wikiapi_plugins.query.changes.logevents import LOG_ACTIONS
from wikiapi_plugins.web.paths import suffixes
from wikiapi_plugins.web.reader.addresses import last_part
from wikiapi_plugins.web.reader.reader import folder
from wikiapi_plugins.web.reader.routes import with_root_pages
from wikiapi_plugins.web.reader.settings import Settings
from wikiapi_plugins.web.reader.views.reports import COUNTED, KINDS, REPORTS
from wikiapi_plugins.web.reader.views.special import ACCOUNTS, GROUPS, INDEPENDENT
from wikiapi_plugins.web.reader.words import counted

TRANSLATIONS = sorted(set(folder("messages").glob("*.json")) - {folder("messages") / FILE})
TEMPLATES = sorted(folder("templates").glob("*.html"))
SOURCES = sorted(folder(".").rglob("*.py"))


def nothing(_environ: Any, start_response: Any) -> list[bytes]:
    start_response("404 Not Found", [("Content-Type", "text/plain")])
    return [b""]


def test_a_private_wiki_shows_nothing(make_site: Callable[..., Site], tmp_path: Path) -> None:
    site = reader_wiki(make_site, permissions={"anonymous_rights": []})
    wiki = Browser(site)
    addresses = [
        "/", "/wiki/", "/wiki/Main_Page", "/wiki/Tea", "/wiki/Nothing", "/wiki/a[b",
        "/wiki/Special:AllPages", "/wiki/Special:Random", "/wiki/File:Photo.png",
        "/w/index.php?title=Tea&action=raw", "/w/index.php?title=Tea&action=history",
        "/w/index.php?curid=2", "/w/index.php?oldid=2", "/w/index.php?search=Tea",
        "/images/a/ab/Photo.png", "/images/thumb/a/ab/Photo.png/9px-Photo.png",
    ]  # fmt: skip
    for address in addresses:
        reply = wiki.get(*address.partition("?")[::2])
        assert reply.status == 403, address
        for word in ("Tea", "Main", "Teahouse", "drink", "CC0"):
            assert word not in reply.text.replace("Raw text", ""), address


def test_a_site_may_be_mounted_below_another_path(make_site: Callable[..., Site]) -> None:
    pages = {"Linked": "[[Tea]] [[Nothing]] [[File:Photo.png|thumb]]"}
    site = reader_wiki(make_site, pages)
    client = InProcess(DispatcherMiddleware(nothing, {"/team/a b": make_app(site)}), "192.0.2.1")
    assert client.send("GET", "/team/a b/").headers["location"] == "/team/a%20b/wiki/Main_Page"
    tree = parsed(client.send("GET", "/team/a b/wiki/Linked"))
    addresses = [*links(tree), *links(tree, "link[href]:not([rel=canonical], [rel=EditURI])")]
    addresses += [node.attributes["src"] for node in tree.css("[src]")]
    addresses += [node.attributes["action"] for node in tree.css("form")]
    srcset = tree.css_first("img").attributes["srcset"] or ""
    addresses += [part.split()[0] for part in srcset.split(", ")]
    local = {url for url in addresses if url and not url.startswith("#")}
    assert {url for url in local if not str(url).startswith("/team/a%20b/")} == set()
    assert "/team/a%20b/wiki/Tea" in local
    redirect = client.send("GET", "/team/a b/wiki/Chai").headers["location"]
    assert redirect.startswith("/team/a%20b/wiki/Tea?")


def test_settings_may_know_the_mount_point(make_site: Callable[..., Site]) -> None:
    paths = {"script_path": "/team/w", "article_path": "/team/wiki/$1"}
    site = reader_wiki(make_site, site=paths, files={"url": "/team/images"})
    client = InProcess(DispatcherMiddleware(nothing, {"/team": make_app(site)}), "192.0.2.1")
    assert client.send("GET", "/team/").headers["location"] == "/team/wiki/Main_Page"
    tree = parsed(client.send("GET", "/team/wiki/Main_Page"))
    local = [url for url in links(tree) if url and not url.startswith("#")]
    assert all(url.startswith("/team/") and "/team/team" not in url for url in local)
    assert client.send("GET", str(links(tree, "link[rel=stylesheet]")[0])).status == 200


@pytest.mark.parametrize(
    ("article_path", "address"),
    [
        ("/w/index.php/$1", "/w/index.php/Tea"),
        ("/w/index.php?title=$1", "/w/index.php?title=Tea"),
        ("/$1", "/Tea"),
        ("/$1", "/w/index.php?title=Tea"),
        ("/read/$1.html", "/read/Tea.html"),
    ],
)
def test_other_article_paths(
    make_site: Callable[..., Site], article_path: str, address: str
) -> None:
    wiki = Browser(reader_wiki(make_site, site={"article_path": article_path}))
    reply = wiki.get(*address.partition("?")[::2])
    while reply.status == 301:
        assert reply.headers["location"] != address
        reply = wiki.get(*reply.headers["location"].partition("?")[::2])
    assert reply.status == 200, reply
    assert texts(parsed(reply), "h1") == ["Tea"]


def test_pages_at_the_root_leave_the_rest_where_it_is(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, site={"article_path": "/$1"}))
    assert wiki.get("/").headers["location"] == "/Main_Page"
    assert wiki.get("/tea").headers["location"] == "/Tea"
    assert wiki.get("/Nothing").status == 404
    assert "find-here" in wiki.get("/Nothing").text
    assert wiki.get("/w/api.php", "action=query&format=json").status == 200
    assert wiki.get("/explore").headers["content-type"].startswith("text/html")
    assert "find-here" not in wiki.get("/w/nothing").text
    assert "find-here" in wiki.get("/w/nothing", accept="text/html").text
    assert wiki.get("/Tea", method="POST").status == 200
    assert wiki.get("/Tea", method="PUT").status == 404
    tree = wiki.page("/Tea")
    assert links(tree, "nav.tabs a")[:2] == ["/Tea", "/Talk:Tea"]
    client = InProcess(DispatcherMiddleware(nothing, {"/team": wiki.app}), "192.0.2.1")
    assert links(parsed(client.send("GET", "/team/Tea")), "nav.tabs a")[0] == "/team/Tea"


def test_applications_that_start_late_are_waited_for() -> None:
    def late(_environ: Any, start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        yield b"late"

    app = with_root_pages(late, nothing, "/w")
    assert InProcess(app, "192.0.2.1").send("GET", "/Tea").text == "late"


def test_paths_and_their_ends() -> None:
    assert suffixes("/a/w/index.php", "/index.php") == [
        "/a/w/index.php", "/w/index.php", "/index.php",
    ]  # fmt: skip
    assert suffixes("/wiki/", last_part("/wiki/")) == ["/wiki/"]
    assert suffixes("/s/wiki/", last_part("/s/wiki/")) == ["/s/wiki/", "/wiki/"]


@pytest.mark.parametrize(
    "settings",
    [{"nothing": 1}, {"thumbnail_bytes": "many"}, {"image_sources": ["a; script-src *"]},
     {"largest_picture": True}, {"image_sources": [7]}],
)  # fmt: skip
def test_wrong_settings_are_refused(make_site: Callable[..., Site], settings: Any) -> None:
    site = make_site(config={"extensions": {"reader": settings}})
    with pytest.raises((ConfigError, PluginError), match=r"extensions\.reader"):
        make_app(site)


def test_pictures_may_come_from_configured_hosts(make_site: Callable[..., Site]) -> None:
    sources = {"reader": {"image_sources": ["https://pictures.example"]}}
    site = reader_wiki(make_site, extensions=sources, files={"url": "https://up.example/x"})
    policy = Browser(site).get("/wiki/Tea").headers["content-security-policy"]
    assert "img-src 'self' data: https://pictures.example https://up.example;" in policy


@pytest.mark.parametrize(
    ("images", "sources"),
    [
        (True, " http: https:"),
        (["https://a.org/", "https://u@b.org:80/p"], " https://a.org https://b.org:80"),
        (["https://a.org"], " https:"),
        (["https://a.org;script-src */", "ftp://a.org/"], ""),
    ],
)
def test_the_policy_lets_external_images_in(
    make_site: Callable[..., Site], images: Any, sources: str
) -> None:
    site = reader_wiki(make_site, wikitext={"external_images": images})
    policy = Browser(site).get("/wiki/Tea").headers["content-security-policy"]
    assert f"img-src 'self' data:{sources};" in policy
    assert "script-src 'self';" in policy


def test_the_policy_lets_everything_in_where_pages_hold_raw_html(
    make_site: Callable[..., Site],
) -> None:
    site = make_site(
        {"A": "<html><script>1 && 2</script></html>"}, config={"wikitext": {"raw_html": True}}
    )
    reply = Browser(site).get("/wiki/A")
    assert "<script>1 && 2</script>" in reply.text
    policy = reply.headers["content-security-policy"]
    assert "script-src * data: blob: 'unsafe-inline' 'unsafe-eval';" in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(("disabled", "address"), [([], "/explore"), (["explorer"], "/w/api.php")])
def test_the_way_to_the_api(
    make_site: Callable[..., Site], disabled: list[str], address: str
) -> None:
    wiki = Browser(reader_wiki(make_site, plugins={"disabled": disabled}))
    assert links(wiki.page("/wiki/Tea"), "footer a")[-1] == address


def test_a_page_that_takes_too_long_is_given_up(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = reader_wiki(make_site)
    wiki = Browser(site)

    def slow(*_: object, **__: object) -> object:
        raise DeadlineExceeded(60)

    monkeypatch.setattr(site.parser, "parse", slow)
    reply = wiki.get("/wiki/Tea")
    assert reply.status == 503
    assert "in time" in reply.text
    assert reply.headers["cache-control"] == "private, no-store"


@pytest.mark.parametrize(
    "address",
    ["/", "/wiki/Tea", "/wiki/Special:RecentChanges", "/wiki/Special:Search?search=x",
     "/w/index.php?title=Tea&action=history", "/wiki/Special:NewPages?feed=atom", "/sitemap.xml"],
)  # fmt: skip
def test_a_database_that_is_down_is_told(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    wiki = Browser(reader_wiki(make_site))
    assert wiki.get("/wiki/Coffee").status == 200

    def refused(*_: object, **__: object) -> object:
        raise StoreUnavailable("connection refused")

    monkeypatch.setattr(Database, "_run", refused)
    reply = wiki.get(*address.partition("?")[::2])
    assert reply.status == 503
    assert reply.headers["retry-after"] == "5"
    assert "database cannot be reached" in texts(parsed(reply), "main p")[0]


def test_addresses_of_nothing_have_a_page(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site))
    for path in ("/nothing", "/w/nothing", "/explore/nothing"):
        page = wiki.get(path, accept="text/html,*/*")
        assert page.status == 404
        assert texts(parsed(page), "h1") == ["Not found"]
        assert parsed(page).css_first("main form input[name=search]") is not None
        reply = wiki.get(path)
        assert (reply.status, reply.headers["content-type"][:10]) == (404, "text/plain")


def test_addresses_of_nothing_on_a_private_wiki(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, permissions={"anonymous_rights": []}))
    reply = wiki.get("/nothing", accept="text/html")
    assert reply.status == 403
    assert "Teahouse" not in reply.text


def test_a_page_of_an_unknown_model_is_shown_as_text(make_site: Callable[..., Site]) -> None:
    from wikiapi.testing.declaration import Edit

    pages = {"Strange": Edit("<b>strange</b>", model="unheard-of")}
    reply = Browser(reader_wiki(make_site, pages)).get("/wiki/Strange")
    assert reply.status == 200
    assert texts(parsed(reply), "pre.source") == ["<b>strange</b>"]


def test_every_setting_is_documented() -> None:
    text = Path("docs/reader.md").read_text(encoding="utf-8")
    for field in dataclasses.fields(Settings):
        default = json.dumps(list(field.default) if field.default == () else field.default)
        assert f"| `{field.name}` | `{default}` | " in text


def used_keys() -> set[str]:
    """Return the keys of the messages that templates and views name."""
    keys = set()
    for path in TEMPLATES:
        named = r"""\b(?:t|phrase|sentence|at)\(["']([a-z-]+)["'] *[,)]"""
        keys |= set(re.findall(named, path.read_text()))
    for path in SOURCES:
        source = path.read_text()
        keys |= set(re.findall(r'\.(?:text|phrase)\(\s*"([a-z-]+)"', source))
        keys |= set(re.findall(r'"reader-([a-z-]+)"', source))
    return (
        keys
        | {"bad-title", "not-allowed", "not-available", "not-found"}
        | {"results-count", "results-more", "no-page-yet", "no-such-page"}
        | {f"protect-{action}" for action in ("edit", "move")}
        | {f"log-{name}" for name in LOG_ACTIONS if name and name not in RESTRICTED_LOGS}
        | {f"members-{kind}" for kind in ("subcat", "page", "file")}
        | {f"members-count-{kind}" for kind in ("subcat", "page", "file")}
        | {f"uses-{kind}" for kind in ("transclusion", "file", "redirect")}
        | {f"count-{kind}" for kind in COUNTED}
        | {f"media-{kind}" for kind in KINDS}
        | {f"group-{group}" for group in (*GROUPS, "upkeep", "accounts", "others")}
        | {f"special-{name.lower()}" for name in (*INDEPENDENT, *ACCOUNTS, *REPORTS)}
    )


def test_every_text_is_there_and_used() -> None:
    for path in TRANSLATIONS:
        keys = {key.removeprefix("reader-") for key in json.loads(path.read_text())}
        # A translation may have the few words of the frame alone.
        assert keys <= used_keys(), path.name
        assert path.stem not in ("en", "de") or keys == used_keys(), path.name


def test_translations_have_the_parameters_of_the_english_texts() -> None:
    english = json.loads((folder("messages") / "en.json").read_text())
    for path in TRANSLATIONS:
        for key, text in json.loads(path.read_text()).items():
            placeholders = set(re.findall(r"\$[1-9]", english[key]))
            assert set(re.findall(r"\$[1-9]", text)) == placeholders, (path.name, key)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_mark_nothing_as_safe_but_indicators(path: Path) -> None:
    marked = re.findall(r"\{\{[^}]*\| *safe[^}]*\}\}", path.read_text())
    assert marked == (["{{ indicator | safe }}"] if path.name == "page.html" else [])


@pytest.mark.slow
def test_every_page_answers_with_hostile_parameters(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site))
    hostile = ["%00", "%FF%FE", "-1", "1_0", "9" * 40, "%D9%A5", "%3Csvg/onload=1%3E", "a" * 3000]
    names = ["oldid", "diff", "curid", "from", "offset", "namespace", "pagefrom", "action", "ns",
             "uselang", "title", "target", "redirectedfrom", "search"]  # fmt: skip
    pages = ["Tea", "Category:Drinks", "Special:Search", "Special:AllPages",
             "Special:RecentChanges", "Special:Categories",
             "Special:WhatLinksHere/Tea"]  # fmt: skip
    for page in pages:
        for name in names:
            for value in hostile:
                query = f"title={page}&{name}={value}"
                for more in ("", "&action=history"):
                    reply = wiki.index(query + more)
                    assert reply.status < 500, query
                    assert "<svg/onload" not in reply.text


@pytest.mark.parametrize(
    "query",
    [
        "title=Tea&action=raw&section",
        "title=Tea&oldid=3&direction",
        "title=Tea&action=raw&oldid=3&direction",
        "title=Tea&action=raw&ctype",
        "title=Tea&action=history&feed=atom&limit",
        "title=Special:RecentChanges&feed",
        "title=Special:RecentChanges&feed=atom&days",
        "title=Special:Contributions",
        "title=Special:Contributions&target",
        "title=Special:Contributions&feed=rss&user",
        "title=Special:NewPages&feed=atom&namespace",
        "title=Special:Log&type",
        "title=Special:Log&page",
        "title=Special:Log&logid",
        "title=Special:Export&pages",
        "title=Special:Export&addcat=1&catname",
        "title=Special:FilePath/Photo.png&width",
        "title=Special:Redirect&wptype=user&wpvalue",
        "title=Special:Redirect&wptype",
    ],
)
def test_hostile_values_are_answered(make_site: Callable[..., Site], query: str) -> None:
    wiki = Browser(reader_wiki(make_site))
    for value in (
        "%00",
        "%FF%FE",
        "-1",
        "9" * 15,
        "%D9%A5",
        "%3Csvg/onload=1%3E",
        "%22",
        "a" * 999,
    ):
        reply = wiki.index(f"{query}={value}")
        assert reply.status < 500, value
        assert "<svg/" not in reply.text


FRAME = ("search", "recent-changes", "tab-history", "tab-edit", "no-such-page", "skip")


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_the_frame_is_in_the_language(make_site: Callable[..., Site], path: Path) -> None:
    texts_of = json.loads(path.read_text(encoding="utf-8"))
    assert {f"reader-{key}" for key in FRAME} <= texts_of.keys()
    wiki = Browser(reader_wiki(make_site))
    tree = parsed(wiki.index(f"title=Nothing_here&uselang={path.stem}"))
    assert texts_of["reader-no-such-page"] in texts(tree, "main p")
    assert texts_of["reader-recent-changes"] in texts(tree, ".ways a")
    assert texts(tree, ".skip") == [texts_of["reader-skip"]]


@pytest.mark.parametrize(
    ("code", "text"),
    [("en", "1 byte"), ("de", "1 Byte"), ("pl", "1 bajt"), ("ja", "1 バイト"), ("sk", "1 bajt")],
)
def test_units_are_those_of_the_language(
    make_site: Callable[..., Site], code: str, text: str
) -> None:
    wiki = Browser(reader_wiki(make_site, {"One": "x"}))
    tree = wiki.page("/w/index.php", f"title=One&action=edit&uselang={code}")
    words = " ".join(texts(tree, "main .quiet")).replace("\xa0", " ")
    assert text in words


@pytest.mark.parametrize(
    ("code", "number"),
    [("ta", "12,34,567"), ("es", "1\u00a0234\u00a0567"), ("mr", "१२,३४,५६७")],
)
def test_numbers_with_a_unit_are_those_of_the_language(
    make_site: Callable[..., Site], code: str, number: str
) -> None:
    text = counted(reader_wiki(make_site).messages, "reader-bytes", 1234567, code)
    assert text is not None
    assert number in text


def test_words_of_mediawiki_where_the_reader_has_no_translation(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    (tmp_path / "eo.json").write_text(json.dumps({"history_short": "Historio <!>"}))
    (tmp_path / "en.json").write_text(json.dumps({"history_short": "Past", "edit": "Change"}))
    folders = {"folders": [str(tmp_path)]}
    other = Browser(reader_wiki(make_site, site={"language": "eo"}, messages=folders))
    html = other.get("/wiki/Tea").text
    assert "Historio &lt;!&gt;" in html
    assert "Past" not in html
    english = Browser(reader_wiki(make_site, messages=folders))
    assert "Past" in english.get("/wiki/Tea").text
