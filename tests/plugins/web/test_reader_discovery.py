"""What programs find out about the wiki from any of its pages, and at the well-known addresses."""

from __future__ import annotations

import io
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.plugins.web.readers import Browser, attribute, links, parsed
from tests.plugins.web.readerwiki import reader_wiki
from wikiapi.site import Site
from wikiapi_plugins.web.reader import discovery

SERVER = "http://wiki.example"
MAPS = {"m": "http://www.sitemaps.org/schemas/sitemap/0.9"}
DESCRIPTION = {"o": "http://a9.com/-/spec/opensearch/1.1/"}


@pytest.fixture
def wiki(make_site: Callable[..., Site]) -> Browser:
    return Browser(reader_wiki(make_site, site={"name": "Teahouse", "server": SERVER}))


@pytest.mark.parametrize(
    ("path", "query", "canonical"),
    [
        ("/wiki/Tea", "", "/wiki/Tea"),
        ("/wiki/Nothing_here", "", "/wiki/Nothing_here"),
        ("/wiki/Category:Drinks", "", "/wiki/Category:Drinks"),
        ("/wiki/Special:RecentChanges", "", "/wiki/Special:RecentChanges"),
        ("/wiki/Special:Nonsense", "", None),
        ("/w/index.php", "title=Tea&action=history", "/wiki/Tea"),
        ("/w/index.php", "title=Special:Search&search=zzz", "/wiki/Special:Search"),
    ],
)
def test_every_page_says_where_the_api_is(
    wiki: Browser, path: str, query: str, canonical: str | None
) -> None:
    tree = parsed(wiki.get(path, query))
    assert attribute(tree, "meta[name=generator]", "content") == "MediaWiki 1.45.0"
    assert links(tree, "link[rel=EditURI]") == ["//wiki.example/w/api.php?action=rsd"]
    assert links(tree, "link[rel=search]") == ["/w/opensearch_desc.php"]
    assert links(tree, "link[rel=canonical]") == ([SERVER + canonical] if canonical else [])
    feed = "/w/index.php?title=Special:RecentChanges&feed=atom"
    assert links(tree, "link[rel=alternate]")[0] == feed


def test_the_search_is_described(wiki: Browser) -> None:
    reply = wiki.get("/w/opensearch_desc.php")
    assert reply.headers["content-type"] == "application/opensearchdescription+xml"
    assert reply.headers["cache-control"] == "public, max-age=600"
    root = ElementTree.fromstring(reply.text)
    assert root.findtext("o:ShortName", namespaces=DESCRIPTION) == "Teahouse"
    templates = {
        url.attrib["type"]: url.attrib["template"] for url in root.iterfind("o:Url", DESCRIPTION)
    }
    suggest = f"{SERVER}/w/api.php?action=opensearch&search={{searchTerms}}&namespace=0"
    assert templates == {
        "text/html": f"{SERVER}/w/index.php?title=Special:Search&search={{searchTerms}}",
        "application/x-suggestions+json": suggest,
        "application/x-suggestions+xml": f"{suggest}&format=xml",
    }


def test_robots_are_led_to_the_pages(wiki: Browser) -> None:
    reply = wiki.get("/robots.txt")
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    assert reply.text.splitlines() == [
        "User-agent: *",
        "Disallow: /w/index.php",
        "Disallow: /w/api.php",
        "Disallow: /wiki/Special:",
        "",
        f"Sitemap: {SERVER}/sitemap.xml",
    ]


def test_robots_may_read_pages_that_index_php_shows(make_site: Callable[..., Site]) -> None:
    wiki = Browser(reader_wiki(make_site, site={"article_path": "/w/index.php?title=$1"}))
    assert "Disallow: /w/index.php" not in wiki.get("/robots.txt").text


def test_the_favicon_is_a_picture(wiki: Browser) -> None:
    reply = wiki.get("/favicon.ico")
    assert reply.headers["content-type"] == "image/x-icon"
    assert Image.open(io.BytesIO(reply.body)).size == (32, 32)


def locations(wiki: Browser, query: str = "") -> list[str]:
    """The addresses in a sitemap."""
    reply = wiki.get("/sitemap.xml", query)
    assert (reply.status, reply.headers["content-type"]) == (200, "application/xml; charset=utf-8")
    return [str(loc.text) for loc in ElementTree.fromstring(reply.text).iterfind(".//m:loc", MAPS)]


def test_the_sitemap_lists_pages_that_may_be_indexed(wiki: Browser) -> None:
    assert locations(wiki) == [f"{SERVER}/sitemap.xml?part=0"]
    listed = locations(wiki, "part=0")
    assert f"{SERVER}/wiki/Tea" in listed
    assert f"{SERVER}/wiki/Help:Topic/Below" in listed
    assert f"{SERVER}/wiki/Chai" not in listed
    assert f"{SERVER}/wiki/Odd" not in listed
    for query in ("part=1", "part=x", "part=-1"):
        assert wiki.get("/sitemap.xml", query).status == 404


def test_the_sitemap_of_a_large_wiki_has_parts(
    wiki: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = locations(wiki, "part=0")
    monkeypatch.setattr(discovery, "IDS_PER_PART", 4)
    parts = locations(wiki)
    assert len(parts) > 3
    listed = [loc for part in parts for loc in locations(wiki, part.partition("?")[2])]
    assert listed == whole


def test_a_sitemap_costs_few_queries(make_site: Callable[..., Site]) -> None:
    site = reader_wiki(make_site)
    with site.db.recording() as asked:
        locations(Browser(site), "part=0")
    assert len(asked) == 2


@pytest.mark.parametrize("path", ["/robots.txt", "/sitemap.xml", "/w/opensearch_desc.php"])
def test_a_private_wiki_tells_nothing(make_site: Callable[..., Site], path: str) -> None:
    site = reader_wiki(make_site, permissions={"anonymous_rights": []})
    reply = Browser(site).get(path)
    assert reply.status == 403
    assert "Teahouse" not in reply.text
    assert "EditURI" not in reply.text


@pytest.mark.parametrize(
    ("title", "robots"),
    [
        ("Tea", []),
        ("Help:Plain", ["noindex,nofollow"]),
        ("Help:Indexed", ["nofollow"]),
        ("User:Ann", ["noindex"]),
    ],
)
def test_search_engines_are_told_the_policy_of_namespaces_and_pages(
    make_site: Callable[..., Site], title: str, robots: list[str]
) -> None:
    wiki = make_hidden(make_site)
    tree = parsed(wiki.get(f"/wiki/{title}"))
    nodes = tree.css('meta[name="robots"]')
    assert [node.attributes["content"] for node in nodes] == robots


def make_hidden(make_site: Callable[..., Site]) -> Browser:
    """Return a wiki whose help pages are hidden from search engines."""
    pages = {
        "Tea": "x",
        "Help:Plain": "x",
        "Help:Indexed": "__INDEX__",
        "User:Ann": "__NOINDEX__",
    }
    config = {"site": {"server": SERVER}, "namespaces": [{"id": 12, "robots": "noindex,nofollow"}]}
    return Browser(make_site(pages, config=config))


def test_the_sitemap_has_the_pages_that_may_be_indexed(make_site: Callable[..., Site]) -> None:
    sitemap_text = make_hidden(make_site).get(discovery.SITEMAP, "part=0").body
    listed = ElementTree.fromstring(sitemap_text).iterfind(".//m:loc", MAPS)
    assert sorted(each.text or "" for each in listed) == [
        f"{SERVER}/wiki/Help:Indexed",
        f"{SERVER}/wiki/Tea",
    ]
