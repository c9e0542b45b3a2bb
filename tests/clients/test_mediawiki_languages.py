"""Wikis in other languages expand texts as MediaWiki does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.mediawiki import PROGRAM, MediaWiki, mediawiki
from wikiapi.testing import make_site

FIXTURE = Path(__file__).parents[1] / "fixtures" / "clients" / "languages.json"
FOLDERS = [str(PROGRAM / folder / "i18n") for folder in ("languages", "extensions/ParserFunctions")]
MATERIAL: dict[str, Any] = json.loads(FIXTURE.read_text("utf-8"))

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MediaWiki]:
    with mediawiki(tmp_path_factory.mktemp("wiki"), "http://127.0.0.1:1/api.php") as served:
        yield served


def texts(language: str) -> Iterator[str]:
    """Yield the texts for all languages and for one."""
    yield from MATERIAL["texts"]
    for numbers, template in MATERIAL["calls"]:
        yield " ; ".join(template.replace("$1", number) for number in MATERIAL[numbers])
    yield from MATERIAL["languages"][language]


@pytest.mark.parametrize("language", MATERIAL["languages"])
def test_expansion(wiki: MediaWiki, language: str) -> None:
    config = {"site": {"language": language}, "messages": {"folders": FOLDERS}}
    site = make_site({}, config=config)
    try:
        page = site.titles.parse("Page")
        for text in texts(language):
            assert site.parser.expand(text, page) == wiki.expand(text, language)
    finally:
        site.db.close()
