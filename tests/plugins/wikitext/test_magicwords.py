"""Names that a content language adds to magicwords."""

from __future__ import annotations

from importlib import resources

import pytest

from wikiapi.testing import make_site
from wikiapi_plugins.wikitext import behaviorswitches, magicwords, parserfunctions, variables

LANGUAGES = sorted(
    file.name.removesuffix(".json")
    for file in resources.files(magicwords).iterdir()
    if file.name.endswith(".json")
)


@pytest.fixture(scope="module")
def german():
    made = make_site({}, config={"site": {"language": "de"}})
    yield made
    made.db.close()


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("{{SEITENNAME}} {{PAGENAME}} {{SEITENNAME:Hilfe}}", "A A Hilfe"),
        ("{{#wenn:x|ja}} {{#if:x|ja}} {{GROSS:a}} {{gross:a}}", "ja ja A A"),
        ("{{JETZIGES_JAHR}} {{jetziges_jahr}}", "2026 [[:Template:Jetziges jahr]]"),
        ("{{ZAHLENFORMAT:1234,5}} {{formatnum:1234.5}}", "1.234,5 1.234,5"),
    ],
)
def test_both_names_work(german, text, expanded):
    assert german.parser.expand(text, german.titles.parse("A")) == expanded


def test_switches(german):
    output = german.parser.parse("__KEIN_INHALTSVERZEICHNIS__", german.titles.parse("A"))
    assert "notoc" in output.switches


def test_a_variety_takes_the_names_of_its_language():
    assert magicwords.names_in("de-formal") == magicwords.names_in("de")
    assert magicwords.names_in("en") == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_belongs_to_a_word(language):
    declared = {
        word.name
        for word in (
            *parserfunctions.DECLARATIONS,
            *parserfunctions.EXTENSION,
            *parserfunctions.VARIABLES,
            *variables.DECLARATIONS,
            *behaviorswitches.DECLARATIONS,
        )
    }
    assert set(magicwords.names_in(language)) <= declared
    site = make_site({}, config={"site": {"language": language}})
    assert site.parser.registries.functions
    site.db.close()
