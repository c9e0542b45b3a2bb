from __future__ import annotations

import pytest

from wikiapi.title.specialpages import is_special_page, shown_name


@pytest.mark.parametrize("name", ["Version", "version", "Recent changes", "Log/move", "ALLPAGES"])
def test_special_page(name: str) -> None:
    assert is_special_page(name)


@pytest.mark.parametrize("name", ["", "Bogus", "Versionss", "/Version"])
def test_no_special_page(name: str) -> None:
    assert not is_special_page(name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("version", "Version"),
        ("Recentchanges", "RecentChanges"),
        ("OrphanedPages", "LonelyPages"),
        ("log/move", "Log/move"),
        ("User_rights/Ada", "UserRights/Ada"),
        ("Bogus/x", "Bogus/x"),
    ],
)
def test_shown_name(name: str, shown: str) -> None:
    assert shown_name(name) == shown
