"""The facts of all languages in the package, compared with those that were recorded."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from tests.reference import material
from tests.reference.languagefacts.names import Sources, as_text, name_facts
from wikiapi.languages.language import language, language_codes
from wikiapi.languages.magicwords import MagicWords
from wikiapi.title.namespaces import ENGLISH_NAMES, local_aliases, local_name
from wikiapi.title.specialpages import SpecialPages

pytestmark = pytest.mark.skipif(not material.available(), reason=material.MISSING)

PROJECT = "Babelwiki"


@cache
def recorded() -> Mapping[str, Any]:
    if not material.available():
        return {}
    with gzip.open(material.RECORDED / "languages.json.gz", "rt", encoding="utf-8") as file:
        listed: dict[str, Any] = json.load(file)
    # The first languages of the alphabet have the facts of French by an error of recording.
    french = listed["fr"]["namespaces"]
    return {
        code: facts
        for code, facts in listed.items()
        if code == "fr" or facts.get("namespaces") != french
    }


def test_every_language_is_shipped() -> None:
    assert len(recorded()) == 490
    assert len(set(language_codes())) == 514
    assert recorded().keys() <= set(language_codes())


@pytest.mark.parametrize("code", sorted(recorded()))
def test_names_agree(code: str) -> None:
    facts, own = recorded()[code], language(code)
    for number, name in facts.get("namespaces", {}).items():
        assert local_name(int(number), PROJECT, own) == name
    if "aliases" in facts:
        numbers = sorted(ENGLISH_NAMES)
        aliases = [[n, name] for n in numbers for name in local_aliases(n, PROJECT, own)]
        assert aliases == facts["aliases"]
    words = MagicWords(code)
    for name, (case, *spellings) in facts.get("magic", {}).items():
        assert words[name] == (bool(case), tuple(spellings)), name
    pages = SpecialPages(own)
    for name, names in facts.get("special", {}).items():
        assert pages.names[name] == tuple(names)


@pytest.mark.parametrize("code", sorted(recorded()))
def test_texts_agree(code: str) -> None:
    facts, own = recorded()[code], language(code)
    texts = {
        "linktrail": own.link_trail,
        "linkprefix": own.link_prefix,
        "linkprefixcharset": own.link_prefix_characters,
        "mainpage": own.main_page,
        "fallback8bitEncoding": own.legacy_encoding,
    }
    assert {name: text for name, text in texts.items() if name in facts} == {
        name: facts[name] for name in texts if name in facts
    }
    assert [*dict.fromkeys([code, *facts["fallback"], "en"])] == list(own.chain)


def test_files_are_those_that_the_program_generates() -> None:
    folder = material.ROOT / "wikiapi" / "languages" / "facts"
    stored = {file.stem: file.read_text("utf-8") for file in folder.glob("*.json")}
    assert stored == {code: as_text(facts) for code, facts in name_facts().items()}


def test_no_chain_of_bases_is_a_circle() -> None:
    sources = Sources()
    for code in sources.codes:
        sources.complete(code)
