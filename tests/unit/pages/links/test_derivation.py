"""Links are derived again when settings change on which they depend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.config import Config, NamespaceConfig, SiteConfig, parse_config
from wikiapi.factory import open_site
from wikiapi.pages.links.derivation import changed_settings, recorded_settings
from wikiapi.pages.links.update import LinksUpdate, follow_settings
from wikiapi.site import Site

PAGES = {"A": "[[Catégorie:X]]", "B": "#REDIRECTION [[A]]"}
FRENCH = Config(site=SiteConfig(language="fr"))


@pytest.fixture
def french(make_site: Callable[..., Site]) -> Site:
    """The store of an English wiki, as the site of a French one."""
    english = make_site(PAGES)
    return open_site(FRENCH, database=english.db)


def categories(site: Site) -> list[tuple[object, ...]]:
    return site.db.execute_sql("SELECT cl_from FROM categorylinks")


def test_all_links_are_derived_in_the_new_language(french: Site) -> None:
    assert categories(french) == []
    assert changed_settings(french.db, french.config) == ["site.language"]
    assert LinksUpdate(french).run() == 2
    assert categories(french) == [(1,)]
    assert french.db.execute_sql("SELECT page_is_redirect FROM page") == [(0,), (1,)]
    assert recorded_settings(french.db) == {"site.language": "fr"}
    assert LinksUpdate(french).run() == 0
    english = open_site(Config(), database=french.db)
    assert LinksUpdate(english).run() == 2
    assert categories(english) == []


def test_a_new_store_has_no_other_settings(make_site: Callable[..., Site]) -> None:
    site = make_site()
    assert follow_settings(site.db, FRENCH) == []
    assert recorded_settings(site.db) == {"site.language": "fr"}


@pytest.mark.parametrize("language", ["", "en"])
def test_nothing_is_written_for_the_same_settings(
    make_site: Callable[..., Site], language: str
) -> None:
    site = make_site({"A": "x"})
    before = site.db.execute_sql("SELECT * FROM updatelog ORDER BY ul_key")
    assert follow_settings(site.db, Config(site=SiteConfig(language=language))) == []
    assert site.db.execute_sql("SELECT * FROM updatelog ORDER BY ul_key") == before


@pytest.mark.parametrize(
    ("tables", "names"),
    [
        ({"site": {"capital_links": False}}, ["site.capital_links"]),
        ({"site": {"timezone": "Europe/Paris"}, "wikitext": {"max_toc_level": 2}}, []),
        ({"wikitext": {"magic_links": ["ISBN"]}}, ["wikitext.magic_links"]),
        ({"limits": {"expansion_depth": 8, "request_steps": 1}}, ["limits.expansion_depth"]),
        (
            {"extensions": {"parserfunctions": {"string_functions": False}}},
            ["extensions.parserfunctions.string_functions"],
        ),
        ({"namespaces": [{"id": 12, "includable": False}]}, ["namespaces"]),
        ({"namespaces": [{"id": 100, "name": "Portal", "robots": "noindex"}]}, ["namespaces"]),
    ],
)
def test_settings_on_which_links_depend(
    make_site: Callable[..., Site], tables: dict[str, Any], names: list[str]
) -> None:
    site = make_site({"A": "x"})
    assert changed_settings(site.db, parse_config(tables)) == names


def test_settings_of_namespaces_without_effect_on_links(make_site: Callable[..., Site]) -> None:
    site = make_site({"A": "x"}, namespaces=[NamespaceConfig(100, "Portal")])
    follow_settings(site.db, site.config)
    hidden = parse_config({"namespaces": [{"id": 100, "name": "Portal", "robots": "noindex"}]})
    assert changed_settings(site.db, hidden) == []
