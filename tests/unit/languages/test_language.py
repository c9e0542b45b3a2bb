from __future__ import annotations

import pytest

from wikiapi.languages.language import Language, MagicWord, language


@pytest.mark.parametrize(
    ("code", "chain"),
    [
        ("en", ("en",)),
        ("de", ("de", "en")),
        ("en-gb", ("en-gb", "en")),
        ("arn", ("arn", "es", "en")),
        ("zh-hant-tw", ("zh-hant-tw", "zh-hant", "zh-tw", "zh-hk", "zh", "zh-hans", "en")),
        ("xx", ("xx", "en")),
        ("../en", ("../en", "en")),
    ],
)
def test_chain_of_fallbacks(code: str, chain: tuple[str, ...]) -> None:
    assert language(code).chain == chain


def test_names_in_a_language() -> None:
    french = language("fr")
    assert french.namespaces[6] == "Fichier"
    assert french.namespaces[5] == "Discussion $1"
    assert (2, "Utilisatrice") in french.aliases
    assert french.magic_words["notoc"].words[0] == "__AUCUNSOMMAIRE__"
    assert french.magic_words["currentmonth"] == MagicWord(
        True, ("MOISACTUEL", "MOIS2ACTUEL", "CURRENTMONTH", "CURRENTMONTH2")
    )
    assert french.special_pages["Longpages"] == ("Pages_longues", "PagesLongues", "LongPages")
    assert french.main_page == "Accueil"


def test_a_language_takes_from_its_base_what_it_does_not_say() -> None:
    german, formal = language("de"), language("de-formal")
    assert formal.code == "de-formal"
    assert formal.namespaces == german.namespaces
    assert formal.link_trail == german.link_trail


def test_unknown_languages_are_as_english() -> None:
    assert language("xx") == Language("xx")


def test_prefixes() -> None:
    assert language("arz").link_prefix_characters.startswith("a-zA-Z")
