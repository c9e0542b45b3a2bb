"""Texts with numbers, dates and forms of words in nine languages, as MediaWiki rendered them.

The wikis have MediaWiki's messages, which name months and days.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest

from tests.reference import material
from wikiapi.site import Site

_ROWS = material.RECORDED / "lang.jsonl.gz"
_MESSAGES = material.RECORDED / "messages"
NAMES = (
    "text-casing text-dates text-dates-2 text-duration text-gender text-grammar text-language "
    "text-numbers text-ordinal text-plural text-time-zone"
)
_TAG = re.compile(r"<[^>]*>")
_NEW_PAGE = re.compile(r"title=([^&\"]*)&")

pytestmark = pytest.mark.skipif(not _ROWS.is_file(), reason=material.MISSING)


def rows() -> Iterator[Any]:
    """Yield the recorded texts."""
    if _ROWS.is_file():
        with gzip.open(_ROWS, "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                if row["name"] in NAMES.split():
                    yield pytest.param(row, id=f"{row['lang']} {row['name']}")


def content(html: str) -> tuple[str, list[str]]:
    """Return the text of HTML, and the titles of links to missing pages."""
    return unescape(_TAG.sub("", html)).strip(), _NEW_PAGE.findall(html)


@pytest.mark.parametrize("row", list(rows()))
def test_text_is_that_of_mediawiki(make_site: Callable[..., Site], row: dict[str, Any]) -> None:
    config = {"site": {"language": row["lang"]}, "messages": {"folders": [str(_MESSAGES)]}}
    site = make_site({}, config=config)
    params = row["params"]
    html = site.parser.parse(params["text"], site.titles.parse(params["title"])).html
    assert content(html) == content(row["steps"][0]["json"]["parse"]["text"])
