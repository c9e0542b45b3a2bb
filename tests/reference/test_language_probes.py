"""What wikis of each language answer to short texts, compared with what MediaWiki answered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.reference import material
from tests.reference.languagefacts import dates
from tests.reference.languagefacts.probes import answers, available, languages
from wikiapi.languages.dates.usual import Kind, usual_format
from wikiapi.languages.numbers import localize_digits
from wikiapi.testing import make_site

pytestmark = pytest.mark.skipif(not available(), reason=material.MISSING)

KINDS = ("num", "unnum", "plural", "plural2", "case", "date", "dir", "grammar")
SOME = (
    "ar as az be-tarask cs de de-ch eo es et fa fi fr he hi hr hu hy ja ka kk km ko ksh la lt lv "
    "mk my nl os pl ru se sl sv th tr uk ur vi zh"
)
"""A sample of languages of all kinds."""
KEYS = {"F": "march", "xg": "march-gen", "M": "mar", "l": "thursday", "D": "thu"}
USUAL: tuple[Kind, ...] = ("both", "date", "time", "pretty")
UNLIKE = Path(__file__).with_name("unlike_probes.json")
"""The texts with other answers, by language."""


def names_of(code: str) -> Mapping[str, str]:
    """Return the names of March and Thursday by message key, as they stand in the answers."""
    texts = dates.texts_of(code)
    formats = {kind: usual_format(kind, code) for kind in USUAL}
    names = dates.names_by(formats, texts) if texts else None
    return {KEYS[letter]: localize_digits(name, code) for letter, name in (names or {}).items()}


def differences(code: str, folder: Path) -> Iterator[str]:
    """Yield the texts that a wiki of a language answers otherwise than MediaWiki."""
    # CLDR does not have MediaWiki's names of months and days, so the wiki has messages.
    (folder / f"{code}.json").write_text(json.dumps(names_of(code)), encoding="utf-8")
    config = {"site": {"language": code}, "messages": {"folders": [str(folder)]}}
    site = make_site({}, config=config)
    page = site.titles.parse("Page")
    try:
        for kind in KINDS:
            for text, answer in (answers(code, kind) or {}).items():
                if site.parser.expand(text, page) != answer:
                    yield text
    finally:
        site.db.close()


def unlike(code: str) -> list[str]:
    """Return the texts that are listed as answered otherwise."""
    texts: dict[str, list[str]] = json.loads(UNLIKE.read_text("utf-8"))
    return texts.get(code, [])


@pytest.mark.parametrize("code", SOME.split())
def test_answers_are_those_of_mediawiki(code: str, tmp_path: Path) -> None:
    assert list(differences(code, tmp_path)) == unlike(code)


@pytest.mark.slow
@pytest.mark.parametrize("code", sorted({*languages()} - {*SOME.split()}) if available() else ())
def test_answers_are_those_of_mediawiki_in_all_other_languages(code: str, tmp_path: Path) -> None:
    assert list(differences(code, tmp_path)) == unlike(code)
