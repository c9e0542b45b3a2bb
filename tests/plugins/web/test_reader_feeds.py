"""Pages as Atom and RSS, as feed readers subscribe to them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest

from tests.plugins.web.readers import Browser, links, parsed, texts
from tests.plugins.web.readerwiki import PAGES, reader_wiki
from wikiapi.site import Site
from wikiapi.testing.declaration import Edit

ATOM = {"a": "http://www.w3.org/2005/Atom"}
SERVER = "http://127.0.0.1:8080"


def feed(wiki: Browser, query: str) -> ElementTree.Element:
    reply = wiki.index(query)
    assert reply.status == 200, reply.text
    assert reply.headers["content-type"] == "application/xml; charset=utf-8"
    assert reply.headers["cache-control"] == "private, must-revalidate, max-age=0"
    return ElementTree.fromstring(reply.text)


@pytest.mark.parametrize(
    ("query", "passed"),
    [
        ("title=Special:RecentChanges&feed=atom", {"action": "feedrecentchanges"}),
        ("title=Special:RecentChanges&feed=rss", {"action": "feedrecentchanges"}),
        (
            "title=Special:RecentChanges&feed=atom&namespace=2&limit=500&hideminor=1&hidebots=0",
            {"action": "feedrecentchanges", "namespace": "2", "limit": "50", "hideminor": "1"},
        ),
        (
            "title=Special:RecentChanges&feed=atom&days=x&limit=-1",
            {"action": "feedrecentchanges"},
        ),
        (
            "title=Special:Contributions/Ada&feed=atom&toponly=1",
            {"action": "feedcontributions", "user": "Ada", "toponly": "1"},
        ),
        (
            "title=Special:Contributions&target=Ada&feed=rss",
            {"action": "feedcontributions", "user": "Ada"},
        ),
    ],
)
def test_feeds_that_the_api_has_are_there(
    wiki: Browser, query: str, passed: dict[str, str]
) -> None:
    reply = wiki.index(query)
    assert reply.status == 301
    path, _, sent = reply.headers["location"].partition("?")
    form = dict(parse_qsl(query))["feed"]
    assert (path, dict(parse_qsl(sent))) == ("/w/api.php", {**passed, "feedformat": form})
    assert wiki.get(path, sent).headers["content-type"] == "application/xml; charset=utf-8"


def test_the_history_of_a_page_as_atom(wiki: Browser) -> None:
    root = feed(wiki, "title=Tea&action=history&feed=atom")
    assert root.findtext("a:title", namespaces=ATOM) == "Tea - Revision history"
    newest, *older = root.findall("a:entry", ATOM)
    assert len(older) == 2
    assert newest.findtext("a:author/a:name", namespaces=ATOM) == "192.0.2.7"
    assert newest.findtext("a:id", namespaces=ATOM) == (
        f"{SERVER}/w/index.php?title=Tea&diff=4&oldid=prev"
    )
    assert "Green leaves." in newest.findtext("a:summary", "", ATOM)
    assert (
        len(feed(wiki, "title=Tea&action=history&feed=atom&limit=1").findall("a:entry", ATOM)) == 1
    )
    announced = links(wiki.page("/w/index.php", "title=Tea&action=history"), "link[rel=alternate]")
    assert "/w/index.php?title=Tea&action=history&feed=atom" in announced


def test_the_history_of_a_page_as_rss(wiki: Browser) -> None:
    items = list(feed(wiki, "title=Tea&action=history&feed=rss").iter("item"))
    assert items[-1].findtext("title") == "Ada: begin [[Main Page]]"
    assert items[0].findtext("comments") == f"{SERVER}/wiki/Talk:Tea"


def test_new_pages(wiki: Browser) -> None:
    root = feed(wiki, "title=Special:NewPages&feed=rss")
    descriptions = {
        item.findtext("title"): item.findtext("description", "") for item in root.iter("item")
    }
    assert set(descriptions) == set(PAGES)
    assert "Tea is hot." in descriptions["Tea"]
    assert "Milk" not in descriptions["Tea"]
    limited = feed(wiki, "title=Special:NewPages&feed=atom&namespace=12&limit=1")
    assert len(limited.findall("a:entry", ATOM)) == 1
    tree = wiki.page("/wiki/Special:NewPages", "namespace=12")
    assert texts(tree, ".revisions strong a") == ["Help:Topic/Below", "Help:Topic"]
    url = "/w/index.php?title=Special:NewPages&feed=atom&namespace=12"
    assert url in links(tree, "link[rel=alternate]")


def test_contributions_are_listed(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Special:Contributions/Ada")
    assert texts(tree, ".revisions strong a") == ["Tea", "Tea"]
    url = "/w/api.php?action=feedcontributions&user=Ada&feedformat=atom"
    assert url in links(tree, "link[rel=alternate]")
    assert texts(wiki.page("/wiki/Special:Contributions"), ".revisions li") == []
    assert wiki.get("/wiki/Special:Contributions/Nobody").status == 200


def test_contributions_come_in_parts(make_site: Callable[..., Site]) -> None:
    edits = [Edit(f"{n}", user="Ada") for n in range(70)]
    wiki = Browser(reader_wiki(make_site, {"Long": edits}))
    url: str | None = "/wiki/Special:Contributions/Ada"
    seen = 0
    while url:
        tree = wiki.page(*url.partition("?")[::2])
        seen += len(tree.css(".revisions li"))
        url = next(iter(links(tree, ".pager a[rel=next]")), None)
    assert seen == 72


def test_hidden_names_are_in_no_feed(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    site.db.execute_sql("UPDATE revision SET rev_deleted = 7 WHERE rev_id = 2")
    wiki = Browser(site)
    for query in ("title=Tea&action=history&feed=rss", "title=Special:NewPages&feed=atom"):
        assert "begin" not in wiki.index(query).text
    assert "begin" not in parsed(wiki.get("/wiki/Special:Contributions/Ada")).html


@pytest.mark.parametrize("query", ["title=Tea&action=history", "title=Special:NewPages"])
def test_other_forms_are_refused(wiki: Browser, query: str) -> None:
    assert wiki.index(f"{query}&feed=pdf").status == 400
