from __future__ import annotations

import pytest

from wikiapi.languages import language
from wikiapi.title.specialpages import ALIASES, SpecialPages

ENGLISH = SpecialPages(language("en"))
GERMAN = SpecialPages(language("de"))


@pytest.mark.parametrize(
    "name", ["Version", "version", "Recent changes", "recent_changes", "Log/move", "ALLPAGES"]
)
def test_special_page(name: str) -> None:
    assert name in ENGLISH
    assert name in GERMAN


@pytest.mark.parametrize("name", ["", "Bogus", "Versionss", "/Version"])
def test_no_special_page(name: str) -> None:
    assert name not in ENGLISH


@pytest.mark.parametrize(
    ("name", "english", "german"),
    [
        ("version", "Version", "Version"),
        ("recentchanges", "RecentChanges", "Letzte_Änderungen"),
        ("recent changes", "RecentChanges", "Letzte_Änderungen"),
        ("log/Ada_Example", "Log/Ada_Example", "Logbuch/Ada_Example"),
        ("Bogus", "Bogus", "Bogus"),
        ("bogus/x", "bogus/x", "bogus/x"),
        ("", "", ""),
    ],
)
def test_local_name(name: str, english: str, german: str) -> None:
    assert ENGLISH.local_name(name) == english
    assert GERMAN.local_name(name) == german


def test_english_name() -> None:
    assert GERMAN.english_name("Letzte Änderungen/x") == "RecentChanges"
    assert GERMAN.english_name("Bogus/x") == "Bogus"


@pytest.mark.parametrize("name", sorted(ALIASES))
def test_every_name_of_a_special_page_leads_to_it(name: str) -> None:
    for alias in (name, *ALIASES[name], *GERMAN.names[name]):
        assert ENGLISH.english_name(GERMAN.english_name(alias)) == ALIASES[name][0]
        assert GERMAN.local_name(alias) == GERMAN.names[name][0]
