from __future__ import annotations

import pytest

from wikiapi.title.specialpages import ALIASES, SPECIAL_PAGES, is_special_page, shown_name


@pytest.mark.parametrize(
    "name", ["Version", "version", "Recent changes", "recent_changes", "Log/move", "ALLPAGES"]
)
def test_special_page(name: str) -> None:
    assert is_special_page(name)


@pytest.mark.parametrize("name", ["", "Bogus", "Versionss", "/Version"])
def test_no_special_page(name: str) -> None:
    assert not is_special_page(name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("version", "Version"),
        ("recentchanges", "RecentChanges"),
        ("recent changes", "RecentChanges"),
        ("log/Ada_Example", "Log/Ada_Example"),
        ("Bogus", "Bogus"),
        ("bogus/x", "bogus/x"),
        ("", ""),
    ],
)
def test_shown_name(name: str, shown: str) -> None:
    assert shown_name(name) == shown


@pytest.mark.parametrize("name", sorted(ALIASES))
def test_every_name_of_a_special_page_leads_to_it(name: str) -> None:
    for alias in (name, *ALIASES[name]):
        assert shown_name(alias) == ALIASES[name][0]
    assert ALIASES[name][0] in SPECIAL_PAGES
