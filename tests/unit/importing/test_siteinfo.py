"""The main page of a wiki whose configured one is not there."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping

import pytest

from tests.unit.importing.xmldump import NAMESPACES
from wikiapi.config import parse_config
from wikiapi.importing.origin import origin_of
from wikiapi.importing.siteinfo import (
    config_text,
    differences,
    guessed_main_page,
    has_main_page,
    with_main_page,
)
from wikiapi.importing.xml.records import DumpNamespace, SiteInfo
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site

GERMAN = SiteInfo(
    'Mein "Wiki"\\',
    "meinwiki",
    "https://wiki.example.de/artikel/Haupt%C2%ADseite_A",
    "MediaWiki 1.44.0",
    "de",
    True,
    (
        DumpNamespace(-1, "Spezial", True),
        DumpNamespace(0, "", True),
        DumpNamespace(1, "Diskussion", True),
        DumpNamespace(4, "Projekt", True),
        DumpNamespace(10, "Vorlage", True),
        DumpNamespace(100, "Portal", False),
        DumpNamespace(828, "Modul", True),
    ),
)


def test_configuration_of_a_dump_is_read_back(make_site: Callable[..., Site]) -> None:
    text = config_text(GERMAN, "sqlite:///x.sqlite", "images")
    config = parse_config(tomllib.loads(text))
    assert config.site.name == 'Mein "Wiki"\\'
    assert config.site.server == ""
    assert config.site.source == GERMAN.base
    assert config.site.article_path == "/artikel/$1"
    assert config.site.main_page == "Haupt\u00adseite A"
    assert config.database.url == "sqlite:///x.sqlite"
    site = make_site(config=config)
    assert not list(differences(origin_of(GERMAN), site.config.site, site.namespaces))
    assert site.titles.parse("Template:x").prefixed_text == "Vorlage:X"
    assert site.titles.parse("Module:x").ns == 828
    assert site.titles.parse("portal:x").prefixed_text == "Portal:x"
    assert site.namespaces[1].subpages
    assert site.namespaces[828].content_model == "Scribunto"


def test_configuration_of_an_english_wiki_names_no_namespaces() -> None:
    entries = tuple(DumpNamespace(number, name, True) for number, name in NAMESPACES.items())
    info = SiteInfo("Tests", "tests", "", "", "en", True, entries)
    assert tomllib.loads(config_text(info, "x", "images")) == {
        "site": {"name": "Tests", "wiki_id": "tests", "language": "en"},
        "database": {"url": "x"},
        "files": {"folder": "images"},
    }


def test_case_sensitive_wiki(make_site: Callable[..., Site]) -> None:
    info = SiteInfo(
        "W", "w", "", "", "en", False, (DumpNamespace(0, "", False), DumpNamespace(2, "User", True))
    )
    config = parse_config(tomllib.loads(config_text(info, "x", "images")))
    site = make_site(config=config)
    assert not list(differences(origin_of(info), site.config.site, site.namespaces))
    assert site.titles.parse("abc").dbkey == "abc"
    assert site.titles.parse("User:abc").dbkey == "Abc"


def test_differences_are_named(site: Site) -> None:
    report = "\n".join(
        differences(
            origin_of(GERMAN._replace(first_letter=False)), site.config.site, site.namespaces
        )
    )
    assert "called 'Mein \"Wiki\"\\\\', the configuration's 'Wiki'" in report
    assert "the dump's language is 'de', the configuration's 'en'" in report
    assert "titles of the dump are case-sensitive" in report
    assert "namespace 828 ('Modul') is not configured" in report
    assert "namespace 10 is 'Vorlage' in the dump, 'Template' here" in report


@pytest.mark.parametrize(
    ("base", "settings"),
    [
        ("http://localhost:8080/w/A", {"article_path": "/w/$1", "main_page": "A"}),
        ("https://[::1]:8/w/A_b", {"article_path": "/w/$1", "main_page": "A b"}),
        ("https://x.example/w/A?x=1", {"article_path": "/w/$1", "main_page": "A"}),
        ("https://x.example/w/%0A", {"article_path": "/w/$1"}),
        ("https://x.example/", {}),
        ("https://x.example/en/", {}),
        ("https://x.example/index.php?title=Main_Page", {"main_page": "Main Page"}),
        ("https://x.example/w/index.php/Start", {"main_page": "Start"}),
        ("https://x.example/Start", {"article_path": "/$1", "main_page": "Start"}),
    ],
)
def test_addresses_of_a_head(base: str, settings: dict[str, str]) -> None:
    info = SiteInfo("", "", base, "", "", True, ())
    assert tomllib.loads(config_text(info, "x", "images"))["site"] == {"source": base} | settings


@pytest.mark.parametrize(
    "base",
    [
        "javascript://x/w/A",
        "https://x.example//y/A",
        "https://u@x.example/w/A",
        "http://[",
        'https://x.example/w/A?x="',
    ],
)
def test_addresses_that_are_none(base: str) -> None:
    info = SiteInfo("", "", base, "", "", True, ())
    assert tomllib.loads(config_text(info, "x", "images"))["site"] == {}


def test_another_main_page() -> None:
    text = config_text(GERMAN, "x", "images")
    changed = tomllib.loads(with_main_page(text, 'A "b"'))
    assert changed["site"].pop("main_page") == 'A "b"'
    assert changed["site"] == {
        name: value for name, value in tomllib.loads(text)["site"].items() if name != "main_page"
    }
    assert changed["namespaces"] == tomllib.loads(text)["namespaces"]


def test_head_with_invalid_settings() -> None:
    info = SiteInfo("a\nb", "a\r\nb", "", "x" * 300, "../en", True, ())
    assert tomllib.loads(config_text(info, "x", "images"))["site"] == {}


LINKED = {"A": "[[Hub]]", "B": "[[Hub]] [[A]]", "C": "[[hub]] [[Gone]]", "D": "[[Gone]] [[Hub]]"}


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ({"MediaWiki:Mainpage": " Start \n", "Start": "x", "Main Page": "y"}, "Start"),
        ({"MediaWiki:Mainpage": "Gone", "Teahouse": "x", "Main Page": "y"}, "Teahouse"),
        ({"MediaWiki:Mainpage": "<bad>", "Main Page": "y"}, "Main Page"),
        ({"MediaWiki:Mainpage": "", "Hub": "x", **LINKED}, "Hub"),
        ({"MediaWiki:Mainpage": "Project:Home", "Project:Home": "x"}, "Teahouse:Home"),
        ({"Old Nowhere": "x", "Hub": "x", **LINKED}, "Old Nowhere"),
        ({"Project:Main Page": "x", "Hub": "x", **LINKED}, "Teahouse:Main Page"),
        ({"de/Main Page": "x", "en/Main Page": "x", "fr/Main Page": "x"}, "Fr/Main Page"),
        ({"de/Main Page": "x", "en/Main Page": "x", "it/Main Page": "x"}, "En/Main Page"),
        ({"Domain Page": "x", "Help:Main Page": "x"}, None),
        ({"Portal/Main Page": "#REDIRECT [[A]]", "A": "x"}, None),
        ({"Hub": "x", "A": "[[Hub]]", "B": "[[Hub]]"}, None),
        ({"Template:Box": "x"}, None),
        ({}, None),
    ],
)
def test_guesses_of_the_main_page(
    make_site: Callable[..., Site], pages: Mapping[str, str], expected: str | None
) -> None:
    source = "https://fr.example.org/wiki/Nowhere"
    settings = {"name": "Teahouse", "main_page": "Nowhere", "source": source}
    site = make_site(pages, config={"site": settings})
    mark_all(site.db)
    LinksUpdate(site).run()
    main_page = guessed_main_page(site)
    assert (main_page.prefixed_text if main_page else None) == expected


@pytest.mark.parametrize(("name", "expected"), [("A", True), ("Main Page", False)])
def test_whether_the_main_page_is_there(
    make_site: Callable[..., Site], name: str, expected: bool
) -> None:
    site = make_site({"A": "x"}, config={"site": {"main_page": name}})
    assert has_main_page(site) is expected
