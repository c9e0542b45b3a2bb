from __future__ import annotations

import pytest

from wikiapi.title.interwiki import Interwiki, InterwikiMap, is_linkable

WIKI = "https://de.example/wiki/$1"


def test_case_of_a_prefix_does_not_count() -> None:
    entry = Interwiki("De", WIKI)
    assert InterwikiMap([entry]).get("dE") is entry
    assert InterwikiMap([entry]).get("fr") is None


def test_entries_in_order_of_prefix() -> None:
    entries = [Interwiki("mw", WIKI), Interwiki("de", WIKI)]
    assert [entry.prefix for entry in InterwikiMap(entries)] == ["de", "mw"]


@pytest.mark.parametrize(
    ("title", "url"),
    [
        ("Alpha", "https://de.example/wiki/Alpha"),
        ("", "https://de.example/wiki/"),
        ("Talk:Alpha beta", "https://de.example/wiki/Talk:Alpha_beta"),
        ("a/b", "https://de.example/wiki/a/b"),
        ("a?b&c=d#e", "https://de.example/wiki/a%3Fb%26c%3Dd%23e"),
        ("é\"'<>", "https://de.example/wiki/%C3%A9%22%27%3C%3E"),
        ("100% $1", "https://de.example/wiki/100%25_$1"),
    ],
)
def test_page_url(title: str, url: str) -> None:
    assert Interwiki("de", WIKI).page_url(title) == url


def test_url_without_place_for_the_page() -> None:
    assert Interwiki("x", "https://x.example/").page_url("Alpha") == "https://x.example/"


@pytest.mark.parametrize(
    "url",
    [
        WIKI,
        "HTTP://x.example/$1",
        "//x.example/$1",
        "/wiki/$1",
        "wiki/$1",
        "./$1",
        "?title=$1",
        "x.php?a=:$1",
        "#$1",
    ],
)
def test_addresses_of_the_web(url: str) -> None:
    assert is_linkable(url)
    assert InterwikiMap([Interwiki("x", url)]).get("x")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:$1",
        " javascript:$1",
        "java\tscript:$1",
        "ftp://x.example/$1",
        "$1",
        "x$1:/",
        "https://x.example/\r\n$1",
        "http:x/$1",
        "httpſ://x.example/$1",
        "\x85https://x.example/$1",
    ],
)
def test_other_addresses_are_left_out(url: str) -> None:
    assert not is_linkable(url)
    assert list(InterwikiMap([Interwiki("x", url), Interwiki("de", WIKI)])) == [
        Interwiki("de", WIKI)
    ]
    assert list(InterwikiMap([Interwiki("de", WIKI, api=url)])) == [Interwiki("de", WIKI)]


def test_page_at_the_root_is_no_server() -> None:
    assert Interwiki("x", "/$1").page_url("/evil.example") == "/%2Fevil.example"
    assert Interwiki("x", "/$1").page_url("a/b") == "/a/b"
    assert Interwiki("x", "/w/$1").page_url("/b") == "/w//b"
