"""External links, magic links and raw HTML follow a wiki's settings, as in MediaWiki 1.39."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cases import cases
from wikiapi.config import WikitextConfig
from wikiapi.languages import Message
from wikiapi.site import Site
from wikiapi.testing.declaration import DeclaredFile
from wikiapi.title import Title
from wikiapi.wikitext import ParserOptions
from wikiapi.wikitext.inline.linkrules import LinkRules
from wikiapi.wikitext.protocols import USUAL_PROTOCOLS

FILES = [DeclaredFile("Red.png", width=300, height=200, mime="image/png")]
OPTIONS = ParserOptions(limit_report=False, wrapper_class="")


@pytest.mark.parametrize("case", cases("wikitext/externallinks.json"))
def test_pages(make_site: Callable[..., Site], case: dict[str, Any]) -> None:
    config = {"site": {"track_unknown": False}, "wikitext": case["settings"]}
    site = make_site({}, config=config, files=FILES)
    output = site.parser.parse(case["text"], site.titles.parse("Parser test"), OPTIONS)
    assert output.html.strip() == case["html"]
    assert list(output.external_links) == case["links"]
    assert list(output.categories) == case.get("categories", [])


def parsed(site: Site, text: str, **options: Any) -> str:
    page = site.titles.parse("Test")
    return site.parser.parse(text, page, ParserOptions(limit_report=False, **options)).html


def test_wikis_with_the_usual_protocols_share_their_patterns() -> None:
    assert LinkRules(WikitextConfig()).protocols is USUAL_PROTOCOLS
    added = WikitextConfig(add_protocols=("steam://",))
    assert LinkRules(added).protocols is LinkRules(added).protocols is not USUAL_PROTOCOLS


def test_a_wiki_without_protocols_has_no_links(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"wikitext": {"remove_protocols": list(USUAL_PROTOCOLS.listed)}})
    text = "http://a [http://b c] [//d e] irc:x"
    assert f"<p>{text}\n</p>" in parsed(site, text)
    assert site.parser.link_rules.protocols.listed == ()


def test_removing_a_protocol_removes_its_form_without_slashes() -> None:
    rules = LinkRules(WikitextConfig(remove_protocols=("irc://",)))
    assert rules.bare.match("irc://x") is rules.bare.match("irc:x") is None
    assert rules.bare.match("ircs:x")


@pytest.mark.parametrize(
    ("images", "url", "is_shown"),
    [
        ((), "http://a.org/b.png", False),
        (("",), "http://a.org/b.png", True),
        (("http://a.org/",), "http://a.org.example/b.png", False),
        (True, "javascript:http://a.org/b.png", False),
        (True, 'http://a.org/"b.png', False),
        (True, "http://a.org/b.png\n", False),
    ],
)
def test_images(images: bool | tuple[str, ...], url: str, is_shown: bool) -> None:
    assert LinkRules(WikitextConfig(external_images=images)).shows_image(url) is is_shown


@pytest.mark.parametrize(
    ("domains", "url"),
    [
        ((), "http://example.org"),
        (("example.org",), "http://example.org\\@a.org"),
        (("example.org",), "http://a?@example.org"),
        (("example.org",), "http:///example.org"),
        (("example.org",), "http://example.org:99999"),
        ((".example.org",), "http://www.example.org"),
        (("EXAMPLE.org",), "http://example.org"),
    ],
)
def test_other_domains_are_not_followed(domains: tuple[str, ...], url: str, home: Title) -> None:
    rules = LinkRules(WikitextConfig(no_follow_domains=domains))
    assert rules.attributes(url, home) == {"rel": "nofollow"}


@pytest.fixture
def home(make_site: Callable[..., Site]) -> Title:
    return make_site().titles.parse("Home")


def test_texts_of_the_wiki_are_the_addresses_of_numbers(make_site: Callable[..., Site]) -> None:
    pages = {"MediaWiki:Rfcurl": "https://example.org/$1", "MediaWiki:Magiclink-tracking-rfc": "-"}
    site = make_site(pages, config={"wikitext": {"magic_links": ["RFC"]}})
    assert 'href="https://example.org/7"' in parsed(site, "RFC 7")
    assert site.parser.links_of("RFC 7", site.titles.parse("Test")).categories == {}


def test_links_of_books_are_in_the_language_of_the_wiki(make_site: Callable[..., Site]) -> None:
    config = {"site": {"language": "de"}, "wikitext": {"magic_links": ["ISBN"]}}
    html = parsed(make_site(config=config), "ISBN 0306406152")
    assert 'href="/wiki/Spezial:ISBN-Suche/0306406152"' in html


def test_names_of_pages_do_not_become_links(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"wikitext": {"magic_links": ["RFC"], "add_protocols": ["rfc:"]}})
    for name in ("RFC 7", "Rfc:7"):
        page = site.titles.parse(name)
        assert "<a " not in site.parser.parse("{{PAGENAME}} {{PAGENAME:RFC 8}}", page).html


def test_parsoid_says_that_an_image_is_external(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"wikitext": {"external_images": True, "magic_links": ["RFC"]}})
    html = parsed(site, "http://a.org/b.png RFC 7", parsoid=True)
    assert 'rel="mw:externalImage"' in html
    assert 'rel="mw:ExtLink nofollow"' in html


@pytest.fixture
def raw(make_site: Callable[..., Site]) -> Site:
    pages = {"MediaWiki:Aboutsite": "A <html><b id=x>c</b></html>"}
    return make_site(pages, config={"wikitext": {"raw_html": True}})


def test_texts_of_the_interface_hold_no_raw_html(raw: Site) -> None:
    html = raw.messages.render(raw.messages.find("aboutsite", "en"), Message("aboutsite"))
    assert html.startswith('A <span class="error">&lt;html&gt;')
    assert "<b" not in html
    assert '<b id="x">c</b>' in parsed(raw, "{{int:aboutsite}}")


def test_markers_in_a_text_are_no_scripts(raw: Site) -> None:
    html = parsed(raw, "<html><script>1\x020\x03</script></html> \x020\x03 \x0299\x03")
    assert html.count("<script>1") == 1


def test_parsoid_describes_raw_html_as_a_tag(raw: Site) -> None:
    html = parsed(raw, "<html><b onclick='x'>y</b></html>", parsoid=True)
    assert '<b onclick="x"' in html
    assert 'typeof="mw:Extension/html"' in html
